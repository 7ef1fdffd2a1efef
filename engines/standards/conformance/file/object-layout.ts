import { asBuffer, isAt, isDigit, isRegular, isWhite, skipSpace } from '../../../pdf/syntax'
import { inAllParts } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** An indirect object in the file. */
export interface WrittenObject {
  bytes: Uint8Array
  /** Offset of the object number. */
  start: number
  /** Offset after the value. For a stream, offset after `endstream`. */
  valueEnd: number
  /** Whether the value is a single integer. */
  isInteger: boolean
}

/** Rules for the white space around `obj` and `endobj` (6.1.8, later 6.1.9). */
export const SPACING_RULES: readonly Rule<WrittenObject>[] = [
  {
    in: inAllParts('6.1.8-1', '6.1.9-1'),
    message: 'Indirect objects must have the prescribed single spaces and line ends around obj and endobj.',
    check: checkSpacing,
  },
]

/** Returns what is wrong with the white space of an object. */
export function checkSpacing(object: WrittenObject): string | undefined {
  return checkHeader(object) ?? checkEnd(object)
}

function checkHeader({ bytes, start }: WrittenObject): string | undefined {
  if (!isLineEnd(bytes[start - 1])) return 'no line end before the object number'
  const number = digitsEnd(bytes, start)
  if (!isWhite(bytes[number]) || isWhite(bytes[number + 1])) return 'not one space after the object number'
  const generation = digitsEnd(bytes, number + 1)
  if (!isWhite(bytes[generation]) || isWhite(bytes[generation + 1])) return 'not one space after the generation number'
  return isLineEnd(bytes[generation + 4]) ? undefined : 'no line end after obj'
}

function checkEnd({ bytes, valueEnd, isInteger }: WrittenObject): string | undefined {
  let end = valueEnd
  while (isWhite(bytes[end])) end++
  // veraPDF doesn't look at the space after an integer, because it reads on to see whether it is a reference.
  if (!isInteger && (end === valueEnd || !isLineEnd(bytes[end - 1]))) return 'no line end before endobj'
  const keyword = skipSpace(bytes, end)
  return isAt(bytes, keyword, 'endobj') && !isLineEnd(bytes[keyword + 6]) ? 'no line end after endobj' : undefined
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while (isDigit(bytes[end])) end++
  return end
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 10 || byte === 13
}

/** How a stream lies in the file. */
export interface StreamLayout {
  /** The value of /Length. Undefined if it isn't a number. */
  stated: number | undefined
  /** The number of bytes between the keywords, without their line ends. Undefined if `endstream` is missing. */
  actual: number | undefined
  hasLineEndAfterStream: boolean
  hasLineEndBeforeEndstream: boolean
  /** Offset after `endstream`. */
  end: number
}

/** Rules for streams (6.1.7, later 6.1.7.1). */
export const STREAM_RULES: readonly Rule<StreamLayout>[] = [
  {
    in: inAllParts('6.1.7-1', '6.1.7.1-1'),
    message: '/Length of a stream must be its number of bytes in the file.',
    check: ({ stated, actual }) =>
      stated !== undefined && stated === actual
        ? undefined
        : `/Length ${stated ?? 'missing'}, ${actual === undefined ? 'no endstream' : `${actual} bytes`}`,
  },
  {
    in: inAllParts('6.1.7-2', '6.1.7.1-2'),
    message: 'CR LF or LF must follow the keyword stream, and a line end must precede endstream.',
    check: ({ hasLineEndAfterStream, hasLineEndBeforeEndstream }) =>
      !hasLineEndAfterStream
        ? 'no line end after stream'
        : hasLineEndBeforeEndstream
          ? undefined
          : 'no line end before endstream',
  },
]

/**
 * Measures a stream whose keyword `stream` ends at `at`. `stated` is its /Length. Searches for `endstream` up to
 * `limit` if it isn't where the length says.
 */
export function measureStream(
  bytes: Uint8Array,
  at: number,
  { stated, limit }: { stated: number | undefined; limit: number },
): StreamLayout {
  const start = dataStart(bytes, at)
  const hasLineEndAfterStream = bytes[start - 1] === 10 && start > at
  const expected = stated === undefined ? NaN : start + Math.trunc(stated)
  const keyword = isKeywordAfter(bytes, expected) ? skipWhite(bytes, expected) : findKeyword(bytes, start, limit)
  if (keyword === undefined)
    return { stated, actual: undefined, hasLineEndAfterStream, hasLineEndBeforeEndstream: true, end: limit }
  const length = keyword - start
  const before = lineEndBefore(bytes, keyword, length - (stated ?? 0))
  return {
    stated: stated === undefined ? undefined : Math.trunc(stated),
    actual: length - before,
    hasLineEndAfterStream,
    hasLineEndBeforeEndstream: before > 0,
    end: skipSpace(bytes, keyword) + 'endstream'.length,
  }
}

/** The first data byte. A lone CR doesn't belong to the data, although it isn't allowed. */
function dataStart(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? at + 2 : at + 1
  return bytes[at] === 10 ? at + 1 : at
}

/** The length of the line end before `endstream`. CR LF counts as LF if only one byte isn't part of the length. */
function lineEndBefore(bytes: Uint8Array, keyword: number, excess: number): number {
  if (bytes[keyword - 1] === 13) return 1
  if (bytes[keyword - 1] !== 10) return 0
  return bytes[keyword - 2] === 13 && excess > 1 ? 2 : 1
}

function isKeywordAfter(bytes: Uint8Array, at: number): boolean {
  return at >= 0 && at <= bytes.length && isKeyword(bytes, skipSpace(bytes, at))
}

function isKeyword(bytes: Uint8Array, at: number): boolean {
  return isAt(bytes, at, 'endstream') && !isRegular(bytes[at + 9])
}

function findKeyword(bytes: Uint8Array, start: number, limit: number): number | undefined {
  const buffer = asBuffer(bytes).subarray(0, limit)
  let at = buffer.indexOf('endstream', start)
  while (at >= 0 && !isKeyword(bytes, at)) at = buffer.indexOf('endstream', at + 1)
  return at < 0 ? undefined : at
}

function skipWhite(bytes: Uint8Array, at: number): number {
  let end = at
  while (isWhite(bytes[end])) end++
  return end
}
