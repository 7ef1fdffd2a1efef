import { PDFArray, PDFDict, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { findReachable } from '../../pdf/document'
import { serialize } from '../../pdf/syntax'
import * as Name from '../../pdf/names'

const IDENTITY = [1, 0, 0, 1, 0, 0]

/** Length from which resources are worth an object of their own, in characters. */
const LONG = 24

/**
 * Writes all objects anew without unneeded white space. In the dictionaries of form XObjects, which object streams
 * can't contain, it leaves out default values and the obsolete list of procedure sets (ISO 32000-2, table 93 and 14.2).
 * Resources of forms become objects that equal forms share.
 */
export function compactObjects(document: PdfDocument): void {
  const roots = [document.rootRef, document.infoRef].flatMap(ref => (ref ? [ref.objectNumber] : []))
  const reached = findReachable(document, roots)
  const shared = new Map<string, PDFRef>()
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    if (!reached.isStream(slot)) {
      document.store.get(ref)
      continue
    }
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream)) continue
    const isForm = document.peek(stream.dict.get(Name.Subtype)) === Name.Form
    const dict = isForm ? compactForm(document, stream.dict, shared) : stream.dict
    document.store.set(ref, PDFRawStream.of(dict, stream.contents))
  }
}

function compactForm(document: PdfDocument, dict: PDFDict, shared: Map<string, PDFRef>): PDFDict {
  const entries = new Map(dict.entries())
  if (document.peekNumber(dict.get(Name.FormType)) === 1) entries.delete(Name.FormType)
  const matrix = dict.get(Name.Matrix)
  if (matrix instanceof PDFArray && isIdentity(matrix)) entries.delete(Name.Matrix)
  const resources = dict.get(Name.Resources)
  if (resources instanceof PDFDict) entries.set(Name.Resources, shareResources(document, resources, shared))
  return PDFDict.fromMapWithContext(entries, document.context)
}

function isIdentity(matrix: PDFArray): boolean {
  const values = matrix.asArray()
  return (
    values.length === IDENTITY.length &&
    values.every((value, index) => value instanceof PDFNumber && value.asNumber() === IDENTITY[index])
  )
}

function shareResources(document: PdfDocument, resources: PDFDict, shared: Map<string, PDFRef>): PDFObject {
  const kept = new Map(resources.entries().filter(([key]) => key !== Name.ProcSet))
  const dict = PDFDict.fromMapWithContext(kept, document.context)
  const text = serialize(dict, () => false)
  if (text.length < LONG) return dict
  const ref = shared.get(text) ?? document.register(dict)
  shared.set(text, ref)
  return ref
}
