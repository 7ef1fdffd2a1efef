import { PDFRawStream } from 'pdf-lib'
import { decodeUpToLimit } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { ContentReader, HEX, LITERAL, NAME, NUMBER, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import { readString } from '../../../pdf/fonts'
import { listData } from './residue'
import type { DataObject } from './residue'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'

/** Minimum length of text in binary data. Shorter runs occur by chance. */
const LEAST_RUN = 6

/** Minimum number of digits in a match without letters. */
const LEAST_DIGITS = 7

/** Maximum number of characters to search in one stream, and in a document. */
const MOST_EACH = 1_000_000
const MOST_TEXT = 10_000_000

const RUNS = new RegExp(`[\\x20-\\x7e\\xa0-\\xff]{${LEAST_RUN},}`, 'g')
const WIDE_RUNS = new RegExp(`(?:[\\x20-\\x7e]\\0){${LEAST_RUN},}[\\x20-\\x7e]?`, 'g')

/**
 * Finds matches of regular expressions and presets in data that no page shows: comments and invisible strings of
 * content streams, private streams of programs, and objects. The rules remember these matches, so that they are
 * searched and removed like matches on pages. Rules with `text` don't need this step, because their text is searched as
 * bytes.
 */
export function findHiddenMatches(document: PdfDocument, rules: readonly Rule[]): void {
  const general = rules.filter(rule => rule.isForAll && !rule.isText)
  if (general.length === 0) return
  let remainingCharacters = MOST_TEXT
  const matchesOf = (text: string): [Rule, string][] => {
    remainingCharacters -= text.length
    const searched = composeText(Array.from(text.slice(0, MOST_EACH)))
    const found = general.flatMap(rule =>
      rule.find(searched).map(({ start, end }): [Rule, string] => [rule, searched.text.slice(start, end)]),
    )
    return found.filter(([, match]) => !isShortNumber(match))
  }
  for (const object of [...listData(document)]) {
    if (remainingCharacters <= 0) return
    for (const text of textsOf(document, object)) for (const [rule, match] of matchesOf(text)) rule.remember(match)
    // A loaded object is written again, which drops comments and duplicate entries.
    if (object.raw && readRuns(object.raw).some(text => matchesOf(text).length > 0)) document.store.get(object.ref)
  }
}

/** Returns whether a match is only a short number, which occurs in data by chance. */
function isShortNumber(match: string): boolean {
  return !/\p{L}/u.test(match) && match.replace(/\D/g, '').length < LEAST_DIGITS
}

function textsOf(document: PdfDocument, { kind, stream }: DataObject): string[] {
  if (!(stream instanceof PDFRawStream) || !kind || kind === 'image') return []
  const bytes = decodeUpToLimit(document, stream)
  if (!bytes) return []
  // Text after the end of the encoded data isn't part of the decoded bytes.
  const trailingText =
    Buffer.compare(bytes, stream.contents) === 0 ? [] : readRuns(stream.contents.subarray(-MOST_EACH))
  if (kind === 'content') return [...trailingText, ...readUnseen(bytes).flatMap(readRuns)]
  return [...trailingText, ...readRuns(kind === 'map' ? readComments(bytes) : bytes)]
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
