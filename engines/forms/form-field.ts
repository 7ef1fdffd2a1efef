import { PDFArray, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { readTerminalFields } from '../pdf-core/fields/terminal-fields'
import { readText } from '../pdf-core/syntax/text-string'
import * as Name from '../pdf-core/syntax/names'

/** Flags of fields (ISO 32000-2, tables 227, 229, 231 and 233). */
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
  /** Of radio buttons; of text fields the same bit says rich text. */
  inUnison: 1 << 25,
} as const

export type FieldKind = 'text' | 'checkbox' | 'radio' | 'dropdown' | 'list' | 'button' | 'signature' | 'unknown'

/** A field of a form, with what its type and flags make of it. */
export interface FormField {
  /** Full name. */
  name: string
  ref: PDFRef
  kind: FieldKind
  flags: number
  /** What shows it; the field itself where both are one. */
  widgets: PDFRef[]
}

/** An entry that a dropdown or a list offers. */
export interface Choice {
  /** What is stored. */
  value: string
  /** What people see. */
  label: string
}

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

/** The fields of the form in the order of its tree. Two of them may have the same name. */
export function readFormFields(document: PdfDocument): FormField[] {
  return readTerminalFields(document).map(({ name, ref, type, widgets }) => {
    // Some files have the flags at the widgets only.
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

/** The value of a key at the first of these dictionaries, or above it, that has one (ISO 32000-2, 12.7.4.1). */
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

/** The same, or else what the form has for all of its fields. */
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

/** How many characters a text field takes; undefined where the file sets no limit. */
export function maxLengthOf(document: PdfDocument, field: FormField): number | undefined {
  const length = numberOf(document, [field.ref, ...field.widgets.slice(0, 1)], Name.MaxLen)
  return length !== undefined && length > 0 ? Math.floor(length) : undefined
}

/**
 * The places that a text field gives its characters one by one; undefined for other fields (ISO 32000-2, table 231).
 */
export function combCellsOf(document: PdfDocument, field: FormField): number | undefined {
  const excluded = FLAG.multiline | FLAG.password | FLAG.fileSelect
  return field.kind === 'text' && field.flags & FLAG.comb && !(field.flags & excluded)
    ? maxLengthOf(document, field)
    : undefined
}

/** What a dropdown or a list offers, in the order of the file. */
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

/** The texts that a text field, a dropdown or a list holds: several only in lists. */
export function valuesOf(document: PdfDocument, field: FormField): string[] {
  const value = findInherited(document, [field.ref, ...field.widgets.slice(0, 1)], Name.V)
  const items = value instanceof PDFArray ? value.asArray().map(item => document.peek(item)) : [value]
  return items.map(textOf).filter(text => text !== undefined)
}

/** A text, or what stands for one in files that take liberties: a name, a number, a stream (as rich text is kept). */
function textOf(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFName) return decodeName(value)
  if (value instanceof PDFNumber) return String(value.asNumber())
  return readText(value)
}

/** The text of a name: UTF-8 (ISO 32000-2, 7.3.5), or Latin-1 where its bytes are none. */
export function decodeName(name: PDFName): string {
  const bytes = Uint8Array.from(name.decodeText(), character => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return name.decodeText() // no UTF-8: every byte is a character then
  }
}

/** The entries of a widget that say how it looks (ISO 32000-2, table 192). */
export function appearanceCharacteristicsOf(document: PdfDocument, widget: PDFRef): PDFDict | undefined {
  return document.peekDict(document.peekDict(widget)?.get(Name.MK))
}
