import { hexStringEnd, stringEnd } from '../syntax/scanner'
import { isAt, isDelimiter, isRegular, readInteger, skipSpace } from '../syntax/syntax'

const NUMBER_SIGN = 0x23
const OPEN_PARENTHESIS = 0x28
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const LETTER_P = 0x50
const LETTER_R = 0x52
const LETTER_S = 0x53
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LETTER_N = 0x6e

/** The entries that tell structure elements from content items (ISO 32000-2, 14.7.2 and 14.7.5). */
export interface ElementEntries {
  hasType: boolean
  /** Whether there is an /Obj or an /MCID. */
  hasContent: boolean
  /** The object number of the parent, or 0 if /P isn't a reference. */
  parent: number
}

/**
 * Reads these entries from the bytes of a dictionary, without parsing the other ones. Undefined for anything unusual: a
 * value that isn't a dictionary, a comment, an escape in a key, a null, a missing value or a wrong bracket. Parse the
 * object then.
 */
export function readElementEntries(bytes: Uint8Array, start: number, end: number): ElementEntries | undefined {
  let at = skipSpace(bytes, start, end)
  if (bytes[at] !== LESS_THAN || bytes[at + 1] !== LESS_THAN) return undefined
  const entries: ElementEntries = { hasType: false, hasContent: false, parent: 0 }
  for (at = skipSpace(bytes, at + 2, end); bytes[at] === SLASH; at = skipSpace(bytes, at, end)) {
    const key = at + 1
    const keyEnd = regularEnd(bytes, key, end)
    if (keyEnd < 0) return undefined
    const value = skipSpace(bytes, keyEnd, end)
    at = valueEnd(bytes, value, end)
    if (at < 0) return undefined
    const length = keyEnd - key
    if (length === 1 && bytes[key] === LETTER_S) entries.hasType = true
    else if (length === 1 && bytes[key] === LETTER_P) entries.parent = referenceAt(bytes, value, at)
    else if ((length === 3 && isAt(bytes, key, 'Obj')) || (length === 4 && isAt(bytes, key, 'MCID')))
      entries.hasContent = true
  }
  return at < end && bytes[at] === GREATER_THAN && bytes[at + 1] === GREATER_THAN ? entries : undefined
}

/** The position after the regular characters at `at`. −1 if one of them starts an escape. */
function regularEnd(bytes: Uint8Array, at: number, end: number): number {
  let position = at
  for (; position < end && isRegular(bytes[position]); position++) if (bytes[position] === NUMBER_SIGN) return -1
  return position
}

/** The position after a value. −1 for anything unusual. */
function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  let at = start
  do {
    at = depth === 0 ? at : skipSpace(bytes, at, end)
    if (at >= end) return -1
    const byte = bytes[at] as number
    if (byte === OPEN_PARENTHESIS) at = stringEnd(bytes, at, end)
    else if (byte === LESS_THAN && bytes[at + 1] !== LESS_THAN) at = hexStringEnd(bytes, at, end)
    else if (byte === LESS_THAN || byte === OPEN_BRACKET) {
      depth++
      at += byte === LESS_THAN ? 2 : 1
    } else if (byte === CLOSE_BRACKET && depth > 0) {
      depth--
      at++
    } else if (byte === GREATER_THAN && bytes[at + 1] === GREATER_THAN && depth > 0) {
      depth--
      at += 2
    } else if (byte === SLASH) at = tokenEnd(bytes, at + 1, end)
    else if (depth === 0) return scalarEnd(bytes, at, end)
    else if (isDelimiter(byte)) return -1
    else at = tokenEnd(bytes, at, end)
  } while (depth > 0)
  return at
}

function tokenEnd(bytes: Uint8Array, at: number, end: number): number {
  let position = at
  while (position < end && isRegular(bytes[position])) position++
  return position
}

/** The position after a number, a reference or a keyword other than `null`. −1 for anything else. */
function scalarEnd(bytes: Uint8Array, at: number, end: number): number {
  if (isDelimiter(bytes[at]) || bytes[at] === LETTER_N) return -1
  const number = tokenEnd(bytes, at, end)
  const generation = readInteger(bytes, skipSpace(bytes, number, end), end)
  if (!generation) return number
  const keyword = skipSpace(bytes, generation.end, end)
  const target = readInteger(bytes, at, number)
  const isReference = target?.end === number && target.value > 0 && generation.value <= MAX_GENERATION
  return isReference && bytes[keyword] === LETTER_R && !isRegular(bytes[keyword + 1]) ? keyword + 1 : -1
}

const MAX_GENERATION = 65_535

/** The object number of the reference from `start` to `end`, or 0. */
function referenceAt(bytes: Uint8Array, start: number, end: number): number {
  return bytes[end - 1] === LETTER_R ? (readInteger(bytes, start, end)?.value ?? 0) : 0
}
