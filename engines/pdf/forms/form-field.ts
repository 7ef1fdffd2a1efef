import { PDFArray, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readTerminalFields } from './fields/terminal-fields'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** Field flags (ISO 32000-2, tables 227, 229, 231 and 233). */
export const FLAG = {
  readOnly: 1,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  /** Applies to radio buttons. For text fields, the same bit means rich text. */
  inUnison: 1 << 25,
} as const

export type FieldKind = 'text' | 'checkbox' | 'radio' | 'dropdown' | 'list' | 'button' | 'signature' | 'unknown'

/** A form field with its kind. */
export interface FormField {
  /** Full name. */
  name: string
  ref: PDFRef
  kind: FieldKind
  flags: number
  /** The widget annotations of the field. Contains the field itself if both share a dictionary. */
  widgets: PDFRef[]
}

/** An option of a dropdown or list. */
export interface Choice {
  /** The export value. */
  value: string
  /** The displayed text. */
  label: string
}

/** Maximum number of ancestors to follow. */
const MAX_DEPTH = 64

/** Returns the terminal fields of the form in tree order. Several fields may have the same name. */
export function readFormFields(document: PdfDocument): FormField[] {
  return readTerminalFields(document).map(({ name, ref, type, widgets }) => {
    // In some files, only the widgets have the flags.
    const flags = numberOf(document, [ref, ...widgets.slice(0, 1)], Name.Ff) ?? 0
    return { name, ref, kind: kindOf(type, flags), flags, widgets }
  })
}

function kindOf(type: string | undefined, flags: number): FieldKind {
  if (type === 'Tx') return 'text'
  if (type === 'Ch') return flags & FLAG.combo ? 'dropdown' : 'list'
  if (type === 'Sig') return 'signature'
  if (type !== 'Btn') return 'unknown'
  if (flags & FLAG.pushButton) return 'button'
  return flags & FLAG.radio ? 'radio' : 'checkbox'
}

/**
 * Returns the value of a key in the first of these dictionaries, or its ancestors, that has one (ISO 32000-2,
 * 12.7.4.1).
 */
export function findInherited(document: PdfDocument, starts: readonly PDFRef[], key: PDFName): PDFObject | undefined {
  for (const start of starts) {
    let dict = document.peekDict(start)
    for (let depth = 0; dict && depth < MAX_DEPTH; depth++) {
      const value = document.peek(dict.get(key))
      if (value) return value
      dict = document.peekDict(dict.get(Name.Parent))
    }
  }
  return undefined
}

/** Like `findInherited`, with the value of the AcroForm dictionary as the default. */
export function findFormDefault(document: PdfDocument, starts: readonly PDFRef[], key: PDFName): PDFObject | undefined {
  return (
    findInherited(document, starts, key) ??
    document.peek(document.peekDict(document.catalog.get(Name.AcroForm))?.get(key))
  )
}

function numberOf(document: PdfDocument, starts: readonly PDFRef[], key: PDFName): number | undefined {
  const value = findInherited(document, starts, key)
  return value instanceof PDFNumber && Number.isFinite(value.asNumber()) ? value.asNumber() : undefined
}

/** Returns the maximum length of a text field. Undefined if the file sets no limit. */
export function maxLengthOf(document: PdfDocument, field: FormField): number | undefined {
  const length = numberOf(document, [field.ref, ...field.widgets.slice(0, 1)], Name.MaxLen)
  return length !== undefined && length > 0 ? Math.floor(length) : undefined
}

/** Returns the number of cells of a comb field. Undefined for other fields (ISO 32000-2, table 231). */
export function combCellsOf(document: PdfDocument, field: FormField): number | undefined {
  const excluded = FLAG.multiline | FLAG.password | FLAG.fileSelect
  return field.kind === 'text' && field.flags & FLAG.comb && !(field.flags & excluded)
    ? maxLengthOf(document, field)
    : undefined
}

/** Returns the options of a dropdown or list, in the order of the file. */
export function choicesOf(document: PdfDocument, field: FormField): Choice[] {
  const options = findInherited(document, [field.ref], Name.Opt)
  if (!(options instanceof PDFArray)) return []
  return options.asArray().map(item => {
    const option = document.peek(item)
    const [value, label] =
      option instanceof PDFArray
        ? [textOf(document.peek(option.get(0))), textOf(document.peek(option.get(1)))]
        : [textOf(option), undefined]
    return { value: value ?? '', label: label ?? value ?? '' }
  })
}

/** Returns the values of a text field, dropdown or list. Only lists can have several. */
export function valuesOf(document: PdfDocument, field: FormField): string[] {
  const value = findInherited(document, [field.ref, ...field.widgets.slice(0, 1)], Name.V)
  const items = value instanceof PDFArray ? value.asArray().map(item => document.peek(item)) : [value]
  return items.map(textOf).filter(text => text !== undefined)
}

/**
 * Returns the text of a text string. Also accepts names, numbers and streams (rich text), which some files use instead.
 */
function textOf(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFName) return decodeName(value)
  if (value instanceof PDFNumber) return String(value.asNumber())
  return readText(value)
}

/** Decodes a name as UTF-8 (ISO 32000-2, 7.3.5), or as Latin-1 if it isn't valid UTF-8. */
export function decodeName(name: PDFName): string {
  const bytes = Uint8Array.from(name.decodeText(), character => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return name.decodeText() // Not valid UTF-8, so each byte is a character.
  }
}

/** Returns the appearance characteristics dictionary of a widget (ISO 32000-2, table 192). */
export function appearanceCharacteristicsOf(document: PdfDocument, widget: PDFRef): PDFDict | undefined {
  return document.peekDict(document.peekDict(widget)?.get(Name.MK))
}
