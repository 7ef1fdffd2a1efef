import { inflateSync } from 'node:zlib'
import { PDFArray, PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { hasKnownFilters } from '../filters/filters'
import { ARRAY, NUMBER } from '../syntax/content-operands'
import type { Operands } from '../syntax/content-operands'
import { contentsOf } from '../document/contents-of'
import type { Page } from '../document/page-tree'
import { asBuffer, INTEGER_LIMIT } from '../syntax/syntax'
import { ContentReader } from '../syntax/content-reader'
import * as Name from '../syntax/names'
import { FactKind } from '../document/facts'

type Repair = (document: PdfDocument) => void

/** Repairs made when the file was opened. Every other document opened from the file repeats them. */
export const REPAIRS = new FactKind<Repair[]>('repairs')

/**
 * Rewrites the page content of a damaged file so that every reader can decode it. Readers differ in how they handle
 * broken Flate data and unknown filters, and some refuse the page. All content that can be decoded stays. Broken data
 * often has integers of more than 64 bits, and these become reals. Streams with other filters don't change.
 */
export function repairContents(document: PdfDocument, pages: readonly Page[]): void {
  const repairs = document.facts.of(REPAIRS, () => [])
  const repair = (change: Repair): void => {
    repairs.push(change)
    change(document)
  }
  const refs = new Set<PDFRef>()
  for (const page of pages) {
    for (const content of contentsOf(document, page)) if (content instanceof PDFRef) refs.add(content)
  }
  for (const ref of refs) {
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || isReadable(document, stream)) continue
    const data = writeLongIntegers(decodeUpToLimit(document, ref) ?? Buffer.alloc(0))
    repair(target => target.store.set(ref, deflatedStream(target, target.context.obj({}), data)))
  }
}

/**
 * Removes everything but streams from /Contents of all pages (warning `repaired`; ISO 32000-2, table 31). `isStream`
 * returns whether a reference leads to a stream. Returns whether any page changed.
 */
export function listStreamsOnly(document: PdfDocument, isStream: (ref: PDFRef) => boolean): boolean {
  let isChanged = false
  for (const page of document.pages) {
    const value = page.dict.get(Name.Contents)
    if (value instanceof PDFRef && isStream(value)) continue
    const content = document.peek(value)
    if (content === undefined) continue // a page may have no content
    if (content instanceof PDFArray && content.asArray().every(item => item instanceof PDFRef && isStream(item)))
      continue
    document.edit(page.ref).set(Name.Contents, document.context.obj(contentsOf(document, page)))
    isChanged = true
  }
  if (isChanged) document.warnings.add('repaired')
  return isChanged
}

function isReadable(document: PdfDocument, { dict, contents }: PDFRawStream): boolean {
  if (!hasKnownFilters(dict, item => document.peek(item))) return false
  const value = document.peek(dict.get(Name.Filter))
  const filter = value instanceof PDFArray && value.size() === 1 ? document.peek(value.get(0)) : value
  if (filter !== Name.FlateDecode) return true
  try {
    inflateSync(contents, { maxOutputLength: document.limits.maxStreamBytes })
    return true
  } catch (error) {
    // Too large isn't damaged: the code that reads the stream reports the limit.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
  }
}

/** Rewrites integers of more than 64 bits as reals (ISO 32000-1, 7.3.3). */
function writeLongIntegers(data: Uint8Array): Uint8Array {
  const reader = new ContentReader(data)
  const { operands, items } = reader
  const ends = new Set<number>()
  const collect = ({ count, kinds, starts, ends: behind, values }: Operands): void => {
    for (let index = 0; index < count; index++) {
      const end = behind[index] as number
      if (kinds[index] === ARRAY) collect(items)
      const isLong = kinds[index] === NUMBER && Math.abs(values[index] as number) >= INTEGER_LIMIT
      if (isLong && INTEGER.test(asBuffer(data).toString('latin1', starts[index], end))) ends.add(end)
    }
  }
  while (reader.next()) collect(operands)
  const parts: Uint8Array[] = []
  let from = 0
  for (const end of [...ends].toSorted((a, b) => a - b)) {
    parts.push(data.subarray(from, end), Buffer.from('.0'))
    from = end
  }
  return Buffer.concat([...parts, data.subarray(from)])
}

const INTEGER = /^[+-]?\d+$/
