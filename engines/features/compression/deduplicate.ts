import { createHash } from 'node:crypto'
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { findFormFonts } from '../../pdf/fonts'
import type { PdfDocument, Reached } from '../../pdf/document'
import { findReachable } from '../../pdf/document'
import { serialize } from '../../pdf/syntax'
import * as Name from '../../pdf/names'

/** Rounds of comparison. After each one, objects that refer to merged objects may have become equal. */
const MOST_ROUNDS = 8

/** Entries that connect a stream with one place in the structure tree. */
const STRUCTURE = ['StructParent', 'StructParents'].map(name => PDFName.of(name))

/** Types of dictionaries that only describe how something looks, so that one of them can serve all places. */
const SHARED_TYPES = new Set(['Font', 'FontDescriptor', 'ExtGState', 'Encoding', 'Pattern', 'Halftone'])

/** Families of color spaces with parameters. Their arrays can be shared too. */
const FAMILIES = new Set(['ICCBased', 'Indexed', 'Separation', 'DeviceN', 'CalRGB', 'CalGray', 'Lab'])

/** Length from which an array of numbers is a list of widths and not a box. */
const LIST_LENGTH = 8

/**
 * Merges identical streams, fonts, graphics state parameters, color spaces and lists of widths. Objects with an
 * identity of their own, such as pages, annotations, fields, layers and structure elements, stay.
 */
export function deduplicate(document: PdfDocument): void {
  const formFonts = findFormFonts(document)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const roots = [document.rootRef, document.infoRef].flatMap(ref => ref?.objectNumber ?? [])
    const reached = findReachable(document, roots, undefined, { keepsTargets: true })
    const merged = findCopies(document, reached, formFonts)
    if (merged.size === 0) return
    redirect(document, reached, merged)
  }
}

/** The objects that have an earlier copy, by number. */
function findCopies(document: PdfDocument, reached: Reached, formFonts: ReadonlySet<PDFDict>): Map<number, PDFRef> {
  const first = new Map<string, PDFRef>()
  const merged = new Map<number, PDFRef>()
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    if (ref === document.rootRef || ref === document.infoRef || ref.generationNumber !== 0) continue
    const object = document.peek(ref)
    if (!object || !isShareable(document, object) || (object instanceof PDFDict && formFonts.has(object))) continue
    const key = contentKey(object)
    const known = first.get(key)
    if (known) merged.set(ref.objectNumber, known)
    else first.set(key, ref)
  }
  return merged
}

function isShareable(document: PdfDocument, object: PDFObject): boolean {
  if (object instanceof PDFRawStream) return !STRUCTURE.some(key => object.dict.has(key))
  if (object instanceof PDFDict) return SHARED_TYPES.has(document.peekName(object.get(Name.Type)) ?? '')
  if (!(object instanceof PDFArray) || object.size() === 0) return false
  if (FAMILIES.has(document.peekName(object.get(0)) ?? '')) return true
  return object.size() >= LIST_LENGTH && object.asArray().every(item => item instanceof PDFNumber)
}

/**
 * Returns a text that only objects with the same content share. The length and the order of the entries of a stream
 * don't count.
 */
function contentKey(object: PDFObject): string {
  if (!(object instanceof PDFRawStream)) return serialize(object, () => false)
  const entries = object.dict
    .entries()
    .filter(([key]) => key !== Name.Length)
    .map(([key, value]) => `${key.toString()} ${serialize(value, () => false)}`)
  return `${entries.sort().join(' ')} stream ${createHash('sha256').update(object.contents).digest('hex')}`
}

/** Replaces all references to merged objects. */
function redirect(document: PdfDocument, reached: Reached, merged: ReadonlyMap<number, PDFRef>): void {
  for (const slot of reached.inOrder()) {
    const number = reached.numbers[slot] as number
    if (merged.has(number) || !mentions(reached, slot, merged)) continue
    const object = document.store.get(reached.refOf(slot))
    if (object) replaceReferences(object, merged)
  }
}

function mentions(reached: Reached, slot: number, merged: ReadonlyMap<number, PDFRef>): boolean {
  const end = reached.targetEnd(slot)
  for (let index = reached.targetStarts[slot] as number; index < end; index++)
    if (merged.has(reached.targets[index] as number)) return true
  return false
}

function replaceReferences(object: PDFObject, merged: ReadonlyMap<number, PDFRef>): void {
  const instead = (value: PDFObject): PDFRef | undefined =>
    value instanceof PDFRef ? merged.get(value.objectNumber) : undefined
  const values: PDFObject[] = [object]
  while (values.length) {
    const value = values.pop()
    if (value instanceof PDFStream) values.push(value.dict)
    else if (value instanceof PDFDict) {
      for (const [key, item] of value.entries()) {
        const other = instead(item)
        if (other) value.set(key, other)
        else values.push(item)
      }
    } else if (value instanceof PDFArray) {
      for (let index = 0; index < value.size(); index++) {
        const other = instead(value.get(index))
        if (other) value.set(index, other)
        else values.push(value.get(index))
      }
    }
  }
}
