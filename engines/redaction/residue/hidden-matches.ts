import { PDFRawStream } from 'pdf-lib'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { HEX, LITERAL, NAME, NUMBER } from '../../pdf-core/syntax/content-operands'
import { ContentReader } from '../../pdf-core/syntax/content-reader'
import { readString } from '../../content/fonts/strings'
import { stripImages } from '../../pdf-core/metadata/hidden-data'
import { listData } from './residue'
import type { DataObject } from './residue'
import type { Rule } from '../search/search'
import { composeText } from '../text/search-text'

/** Characters that text in data has at least: fewer stand there by chance. */
const LEAST_RUN = 6

/** Digits of a match without letters. */
const LEAST_DIGITS = 7

/** Characters of one stream, and of a document, that rules are run on. */
const MOST_EACH = 1_000_000
const MOST_TEXT = 10_000_000

const SHOWS = new Set(['Tj', 'TJ', "'", '"'])
const RUNS = new RegExp(`[\\x20-\\x7e\\xa0-\\xff]{${LEAST_RUN},}`, 'g')
const WIDE_RUNS = new RegExp(`(?:[\\x20-\\x7e]\\0){${LEAST_RUN},}[\\x20-\\x7e]?`, 'g')

/**
 * Finds what expressions and presets match in data that no page shows: comments and unseen strings of content, streams
 * of programs' own, objects. The rules remember it, so that it is searched for and cleared like what they found on
 * pages. Comments inside of images go in any case. Rules for a text need none of this: their text is searched for as
 * bytes.
 */
export function findHiddenMatches(document: PdfDocument, rules: readonly Rule[]): void {
  const general = rules.filter(rule => rule.isForAll && !rule.isText)
  if (general.length === 0) return
  stripImages(document)
  let left = MOST_TEXT
  const matchesOf = (text: string): [Rule, string][] => {
    left -= text.length
    const searched = composeText(Array.from(text.slice(0, MOST_EACH)))
    const found = general.flatMap(rule =>
      rule.find(searched).map(({ start, end }): [Rule, string] => [rule, searched.text.slice(start, end)]),
    )
    return found.filter(([, match]) => !isShortNumber(match))
  }
  for (const object of [...listData(document)]) {
    if (left <= 0) return
    for (const text of textsOf(document, object)) for (const [rule, match] of matchesOf(text)) rule.remember(match)
    // Comments and doubled entries go when an object is written anew.
    if (object.raw && readRuns(object.raw).some(text => matchesOf(text).length > 0)) document.store.get(object.ref)
  }
}

/** Data are full of numbers. */
function isShortNumber(match: string): boolean {
  return !/\p{L}/u.test(match) && match.replace(/\D/g, '').length < LEAST_DIGITS
}

function textsOf(document: PdfDocument, { kind, stream }: DataObject): string[] {
  if (!(stream instanceof PDFRawStream) || !kind || kind === 'image') return []
  const bytes = decodeUpToLimit(document, stream)
  if (!bytes) return []
  // What stands behind the encoded data is in no decoded byte.
  const beside = Buffer.compare(bytes, stream.contents) === 0 ? [] : readRuns(stream.contents.subarray(-MOST_EACH))
  if (kind === 'content') return [...beside, ...readUnseen(bytes).flatMap(readRuns)]
  return [...beside, ...readRuns(kind === 'map' ? readComments(bytes) : bytes)]
}

/** What content says and doesn't show: comments, strings that no operator shows, property lists. */
function readUnseen(bytes: Uint8Array): Uint8Array[] {
  const reader = new ContentReader(bytes)
  const unseen: Uint8Array[] = []
  let behind = 0
  while (reader.next()) {
    const { operator, operands, start, end } = reader
    if (start > behind) unseen.push(bytes.subarray(behind, start))
    if (operator !== 'BI') {
      const count = SHOWS.has(operator) ? operands.count - 1 : operands.count
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
    behind = end
  }
  if (behind < bytes.length) unseen.push(bytes.subarray(behind))
  return unseen
}

/** The strings in an array or a dictionary. */
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

/** Stretches of readable characters, of one byte each or of two. */
function readRuns(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const narrow = text.match(RUNS) ?? []
  const wide = (text.match(WIDE_RUNS) ?? []).map(run => run.replaceAll('\0', ''))
  const all = [...narrow, ...wide]
  return all.length === 0 ? [] : [all.join('\n')]
}
