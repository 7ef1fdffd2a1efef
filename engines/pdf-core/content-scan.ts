import { isRegular, isWhite } from './syntax'

/** What the operators of a page's content do to whatever is put around it. */
export interface ContentFacts {
  /** Positions of `Q` operators that restore a state nobody saved. */
  surplus: number[]
  /** States that are saved and never restored. */
  open: number
  /** Names that stand in the content, as they are written. */
  names: Set<string>
}

const LETTER = { q: 0x71, Q: 0x51, B: 0x42, I: 0x49, D: 0x44, E: 0x45 }

/** Bytes behind the end of an inline image that have to be text, so that the same two letters among its data are none. */
const TEXT_BEHIND = 10

/**
 * Finds the saved and restored graphics states of a content stream (ISO 32000-2, 8.4.2), which are to be balanced and
 * often are not. Strings, comments and inline images are passed over. Never throws: damaged content just ends somewhere.
 */
export function scanContent(bytes: Uint8Array): ContentFacts {
  const facts: ContentFacts = { surplus: [], open: 0, names: new Set() }
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte === 0x28) at = skipString(bytes, at)
    else if (byte === 0x25) at = skipComment(bytes, at)
    else if (byte === 0x3c && bytes[at + 1] !== 0x3c) at = skipHexString(bytes, at)
    else if (byte === 0x2f) {
      const end = endOfToken(bytes, at + 1)
      if (end - at < 200) facts.names.add(Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, end - at - 1).toString('latin1'))
      at = end
    } else if (isRegular(byte)) {
      const end = endOfToken(bytes, at)
      at = end - at <= 2 ? readOperator(bytes, { at, end, facts }) : end
    } else at += byte === 0x3c ? 2 : 1
  }
  return facts
}

/** Counts a saved or restored state, or passes over an inline image; gives the position behind. */
function readOperator(bytes: Uint8Array, { at, end, facts }: { at: number; end: number; facts: ContentFacts }): number {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (end - at === 1) {
    if (first === LETTER.q) facts.open++
    else if (first === LETTER.Q && facts.open > 0) facts.open--
    else if (first === LETTER.Q) facts.surplus.push(at)
    return end
  }
  return first === LETTER.I && second === LETTER.D && isWhite(bytes[end]) ? skipImage(bytes, end + 1) : end
}

function endOfToken(bytes: Uint8Array, at: number): number {
  let end = at
  while (isRegular(bytes[end])) end++
  return end
}

function skipString(bytes: Uint8Array, at: number): number {
  let depth = 0
  for (let position = at; position < bytes.length; position++) {
    const byte = bytes[position]
    if (byte === 0x5c) position++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return position + 1
  }
  return bytes.length
}

function skipHexString(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(0x3e, at)
  return end < 0 ? bytes.length : end + 1
}

function skipComment(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++
  return end
}

function skipImage(bytes: Uint8Array, at: number): number {
  for (let end = bytes.indexOf(LETTER.E, at); end >= 0; end = bytes.indexOf(LETTER.E, end + 1)) {
    if (bytes[end + 1] !== LETTER.I || !isWhite(bytes[end - 1]) || isRegular(bytes[end + 2])) continue
    const behind = bytes.subarray(end + 2, end + 2 + TEXT_BEHIND)
    if (behind.every(byte => isWhite(byte) || (byte >= 0x20 && byte < 0x7f))) return end + 2
  }
  return bytes.length
}
