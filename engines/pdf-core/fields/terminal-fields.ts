import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** A form field that holds a value, as opposed to a name above others. */
export interface TerminalField {
  /** The full name: those of all fields above it and its own, with dots between. */
  name: string
  ref: PDFRef
  /** `Tx`, `Btn`, `Ch`, `Sig`, or undefined where the file does not say. */
  type: string | undefined
  /** What shows it; the field itself where both are one. */
  widgets: PDFRef[]
}

/** Levels of names above one another that are looked at. */
const MAX_DEPTH = 64

/** The fields of the document's form in the order of its tree; a field that is listed twice counts once. */
export function readTerminalFields(document: PdfDocument): TerminalField[] {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const found: TerminalField[] = []
  const visited = new Set<number>()
  const stack: { value: PDFObject; name: string; type: string | undefined; depth: number }[] = []
  const push = (values: PDFObject[], above: { name: string; type: string | undefined; depth: number }): void => {
    for (const value of values.toReversed()) stack.push({ ...above, value })
  }
  push(document.peekArray(form?.get(Name.Fields))?.asArray() ?? [], { name: '', type: undefined, depth: 0 })
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value: ref, depth } = next
    if (!(ref instanceof PDFRef) || visited.has(ref.objectNumber) || depth > MAX_DEPTH) continue
    visited.add(ref.objectNumber)
    const dict = document.peek(ref)
    if (!(dict instanceof PDFDict)) continue
    const own = readText(document.peek(dict.get(Name.T)))
    const name = [next.name, own].filter(part => part !== undefined && part !== '').join('.')
    const stated = document.peek(dict.get(Name.FT))
    const type = stated instanceof PDFName ? stated.decodeText() : next.type
    const kids = document.peek(dict.get(Name.Kids))
    const list = kids instanceof PDFArray ? kids.asArray() : []
    // Kids with names are fields; those without are the places where this one is shown.
    const fields = list.filter(kid => document.peekDict(kid)?.has(Name.T))
    if (fields.length) push(fields, { name, type, depth: depth + 1 })
    else found.push({ name, ref, type, widgets: list.length ? list.filter(kid => kid instanceof PDFRef) : [ref] })
  }
  return found
}
