import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { lookOf, parseDefaultAppearance } from '../../forms/default-appearance'
import type { TextLook } from '../../forms/default-appearance'
import { readHexColor, writeColor } from '../../../options/colors'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { readText } from '../../syntax/text-string'
import { decodeXml, parseXml } from '../../metadata/xml'
import type { XmlElement } from '../../metadata/xml'
import type { Subject } from './drawing'
import * as Name from '../../syntax/names'

/** Default font size in points. */
const DEFAULT_SIZE_PT = 12
const MAX_SIZE_PT = 1000

const FONT_SIZE = /(?:^|\s)(\d+(?:\.\d+)?)pt(?=$|[\s/])/

/** Maximum number of characters of a style string and of rich text that are read. */
const MAX_STYLE = 2000
const MAX_RICH = 200_000

/** Content and style of a FreeText annotation. */
export interface FreeText {
  text: string
  look: TextLook
  /** 0 is left, 1 is centered, 2 is right (ISO 32000-2, table 177). */
  quadding: number
  /** Color of the border and the callout line, which is the color of /DA. */
  lineColor: number[]
}

/**
 * Reads the text and style of a FreeText annotation (ISO 32000-2, table 177). /DS and the first style of /RC override
 * /DA. All text gets the same style.
 */
export function readFreeText({ document, annotation }: Subject): FreeText {
  const appearance = parseDefaultAppearance(readText(document.peek(annotation.get(Name.DA))) ?? '')
  const rich = readRichText(document, annotation.get(Name.RC))
  const style = `${(readText(document.peek(annotation.get(Name.DS))) ?? '').slice(0, MAX_STYLE)};${rich?.style ?? ''}`
  const { quadding, ...explicitStyle } = readStyle(style)
  const look = { ...lookOf(document, appearance), ...explicitStyle }
  const plain = readText(document.peek(annotation.get(Name.Contents))) ?? ''
  return {
    text: plain.trim() === '' ? (rich?.text ?? '') : plain,
    look: { ...look, sizePt: look.sizePt || DEFAULT_SIZE_PT },
    quadding: document.peekNumber(annotation.get(Name.Q)) ?? quadding ?? 0,
    lineColor: appearance.color.split(' ').slice(0, -1).map(Number),
  }
}

type StyleOfText = Partial<TextLook> & { quadding?: number }

/** Parses a style string (ISO 32000-2, 12.7.4.4). Later declarations override earlier ones. */
function readStyle(text: string): StyleOfText {
  let style: StyleOfText = {}
  for (const declaration of text.split(';')) {
    const [property = '', ...rest] = declaration.split(':')
    style = { ...style, ...readDeclaration(property.trim().toLowerCase(), rest.join(':').trim().toLowerCase()) }
  }
  return style
}

function readDeclaration(property: string, value: string): StyleOfText {
  if (property === 'color') {
    const color = readColorValue(value)
    return color === undefined ? {} : { color }
  }
  if (property === 'text-align') {
    const quadding = ['left', 'center', 'right'].indexOf(value)
    return quadding < 0 ? {} : { quadding }
  }
  const isAll = property === 'font'
  const style: StyleOfText = {}
  if (isAll || property === 'font-size') {
    const sizePt = Number(FONT_SIZE.exec(value)?.[1])
    if (sizePt > 0 && sizePt <= MAX_SIZE_PT) style.sizePt = sizePt
  }
  if (isAll || property === 'font-weight') style.weight = /\bbold|(?:^|\s)[6-9]00(?:\s|$)/.test(value) ? 700 : 400
  if (isAll || property === 'font-style') style.isItalic = /italic|oblique/.test(value)
  return style
}

function readColorValue(value: string): string | undefined {
  const hex = readHexColor(value)
  if (hex) return writeColor(hex, 'rg')
  const parts = /^rgb\(([\d\s,.]+)\)$/.exec(value)?.[1] ?? ''
  const [r, g, b] = parts.split(',').map(part => Math.min(Number(part), 255))
  if (r === undefined || g === undefined || b === undefined || [r, g, b].some(Number.isNaN)) return undefined
  return writeColor({ r, g, b }, 'rg')
}

interface RichText {
  text: string
  style: string
}

/** Returns the plain text of rich text and the style of its first text. Undefined if it isn't valid XML. */
function readRichText(document: PdfDocument, value: PDFObject | undefined): RichText | undefined {
  const object = document.peek(value)
  const bytes = object instanceof PDFRawStream ? decodeContent(document, object) : undefined
  const source = (bytes ? Buffer.from(bytes).toString('utf8') : readText(object))?.slice(0, MAX_RICH).trim()
  const root = source === undefined || source === '' ? undefined : parseXml(source)
  if (!root || source === undefined) return undefined
  const inside = source.slice(root.start, root.end)
  const lines = inside.replace(/[\r\n]+/g, ' ').replace(/<br\b[^>]*>|<\/(?:p|div)\s*>/g, '\n')
  return { text: (decodeXml(lines.replace(/<[^>]*>/g, '')) ?? '').trim(), style: styleAtStart(root) }
}

/** Returns the styles of the elements around the first text, the innermost last. */
function styleAtStart(root: XmlElement): string {
  const styles: string[] = []
  let element: XmlElement | undefined = root
  while (element) {
    const name = element.name.replace(/^.*\}/, '')
    if (name === 'b' || name === 'strong') styles.push('font-weight:bold')
    if (name === 'i' || name === 'em') styles.push('font-style:italic')
    styles.push((element.attributes.get('{}style') ?? '').slice(0, MAX_STYLE))
    element = element.text.trim() === '' ? element.children.find(hasContent) : undefined
  }
  return styles.join(';')
}

function hasContent({ text, children }: XmlElement): boolean {
  return text.trim() !== '' || children.length > 0
}
