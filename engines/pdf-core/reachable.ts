import { PDFArray, PDFDict, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { Scanner } from './scanner'
import type { Source } from './source'

/** What one pass over the reachable objects found out about one of them. */
export interface Reached {
  number: number
  generation: number
  /** A changed or new object, to be serialised. */
  object?: PDFObject
  /** An object that stands in its file as it is written, apart from references in `isPatched` ones. */
  copy?: { bytes: Uint8Array; start: number; body: number; end: number; shift: number; isPatched: boolean }
  isStream: boolean
  /** Whether it refers to an object that was severed. */
  mentionsSevered: boolean
}

/**
 * All objects that can be reached from the given ones, in order of number. `stops` are left out and not looked into, as
 * are severed objects.
 */
export function findReachable(document: PdfDocument, roots: number[], stops?: ReadonlySet<number>): Map<number, Reached> {
  const { store } = document
  const scanner = new Scanner()
  const seen = new Set<number>()
  const found: Reached[] = []
  const stack = [...roots]
  while (stack.length) {
    const number = stack.pop() as number
    if (seen.has(number) || store.isSevered(number) || stops?.has(number)) continue
    seen.add(number)
    const changed = store.changedEntry(number)
    if (changed) {
      const { ref, object } = changed
      const from = stack.length
      collectReferences(object, stack)
      found.push({ number, generation: ref.generationNumber, object, isStream: object instanceof PDFStream, mentionsSevered: hasSevered(document, stack, from) })
      continue
    }
    const entry = findCopy(document, number, scanner, stack)
    if (entry) found.push(entry)
  }
  found.sort((a, b) => a.number - b.number)
  return new Map(found.map(entry => [entry.number, entry]))
}

/** Pushes the numbers of all references inside an object. */
function collectReferences(object: PDFObject, stack: number[]): void {
  const values: PDFObject[] = [object]
  while (values.length) {
    const value = values.pop()
    if (value instanceof PDFRef) stack.push(value.objectNumber)
    else if (value instanceof PDFArray) for (let index = 0; index < value.size(); index++) values.push(value.get(index))
    else if (value instanceof PDFDict) values.push(...value.values())
    else if (value instanceof PDFStream) values.push(value.dict)
  }
}

function hasSevered(document: PdfDocument, numbers: number[], from: number): boolean {
  for (let index = from; index < numbers.length; index++) if (document.store.isSevered(numbers[index] as number)) return true
  return false
}

/** An unchanged object as bytes of its file; parsed instead when those bytes are not sound. */
function findCopy(document: PdfDocument, number: number, scanner: Scanner, stack: number[]): Reached | undefined {
  const { store } = document
  const origin = store.origin(number)
  if (!origin?.source.table.has(origin.number)) return undefined
  const { source, shift } = origin
  let bytes = source.bytes
  let extent: { start: number; body: number; end: number; generation: number; isExact: boolean; isStream: boolean } | undefined
  if (source.isCompressed(origin.number)) {
    const place = source.compressed(origin.number)
    if (!place) return undefined
    bytes = place.data
    extent = compressedExtent(source, origin.number, place, scanner)
  } else {
    extent = source.extent(origin.number, scanner)
    if (!extent && source.isCompressed(origin.number)) return findCopy(document, number, scanner, stack)
  }
  if (!extent) return undefined
  if (!extent.isExact) {
    const object = source.parse(origin.number, document.context, shift)
    if (!object) return undefined
    document.warnings.add('repaired')
    const from = stack.length
    collectReferences(object, stack)
    const generation = shift === 0 ? extent.generation : 0
    return { number, generation, object, isStream: object instanceof PDFStream, mentionsSevered: hasSevered(document, stack, from) }
  }
  let mentionsSevered = false
  for (let index = 0; index < scanner.referenceCount; index++) {
    const target = (scanner.references[index * 3 + 2] as number) + shift
    if (store.isSevered(target)) mentionsSevered = true
    else stack.push(target)
  }
  return {
    number,
    generation: shift === 0 ? extent.generation : 0,
    isStream: extent.isStream,
    mentionsSevered,
    copy: { bytes, start: extent.start, body: extent.body, end: extent.end, shift, isPatched: shift !== 0 || mentionsSevered },
  }
}

function compressedExtent(source: Source, number: number, place: { data: Uint8Array; start: number; end: number }, scanner: Scanner) {
  const container = source.container(source.table.places[number] as number)
  // An object ends where the next one begins; offsets need not be in order.
  let limit = place.end
  for (const offset of container?.offsets ?? []) if (offset > place.start && offset < limit) limit = offset
  scanner.scan(place.data, place.start, limit)
  return { start: place.start, body: place.start, end: scanner.end, generation: 0, isExact: true, isStream: false }
}
