import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { readText } from '../../syntax/text-string'
import * as Name from '../../syntax/names'

/** A form field that holds a value, as opposed to a field that only groups others. */
export interface TerminalField {
  /** The fully qualified name: the partial names of all ancestors and of the field, joined by periods. */
  name: string
  ref: PDFRef
  /** `Tx`, `Btn`, `Ch` or `Sig`. Undefined if the file doesn't say. */
  type: string | undefined
  /** The widgets. The field itself if it is merged with its widget. */
  widgets: PDFRef[]
}

/** Maximum depth of the field tree. */
const MAX_DEPTH = 64

/** The terminal fields of the document's form, in the order of its field tree. Lists each field once. */
export function readTerminalFields(document: PdfDocument): TerminalField[] {
  const form = document.peekDict(document.catalog.get(Name.AcroForm))
  const found: TerminalField[] = []
  const visited = new Set<number>()
  const stack: { value: PDFObject; name: string; type: string | undefined; depth: number }[] = []
  const push = (values: PDFObject[], above: { name: string; type: string | undefined; depth: number }): void => {
    for (const value of values.toReversed()) stack.push({ ...above, value })
  }
  push(document.peekItems(form?.get(Name.Fields)), { name: '', type: undefined, depth: 0 })
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value: ref, depth } = next
    if (!(ref instanceof PDFRef) || visited.has(ref.objectNumber) || depth > MAX_DEPTH) continue
    visited.add(ref.objectNumber)
    const dict = document.peek(ref)
    if (!(dict instanceof PDFDict)) continue
    const partialName = readText(document.peek(dict.get(Name.T)))
    const name = [next.name, partialName].filter(part => part !== undefined && part !== '').join('.')
    const stated = document.peek(dict.get(Name.FT))
    const type = stated instanceof PDFName ? stated.decodeText() : next.type
    const kids = document.peek(dict.get(Name.Kids))
    const list = kids instanceof PDFArray ? kids.asArray() : []
    // Kids with /T are fields. Kids without /T are widgets of this field.
    const fields = list.filter(kid => document.peekDict(kid)?.has(Name.T))
    if (fields.length) push(fields, { name, type, depth: depth + 1 })
    else found.push({ name, ref, type, widgets: list.length ? list.filter(kid => kid instanceof PDFRef) : [ref] })
  }
  return found
}
