import { writeRounded } from '../pdf-core/syntax/number-text'
import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { readText, writeText } from '../pdf-core/syntax/text-string'
import { findFormDefault } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../pdf-core/syntax/names'

/** How the text of a field is set. */
export interface TextLook {
  /** 0 where the size follows from the field. */
  sizePt: number
  /** The operator that sets the color. */
  color: string
  weight: number
  isItalic: boolean
}

/** What a default appearance string says (ISO 32000-2, 12.7.4.3). */
interface DefaultAppearance {
  /** Name of the font among the form's resources. */
  font: string | undefined
  sizePt: number | undefined
  /** The operator that sets the color. */
  color: string
}

const COLOR_PARTS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 }

/** The names that Acrobat gives the standard fonts. */
const BOLD = /^(?:He|Co)B[oO]$|^TiB[oI]$/
const ITALIC = /^(?:He|Co)(?:Ob|BO)$|^Ti(?:It|BI)$/

/** Sizes that a file may ask for, in points; what is beyond is taken for a slip. */
const MAX_SIZE_PT = 1000

/**
 * What the default appearance of a widget asks for (ISO 32000-2, 12.7.4.3). Of the font its weight and slant count;
 * where the string is missing or says nothing, text is black and its size follows from the field.
 */
export function readTextLook(document: PdfDocument, widget: PDFRef, field: FormField): TextLook {
  return lookOf(document, readDefaultAppearance(document, [widget, field.ref]))
}

/** How text is set by a default appearance; its font is looked for among the form's resources. */
export function lookOf(document: PdfDocument, { font, sizePt = 0, color }: DefaultAppearance): TextLook {
  const fonts = document.peekDict(
    document.peekDict(document.peekDict(document.catalog.get(Name.AcroForm))?.get(Name.DR))?.get(Name.Font),
  )
  const base =
    font === undefined ? undefined : document.peek(document.peekDict(fonts?.get(PDFName.of(font)))?.get(Name.BaseFont))
  const name = base instanceof PDFName ? base.decodeText() : (font ?? '')
  return {
    sizePt,
    color,
    weight: /bold|black|heavy/i.test(name) || BOLD.test(name) ? 700 : 400,
    isItalic: /italic|oblique/i.test(name) || ITALIC.test(name),
  }
}

function readDefaultAppearance(document: PdfDocument, starts: readonly PDFRef[]): DefaultAppearance {
  return parseDefaultAppearance(readText(findFormDefault(document, starts, Name.DA)) ?? '')
}

/** What a default appearance string says; of several fonts or colors the last one. */
export function parseDefaultAppearance(text: string): DefaultAppearance {
  const words = text.slice(0, 2000).replaceAll('/', ' /').trim().split(/\s+/)
  let font: string | undefined
  let sizePt: number | undefined
  let color = '0 g'
  for (const [index, word] of words.entries()) {
    const size = Number(words[index - 1])
    if (word === 'Tf' && words[index - 2]?.startsWith('/') && Number.isFinite(size)) {
      font = words[index - 2]?.slice(1)
      sizePt = Math.abs(size) > MAX_SIZE_PT ? 0 : Math.abs(size)
    }
    const count = Object.hasOwn(COLOR_PARTS, word) ? (COLOR_PARTS[word] ?? 0) : 0
    const parts = words.slice(Math.max(0, index - count), index).map(Number)
    if (count > 0 && parts.length === count && parts.every(part => part >= 0 && part <= 1)) {
      color = `${parts.map(writeRounded).join(' ')} ${word}`
    }
  }
  return { font, sizePt, color }
}

/**
 * Gives a field a default appearance of its own with that size, 0 for one that follows from the field; `keep` only
 * where it has none that can be read, so that viewers can set its text when somebody types.
 */
export function setDefaultSize(document: PdfDocument, field: FormField, sizePt: number | 'keep'): void {
  for (const ref of new Set([field.ref, ...field.widgets])) {
    const isOwn = ref === field.ref || document.peekDict(ref)?.has(Name.DA)
    if (!isOwn) continue
    const { font, sizePt: given, color } = readDefaultAppearance(document, [ref, field.ref])
    const isReadable = font !== undefined && given !== undefined
    if (isReadable && (sizePt === 'keep' || sizePt === given)) continue
    if (!isReadable) addHelvetica(document)
    document
      .edit(ref)
      .set(Name.DA, writeText(`/${font ?? 'Helv'} ${writeRounded(sizePt === 'keep' ? 0 : sizePt)} Tf ${color}`))
  }
}

/** Makes sure that the form's resources have the font that viewers know as Helv. */
function addHelvetica(document: PdfDocument): void {
  const form = document.editDict(document.rootRef, Name.AcroForm)
  if (
    !form ||
    document.peekDict(document.peekDict(document.peekDict(form.get(Name.DR))?.get(Name.Font))?.get(Name.Helv))
  )
    return
  const { context } = document
  const resources = PDFDict.fromMapWithContext(new Map(document.peekDict(form.get(Name.DR))?.entries() ?? []), context)
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
