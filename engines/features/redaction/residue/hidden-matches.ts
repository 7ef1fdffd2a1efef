import { PDFRawStream } from 'pdf-lib'
import { decodeUpToLimit, deflatedStream } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { ContentReader, HEX, LITERAL, NAME, NUMBER, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import { readString } from '../../../pdf/fonts'
import { listData } from './residue'
import type { DataObject } from './residue'
import type { Match } from '../matching/match'
import type { Rule } from '../search-rules/rule'
import { textsOfBytes } from '../matching/byte-texts'
import type { Unchecked } from '../unchecked-reasons'
import { composeText } from '../matching/search-text'

/** Minimum length of text in binary data. Shorter runs occur by chance. */
const LEAST_RUN = 6

/** Minimum number of digits in a match without letters. */
const LEAST_DIGITS = 7

/** The number of characters that are searched at once, and by how many of them the next ones overlap. */
const WINDOW = 500_000
const OVERLAP = 4_000

/** Maximum number of characters to search in streams and in the source of objects. */
const MOST_TEXT = 30_000_000
const MOST_SOURCE = 30_000_000

/** Minimum number of letters and signs of a match in binary data. Shorter matches occur there by chance. */
const LEAST_IN_BINARY = 10

/** The number of characters around a match in binary data, and the share of readable text among them. */
const AROUND = 48
const READABLE_SHARE = 0.9

const RUNS = new RegExp(`[\\x20-\\x7e\\xa0-\\xff]{${LEAST_RUN},}`, 'g')
const WIDE_RUNS = new RegExp(`(?:[\\x20-\\x7e]\\0){${LEAST_RUN},}[\\x20-\\x7e]?`, 'g')
const DIGIT_RUNS = new RegExp(`(?:[0-9a-fA-F]{2}\\s{0,2}){${LEAST_RUN},}`, 'g')

/**
 * Finds matches of regular expressions and presets in data that no page shows: comments and invisible strings of
 * content streams, private streams of programs, and objects. The rules remember these matches, so that they are
 * searched and removed like matches on pages. Rules with `text` don't need this step, because their text is searched as
 * bytes. Returns an entry if there is too much data to search, or if a stream can't be decoded.
 */
export function findHiddenMatches(document: PdfDocument, rules: readonly Rule[]): Unchecked[] {
  const general = rules.filter(rule => rule.isForAll && !rule.isText)
  if (general.length === 0) return []
  let [textCount, sourceCount] = [0, 0]
  let isUnread = false
  for (const object of [...listData(document)]) {
    const texts = textsOf(document, object)
    isUnread ||= texts === undefined
    for (const { text, isBinary } of texts ?? []) {
      textCount += text.length
      if (textCount > MOST_TEXT) return [{ reason: 'data' }]
      for (const [rule, match] of matchesIn(text, general, isBinary)) rule.remember(match)
    }
    if (hasUnusedMatch(document, object, general)) rewriteStream(document, object)
    if (!object.raw) continue
    sourceCount += object.raw.length
    // A loaded object is written again, which drops comments and duplicate entries.
    const isRead = sourceCount <= MOST_SOURCE
    if (!isRead || readRuns(object.raw).some(text => matchesIn(text, general, true).length > 0))
      document.store.get(object.ref)
  }
  return isUnread ? [{ reason: 'stream' }] : []
}

/**
 * Returns the matches in a text. Long texts are searched piece by piece. In the runs of binary data, only matches count
 * that are unlikely to be a coincidence.
 */
function matchesIn(text: string, rules: readonly Rule[], isBinary: boolean): [Rule, string][] {
  const found: [Rule, string][] = []
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += WINDOW - OVERLAP) {
    const searched = composeText(Array.from(text.slice(from, from + WINDOW)))
    for (const rule of rules)
      for (const match of rule.find(searched)) {
        const matched = searched.text.slice(match.start, match.end)
        if (!isShortNumber(matched) && !(isBinary && isChance(searched.text, match))) found.push([rule, matched])
      }
  }
  return found
}

/** Returns whether a match in the runs of binary data may be a coincidence: short or foreign, and not in a text. */
function isChance(text: string, { start, end }: Match): boolean {
  const matched = text.slice(start, end)
  if (/^[\x20-\x7e]+$/.test(matched) && matched.length >= LEAST_IN_BINARY) return false
  const around = text.slice(Math.max(0, start - AROUND), end + AROUND)
  return around.replace(/[^\x20-\x7e]/g, '').replace(/[^\w ,.;:@/-]/g, '').length < READABLE_SHARE * around.length
}

