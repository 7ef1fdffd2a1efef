import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument, Reached } from '../../../pdf/document'
import { decodeUpToLimit, findReachable } from '../../../pdf/document'
import { asBuffer } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { RemovedTerms } from './removed-terms'
import { readCMapStrings, readContentStrings } from './content-strings'
import type { Rule } from '../search-rules/rule'

/** The kind of a stream: content stream, CMap, image, or any other stream that isn't a font. */
export type StreamKind = 'content' | 'map' | 'image' | 'other'

/** A stream that still contains a removed term. */
export interface Residue {
  ref: PDFRef
  kind: StreamKind
  stream: PDFRawStream
  /** The decoded bytes. Undefined for images and for streams that can't be decoded. */
  bytes: Uint8Array | undefined
  /** The rules whose terms are in the decoded text. Empty if a term is only in the encoded bytes. */
  rules: ReadonlySet<Rule>
}

/** Types of streams that other modules handle: attached files, and XMP, which is redacted as XML text. */
const SKIPPED_TYPES: (PDFObject | undefined)[] = ['EmbeddedFile', 'Metadata'].map(name => PDFName.of(name))

/**
 * Keys of streams that are not searched: font programs, color profiles, decoder tables, attached files.
 */
const SKIPPED_KEYS = new Set(
  ['FontFile', 'FontFile2', 'FontFile3', 'DestOutputProfile', 'JBIG2Globals', 'EF', 'RF'].map(name => PDFName.of(name)),
)
const MAPS = new Set(['ToUnicode', 'Encoding', 'UseCMap'].map(name => PDFName.of(name)))

/**
 * Searches all reachable streams for removed terms, both decoded and encoded. An object with a term in its raw bytes is
 * loaded, so that it is written again without comments and unused bytes. Streams that can't be decoded are added to
 * `unread`.
 */
export function findResidue(document: PdfDocument, words: RemovedTerms, unread?: PDFRef[]): Residue[] {
  const found: Residue[] = []
  for (const { ref, kind, stream, raw } of listData(document)) {
    if (!stream) {
      if (raw && words.isInBytes(raw)) document.store.get(ref)
      continue
    }
    if (!kind) continue
    const bytes = kind === 'image' ? undefined : decodeUpToLimit(document, stream)
    if (kind !== 'image' && !bytes) unread?.push(ref)
    const rules = bytes && words.isInBytes(bytes) ? words.rulesIn(...stringsIn(kind, bytes)) : new Set<Rule>()
    // For streams without a filter, the encoded bytes are the decoded bytes.
    const isInEncodedBytes =
      !(bytes && Buffer.compare(bytes, stream.contents) === 0) && words.isInBytes(stream.contents)
    if (rules.size > 0 || isInEncodedBytes) found.push({ ref, kind, stream, bytes, rules })
    else if (raw && words.isInBytes(raw)) document.store.get(ref)
  }
  return found
}

/** A reachable object, for searching its bytes. */
export interface DataObject {
  ref: PDFRef
  /** Undefined for objects that aren't streams, and for streams that aren't searched. */
  kind: StreamKind | undefined
  stream: PDFRawStream | undefined
  /** The raw bytes of an unchanged object in the file, without its stream data. */
  raw: Uint8Array | undefined
}

/** Yields all reachable objects with the kinds of their streams. */
export function* listData(document: PdfDocument): Generator<DataObject> {
  const { rootRef, infoRef } = document
  const reached = findReachable(
    document,
    infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber],
  )
  const uses = collectUses(document, reached)
  for (const slot of reached.inOrder()) {
    const ref = reached.refOf(slot)
    const object = reached.isStream(slot) ? document.peek(ref) : undefined
    const stream = object instanceof PDFRawStream ? object : undefined
    if (reached.isStream(slot) && !stream) continue
    yield { ref, kind: stream && kindOf(document, ref, stream.dict, uses), stream, raw: rawOf(reached, slot) }
  }
}

function stringsIn(kind: StreamKind, bytes: Uint8Array): Uint8Array[] {
  return kind === 'content' ? readContentStrings(bytes) : kind === 'map' ? readCMapStrings(bytes) : [bytes]
}

function rawOf(reached: Reached, slot: number): Uint8Array | undefined {
  const buffer = reached.buffers[slot]
  if (!buffer) return undefined
  const text = asBuffer(buffer).subarray(reached.starts[slot], reached.ends[slot])
  const end = reached.isStream(slot) ? text.indexOf('stream') : text.length
  return text.subarray(0, end < 0 ? text.length : end)
}

type Use = 'content' | 'map' | 'passed-over'

/** Returns the uses of streams, as determined by the keys that refer to them. */
function collectUses(document: PdfDocument, reached: Reached): Map<PDFRef, Use> {
  const uses = new Map<PDFRef, Use>()
  const record = (value: PDFObject | undefined, use: Use): void => {
    const items =
      value instanceof PDFRef
        ? [value, ...(document.peekArray(value)?.asArray() ?? [])]
        : value instanceof PDFArray
          ? value.asArray()
          : value instanceof PDFDict
            ? value.values()
            : []
    for (const item of items) if (item instanceof PDFRef) uses.set(item, use)
  }
  for (const slot of reached.inOrder()) {
    const object = document.peek(reached.refOf(slot))
    const stack: PDFObject[] = object ? [object] : []
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFStream) stack.push(value.dict)
      else if (value instanceof PDFArray) {
        if (value.size() > 1 && value.get(0) === Name.ICCBased) record(value.get(1), 'passed-over')
        for (let index = 0; index < value.size(); index++) stack.push(value.get(index))
      } else if (value instanceof PDFDict) {
        for (const [key, entry] of value.entries()) {
          if (SKIPPED_KEYS.has(key)) record(entry, 'passed-over')
          else if (MAPS.has(key)) record(entry, 'map')
          else if (key === Name.CharProcs) record(document.peekDict(entry), 'content')
          else if (entry instanceof PDFDict || entry instanceof PDFArray) stack.push(entry)
        }
      }
    }
  }
  // A stream in /Contents of a page is a content stream, even if other keys refer to it.
  for (const page of document.pages) record(page.dict.get(Name.Contents), 'content')
  return uses
}

function kindOf(
  document: PdfDocument,
  ref: PDFRef,
  dict: PDFDict,
  uses: ReadonlyMap<PDFRef, Use>,
): StreamKind | undefined {
  const use = uses.get(ref)
  const subtype = document.peek(dict.get(Name.Subtype))
  if (use === 'content' || subtype === Name.Form || dict.has(Name.PatternType)) return 'content'
  if (use === 'passed-over' || SKIPPED_TYPES.includes(document.peek(dict.get(Name.Type)))) return undefined
  if (subtype === Name.Image || (dict.has(Name.Width) && dict.has(Name.Height))) return 'image'
  return use === 'map' ? 'map' : 'other'
}
