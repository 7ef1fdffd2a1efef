import { PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../document/decode-content'
import { addDeflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { ARRAY, LITERAL } from '../syntax/content-operands'
import { ContentReader } from '../syntax/content-reader'

/** What one stream does to the number of saved states, and how it ends. */
interface Course {
  net: number
  /** Positions of the `Q` that get lower than any before: the first one restores a state from before this stream. */
  lows: number[]
  /** Whether it ends inside a text object; undefined where it says nothing about that. */
  isInText: boolean | undefined
  /** Parentheses of a string that it ends in, which would take in whatever follows. */
  openParentheses: number
}

interface Balanced {
  contents: PDFObject[]
  /** Operators to be put behind the contents: they end what is open and restore every state that was saved. */
  closing: string
}

/**
 * What is known of streams of a document, and those that were made from them, by number of states that are saved
 * before.
 */
interface Known {
  courses: Map<PDFRef, Course>
  made: Map<string, PDFRef>
}

const knownOf = new WeakMap<PdfDocument, Known>()

/**
 * The content streams of a page, taken as one, so that they can be put between `q` and `Q` (ISO 32000-2, 8.4.2).
 * Readers pass over a `Q` that restores a state nobody saved; inside of a `q` it would take that one, so it becomes a
 * blank, in a copy. A stream that can't be read counts as balanced.
 */
export function balanceContent(document: PdfDocument, given: readonly PDFObject[]): Balanced {
  const known = knownOf.get(document) ?? { courses: new Map<PDFRef, Course>(), made: new Map<string, PDFRef>() }
  knownOf.set(document, known)
  let depth = 0
  let isInText = false
  let openParentheses = 0
  const contents = given.map(content => {
    const course =
      (content instanceof PDFRef ? known.courses.get(content) : undefined) ?? followStream(document, content)
    if (content instanceof PDFRef) known.courses.set(content, course)
    const surplus = course.lows.slice(depth)
    const balanced = surplus.length ? blankOut(document, content, { surplus, depth, made: known.made }) : content
    depth += course.net + surplus.length
    isInText = course.isInText ?? isInText
    openParentheses = course.openParentheses
    return balanced
  })
  return {
    contents,
    closing: `\n${openParentheses ? `${')'.repeat(openParentheses)}\n` : ''}${isInText ? 'ET\n' : ''}${'Q\n'.repeat(depth)}`,
  }
}

const LEVEL: Course = { net: 0, lows: [], isInText: undefined, openParentheses: 0 }

function followStream(document: PdfDocument, content: PDFObject): Course {
  const data = decodeUpToLimit(document, content)
  return data ? followContent(data) : LEVEL
}

function blankOut(
  document: PdfDocument,
  content: PDFObject,
  { surplus, depth, made }: { surplus: number[]; depth: number; made: Map<string, PDFRef> },
): PDFObject {
  const name = content instanceof PDFRef ? `${content.tag} ${depth}` : undefined
  const known = name && made.get(name)
  if (known) return known
  const data = Uint8Array.from(decodeUpToLimit(document, content) ?? [])
  for (const at of surplus) data[at] = BLANK
  const ref = addDeflatedStream(document, data)
  if (name) made.set(name, ref)
  return ref
}

const BLANK = 0x20

function followContent(data: Uint8Array): Course {
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

/** Parentheses that are open where the content ends: in a string that nothing closes, alone or in an array. */
function countOpen(data: Uint8Array, { operands, items }: ContentReader): number {
  const last = operands.count - 1
  const from = operands.kinds[last] === ARRAY ? items : operands
  const at = from.count - 1
  const isOpen = last >= 0 && at >= 0 && from.kinds[at] === LITERAL && from.ends[at] === data.length
  let depth = 0
  for (let position = isOpen ? (from.starts[at] as number) : data.length; position < data.length; position++) {
    const byte = data[position]
    if (byte === 0x5c) position++
    else if (byte === 0x28) depth++
    else if (byte === 0x29) depth--
  }
  return depth
}