/** Returns whether the encoded bytes of a stream match, such as text after the end of the encoded data. */
function hasUnusedMatch(document: PdfDocument, { kind, stream }: DataObject, rules: readonly Rule[]): boolean {
  if (!stream || !kind || kind === 'image') return false
  const bytes = decodeUpToLimit(document, stream)
  return (
    bytes !== undefined &&
    Buffer.compare(bytes, stream.contents) !== 0 &&
    readRuns(stream.contents).some(text => matchesIn(text, rules, false).length > 0)
  )
}

/** Encodes a stream again, which drops everything that isn't part of the encoded data. */
function rewriteStream(document: PdfDocument, { ref, stream }: DataObject): void {
  const bytes = stream && decodeUpToLimit(document, stream)
  if (stream && bytes) document.store.set(ref, deflatedStream(document, stream.dict, bytes))
}

/** Returns whether a match is only a short number, which occurs in data by chance. */
function isShortNumber(match: string): boolean {
  return !/\p{L}/u.test(match) && match.replace(/\D/g, '').length < LEAST_DIGITS
}

/** A text from the bytes of a stream. */
interface DataText {
  text: string
  /** Whether it consists of readable runs of binary data. */
  isBinary: boolean
}

/** Undefined if the stream can't be decoded. */
function textsOf(document: PdfDocument, { kind, stream }: DataObject): DataText[] | undefined {
  if (!(stream instanceof PDFRawStream) || !kind || kind === 'image') return []
  const bytes = decodeUpToLimit(document, stream)
  if (!bytes) return undefined
  if (kind === 'content') return readUnseen(bytes).flatMap(readData)
  return readData(kind === 'map' ? readComments(bytes) : bytes)
}

/** Returns the texts of bytes: in all encodings that text may have, or the readable runs of binary data. */
function readData(bytes: Uint8Array): DataText[] {
  const isBinary = bytes.some(byte => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)
  const texts = isBinary ? readRuns(bytes) : textsOfBytes(bytes, { isForeign: false })
  const digits = Buffer.from(bytes).toString('latin1').match(DIGIT_RUNS) ?? []
  const decoded = digits.flatMap(run => readRuns(Buffer.from(run.replace(/\s+/g, ''), 'hex')))
  return [...texts.map(text => ({ text, isBinary })), ...decoded.map(text => ({ text, isBinary: true }))]
}

/** Returns the invisible text of a content stream: comments, property lists, and strings that no operator shows. */
function readUnseen(bytes: Uint8Array): Uint8Array[] {
  const reader = new ContentReader(bytes)
  const unseen: Uint8Array[] = []
  let previousEnd = 0
  while (reader.next()) {
    const { operator, operands, start, end } = reader
    if (start > previousEnd) unseen.push(bytes.subarray(previousEnd, start))
    if (operator !== 'BI') {
      const count = TEXT_SHOWING_OPERATORS.has(operator) ? operands.count - 1 : operands.count
      let at = start
      for (let index = 0; index < operands.count; index++) {
        const [kind, first, last] = [
          operands.kinds[index] as number,
          operands.starts[index] as number,
          operands.ends[index] as number,
        ]
        if (first > at) unseen.push(bytes.subarray(at, first))
        at = last
        if (index >= count || kind === NUMBER || kind === NAME) continue
        unseen.push(
          kind === LITERAL || kind === HEX
            ? readString(bytes, kind, first, last)
            : readStrings(bytes.subarray(first, last)),
        )
      }
      if (end - operator.length > at) unseen.push(bytes.subarray(at, end - operator.length))
    }
    previousEnd = end
  }
  if (previousEnd < bytes.length) unseen.push(bytes.subarray(previousEnd))
  return unseen
}

/** Returns the strings in the source of an array or a dictionary, one per line. */
function readStrings(source: Uint8Array): Uint8Array {
  const text = Buffer.from(source).toString('latin1')
  const strings = [...text.matchAll(/\((?:[^()\\]|\\[^])*\)|<([0-9a-fA-F\s]+)>/g)]
  const read = strings.map(({ 0: whole, 1: digits }) =>
    digits === undefined ? whole : Buffer.from(digits.replace(/\s/g, ''), 'hex').toString('latin1'),
  )
  return Buffer.from(read.join('\n'), 'latin1')
}

function readComments(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    (
      Buffer.from(bytes)
        .toString('latin1')
        .match(/%[^\r\n]*/g) ?? []
    ).join('\n'),
    'latin1',
  )
}

/** Returns the runs of readable characters, in 8-bit encodings and in UTF-16. */
function readRuns(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const narrow = text.match(RUNS) ?? []
  const wide = (text.match(WIDE_RUNS) ?? []).map(run => run.replaceAll('\0', ''))
  const all = [...narrow, ...wide]
  return all.length === 0 ? [] : [all.join('\n')]
}
