import { PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeContent } from './decode-content'
import type { PdfDocument } from './document'
import { isRegular } from './syntax'

/** What a page's content leaves open. */
interface Balance {
  /** Graphics states that it restores without having saved them. */
  missingSaves: number
  /** Graphics states that it saves and does not restore. */
  missingRestores: number
  /** Whether it ends inside a text object. */
  isInText: boolean
  /** Parentheses of a string that it ends in, which would take in whatever follows. */
  openParentheses: number
}

/** How far one stream changes the number of saved states, and how low it gets in between. */
interface Course {
  net: number
  lowest: number
  /** Whether it ends inside a text object; undefined where it says nothing about that. */
  isInText: boolean | undefined
  openParentheses: number
}

const coursesOf = new WeakMap<PdfDocument, Map<PDFRef, Course>>()

/** How many `q` and `Q` the content streams of a page lack, taken as one; one that can't be read counts as balanced. */
export function measureBalance(document: PdfDocument, contents: readonly PDFObject[]): Balance {
  const courses = coursesOf.get(document) ?? new Map<PDFRef, Course>()
  coursesOf.set(document, courses)
  let depth = 0
  let lowest = 0
  let isInText = false
  let openParentheses = 0
  for (const content of contents) {
    const known = content instanceof PDFRef ? courses.get(content) : undefined
    const course = known ?? followStream(document, document.peek(content))
    if (content instanceof PDFRef) courses.set(content, course)
    lowest = Math.min(lowest, depth + course.lowest)
    depth += course.net
    isInText = course.isInText ?? isInText
    openParentheses = course.openParentheses
  }
  return { missingSaves: -lowest, missingRestores: depth - lowest, isInText, openParentheses }
}

const LEVEL: Course = { net: 0, lowest: 0, isInText: undefined, openParentheses: 0 }

function followStream(document: PdfDocument, stream: PDFObject | undefined): Course {
  if (!(stream instanceof PDFRawStream)) return LEVEL
  const data = decodeContent(document, stream)
  return data ? followContent(data) : LEVEL
}

const [SMALL_Q, LARGE_Q, B, E, I, T, D] = [0x71, 0x51, 0x42, 0x45, 0x49, 0x54, 0x44]
const [PERCENT, SLASH, OPEN, CLOSE, BACKSLASH, LESS, GREATER] = [0x25, 0x2f, 0x28, 0x29, 0x5c, 0x3c, 0x3e]

/** Looks at operators only: strings, names, comments and the data of inline images are passed over. */
function followContent(data: Uint8Array): Course {
  let [net, lowest] = [0, 0]
  let isInText: boolean | undefined
  let openParentheses = 0
  for (let at = 0; at < data.length; ) {
    const byte = data[at]
    if (byte === OPEN) [at, openParentheses] = passString(data, at)
    else if (byte === PERCENT) at = passComment(data, at)
    else if (byte === LESS && data[at + 1] !== LESS) at = passTo(data, GREATER, at)
    else if (byte === SLASH || isRegular(byte)) {
      const start = at++
      while (at < data.length && isRegular(data[at])) at++
      if (at - start > 2) continue
      const [first, second] = [data[start], data[start + 1]]
      if (at - start === 1) {
        if (first === SMALL_Q) net++
        else if (first === LARGE_Q) lowest = Math.min(lowest, --net)
      } else if (first === B && second === T) isInText = true
      else if (first === E && second === T) isInText = false
      else if (first === I && second === D) at = passImage(data, at)
    } else at++
  }
  return { net, lowest, isInText, openParentheses }
}

/** Where the string ends, and how many parentheses are open there. */
function passString(data: Uint8Array, start: number): [number, number] {
  let depth = 0
  for (let at = start; at < data.length; at++) {
    const byte = data[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return [at + 1, 0]
  }
  return [data.length, depth]
}

function passComment(data: Uint8Array, start: number): number {
  let at = start
  while (at < data.length && data[at] !== 0x0a && data[at] !== 0x0d) at++
  return at
}

function passTo(data: Uint8Array, end: number, start: number): number {
  const found = data.indexOf(end, start)
  return found < 0 ? data.length : found + 1
}

/** To behind the `EI` that ends an inline image: one that stands alone and is followed by what can be content. */
function passImage(data: Uint8Array, start: number): number {
  for (let at = start + 1; at < data.length - 1; at++) {
    if (data[at] !== E || data[at + 1] !== I || isRegular(data[at - 1]) || isRegular(data[at + 2])) continue
    if (data.subarray(at + 2, at + 12).every(byte => byte === 0 || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x20 && byte < 0x7f))) return at + 2
  }
  return data.length
}
