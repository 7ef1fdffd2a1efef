import { writeRounded } from '../syntax/number-text'
import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readText, writeText } from '../syntax/text-string'
import { findFormDefault } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../syntax/names'
import { copyDict } from '../document/object-copies'

/** Text style of a field. */
export interface TextLook {
  /** Name of the font in the resources of the form. Undefined if the default appearance sets none. */
  font: string | undefined
  /** 0 if the size depends on the size of the field. */
  sizePt: number
  /** The operator that sets the color. */
  color: string
  weight: number
  isItalic: boolean
}

/** Content of a default appearance string (ISO 32000-2, 12.7.4.3). */
interface DefaultAppearance {
  /** Name of the font in the resources of the form. */
  font: string | undefined
  sizePt: number | undefined
  /** The operator that sets the color. */
  color: string
}

const COLOR_PARTS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 }

/** Acrobat's resource names for the standard fonts. */
const BOLD = /^(?:He|Co)B[oO]$|^TiB[oI]$/
const ITALIC = /^(?:He|Co)(?:Ob|BO)$|^Ti(?:It|BI)$/

/** Largest font size that a file may request, in points. A larger size is treated as a mistake. */
const MAX_SIZE_PT = 1000

/**
 * Reads the text style of a widget from its default appearance (ISO 32000-2, 12.7.4.3). If the string is missing or empty, the text is black and its size depends on the field.
 */
export function readTextLook(document: PdfDocument, widget: PDFRef, field: FormField): TextLook {
  return lookOf(document, readDefaultAppearance(document, [widget, field.ref]))
}

/** Converts a default appearance to a text style. Finds weight and slant in the resources of the form. */
export function lookOf(document: PdfDocument, { font, sizePt = 0, color }: DefaultAppearance): TextLook {
  const fonts = document.peekDict(
    document.peekDict(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.DR))?.get(Name.Font),
  )
  const base =
    font === undefined ? undefined : document.peek(document.peekDict(fonts?.get(PDFName.of(font)))?.get(Name.BaseFont))
  const name = base instanceof PDFName ? base.decodeText() : (font ?? '')
  return {
    font,
    sizePt,
    color,
    weight: /bold|black|heavy/i.test(name) || BOLD.test(name) ? 700 : 400,
    isItalic: /italic|oblique/i.test(name) || ITALIC.test(name),
  }
}

function readDefaultAppearance(document: PdfDocument, starts: readonly PDFRef[]): DefaultAppearance {
  return parseDefaultAppearance(readText(findFormDefault(document, starts, Name.DA)) ?? '')
}

/** Parses a default appearance string. If it sets several fonts or colors, the last one applies. */
export function parseDefaultAppearance(text: string): DefaultAppearance {
  const tokens = text.slice(0, 2000).replaceAll('/', ' /').trim().split(/\s+/)
  let font: string | undefined
  let sizePt: number | undefined
  let color = '0 g'
  for (const [index, token] of tokens.entries()) {
    const size = Number(tokens[index - 1])
    if (token === 'Tf' && tokens[index - 2]?.startsWith('/') && Number.isFinite(size)) {
      font = tokens[index - 2]?.slice(1)
      sizePt = Math.abs(size) > MAX_SIZE_PT ? 0 : Math.abs(size)
    }
    const count = Object.hasOwn(COLOR_PARTS, token) ? (COLOR_PARTS[token] ?? 0) : 0
    const parts = tokens.slice(Math.max(0, index - count), index).map(Number)
    if (count > 0 && parts.length === count && parts.every(part => part >= 0 && part <= 1)) {
      color = `${parts.map(writeRounded).join(' ')} ${token}`
    }
  }
  return { font, sizePt, color }
}

/**
 * Sets a default appearance with this font size on a field. 0 makes the size depend on the field. `keep` changes only
 * fields without a readable default appearance, so that viewers can draw text that users type.
 */
export function setDefaultSize(document: PdfDocument, field: FormField, sizePt: number | 'keep'): void {
  for (const ref of new Set([field.ref, ...field.widgets])) {
    const hasAppearanceString = ref === field.ref || document.peekDict(ref)?.has(Name.DA)
    if (!hasAppearanceString) continue
    const { font, sizePt: currentSizePt, color } = readDefaultAppearance(document, [ref, field.ref])
    const isReadable = font !== undefined && currentSizePt !== undefined
    if (isReadable && (sizePt === 'keep' || sizePt === currentSizePt)) continue
    if (!isReadable) addHelvetica(document)
    document
      .edit(ref)
      .set(Name.DA, writeText(`/${font ?? 'Helv'} ${writeRounded(sizePt === 'keep' ? 0 : sizePt)} Tf ${color}`))
  }
}

/** Adds the font that viewers know as Helv to the resources of the form, if it is missing. */
function addHelvetica(document: PdfDocument): void {
  const form = document.editDict(document.rootRef, Name.AcroForm)
  if (
    !form ||
    document.peekDict(document.peekDict(document.peekDict(form.get(Name.DR))?.get(Name.Font))?.get(Name.Helv))
  )
    return
  const { context } = document
  const resources = copyDict(document, document.peekDict(form.get(Name.DR)))
  const fonts = PDFDict.fromMapWithContext(
    new Map(document.peekDict(resources.get(Name.Font))?.entries() ?? []),
    context,
  )
  fonts.set(
    Name.Helv,
    document.register(
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' }),
    ),
  )
  resources.set(Name.Font, fonts)
  form.set(Name.DR, resources)
}
