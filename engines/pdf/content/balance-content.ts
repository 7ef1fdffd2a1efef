import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import { addDeflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { ARRAY, LITERAL } from '../syntax/content-operands'
import { ContentReader } from '../syntax/content-reader'
import { findOrAdd } from '../../map-entries'

// Bytes with a meaning in PDF syntax (ISO 32000-2, 7.2.3).
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const BACKSLASH = 0x5c

/** How one content stream changes the number of saved graphics states, and in which state it ends. */
interface StackEffect {
  net: number
  /**
   * Offset of each `Q` that takes the depth to a new minimum. The first one restores a state saved before the stream.
   */
  lows: number[]
  /** Whether the stream ends inside a text object. Undefined if the stream has no `BT` and no `ET`. */
  isInText: boolean | undefined
  /**
   * Number of parentheses that the stream leaves open in a string. The string would swallow the content that follows.
   */
  openParentheses: number
}

interface Balanced {
  contents: PDFObject[]
  /** Operators to append to the contents. They close open strings and text objects and restore all saved states. */
  closing: string
}

/**
 * Cached results for the streams of a document. The key of a balanced stream contains the number of states that were
 * saved before the stream.
 */
interface BalanceCache {
  effects: Map<PDFRef, StackEffect>
  balanced: Map<string, PDFRef>
}

const cacheOf = new WeakMap<PdfDocument, BalanceCache>()

/**
 * Balances the content streams of a page, taken as one, so that `q` and `Q` can enclose them (ISO 32000-2, 8.4.2).
 * Readers ignore a `Q` without a matching `q`. Inside an enclosing `q`, that `Q` would restore the enclosing state, so
 * a copy of the stream has a space in its place. A stream that can't be decoded counts as balanced.
 */
export function balanceContent(document: PdfDocument, streams: readonly PDFObject[]): Balanced {
  const cache = findOrAdd(cacheOf, document, () => ({
    effects: new Map<PDFRef, StackEffect>(),
    balanced: new Map<string, PDFRef>(),
  }))
  let depth = 0
  let isInText = false
  let openParentheses = 0
  const contents = streams.map(content => {
    const effect =
      (content instanceof PDFRef ? cache.effects.get(content) : undefined) ?? followStream(document, content)
    if (content instanceof PDFRef) cache.effects.set(content, effect)
    const surplus = effect.lows.slice(depth)
    const balanced = surplus.length
      ? blankOut(document, content, { surplus, depth, balanced: cache.balanced })
      : content
    depth += effect.net + surplus.length
    isInText = effect.isInText ?? isInText
    openParentheses = effect.openParentheses
    return balanced
  })
  return {
    contents,
    closing: `\n${openParentheses ? `${')'.repeat(openParentheses)}\n` : ''}${isInText ? 'ET\n' : ''}${'Q\n'.repeat(depth)}`,
  }
}

const NO_EFFECT: StackEffect = { net: 0, lows: [], isInText: undefined, openParentheses: 0 }

function followStream(document: PdfDocument, content: PDFObject): StackEffect {
  const data = decodeUpToLimit(document, content)
  return data ? followContent(data) : NO_EFFECT
}

function blankOut(
  document: PdfDocument,
  content: PDFObject,
  { surplus, depth, balanced }: { surplus: number[]; depth: number; balanced: Map<string, PDFRef> },
): PDFObject {
  const name = content instanceof PDFRef ? `${content.tag} ${depth}` : undefined
  const cached = name && balanced.get(name)
  if (cached) return cached
  const data = Uint8Array.from(decodeUpToLimit(document, content) ?? [])
  for (const at of surplus) data[at] = BLANK
  const ref = addDeflatedStream(document, data)
  if (name) balanced.set(name, ref)
  return ref
}

const BLANK = 0x20

function followContent(data: Uint8Array): StackEffect {
  const reader = new ContentReader(data)
  const lows: number[] = []
  let net = 0
  let isInText: boolean | undefined
  while (reader.next()) {
    const { operator } = reader
    if (operator === 'q') net++
    else if (operator === 'Q') {
      if (--net < -lows.length) lows.push(reader.end - 1)
    } else if (operator === 'BT') isInText = true
    else if (operator === 'ET') isInText = false
  }
  return { net, lows, isInText, openParentheses: countOpen(data, reader) }
}

/**
 * Counts the parentheses that the content leaves open in a string, if it ends inside a string (alone or in an array).
 */
function countOpen(data: Uint8Array, { operands, items }: ContentReader): number {
  const last = operands.count - 1
  const from = operands.kinds[last] === ARRAY ? items : operands
  const at = from.count - 1
  const isOpen = last >= 0 && at >= 0 && from.kinds[at] === LITERAL && from.ends[at] === data.length
  let depth = 0
  for (let position = isOpen ? (from.starts[at] as number) : data.length; position < data.length; position++) {
    const byte = data[position]
    if (byte === BACKSLASH) position++
    else if (byte === OPEN_PARENTHESIS) depth++
    else if (byte === CLOSE_PARENTHESIS) depth--
  }
  return depth
}
