import type { Area, TextLine } from './lines/model'

/** Marks of lists without an order. The last range has the marks of symbol fonts. */
const BULLET = /^[•◦▪▫●○■□‣⁃∙·➢➤❖✓✔\u2013\u2014*\-\uf0a7\uf0b7\uf0d8\uf0fc\uf076]$/u

/** Bullets that may be joined to the first word. */
const JOINED_BULLET = /^[•◦▪▫●○■□‣⁃∙➢➤❖\uf0a7\uf0b7\uf0d8]/u

/** Marks of lists with an order: a number, a letter or a Roman number. */
const ORDERED = /^\(?(\d{1,3}|[a-z]|[A-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)]$/

/** A shape is a bullet if it is at most this far before its line, and smaller than this, in ems. */
const DOT = { gap: 2.5, size: 0.8 }

/** The mark at the start of a list item. */
export interface ListMark {
  /** The mark as written. Marks of symbol fonts become `•`. */
  marker: string
  isOrdered: boolean
  /** Number of the words at the start of the line that are the mark. */
  wordCount: number
  /** Left edge of the mark. */
  left: number
}

/** Finds the mark at the start of a line. Small shapes beside the line count as bullets. */
export function findMark(line: TextLine, dots: readonly Area[]): ListMark | undefined {
  const [first, second] = line.words
  if (!first) return undefined
  if (second && BULLET.test(first.text))
    return { marker: plainBullet(first.text), isOrdered: false, wordCount: 1, left: line.left }
  if (second && ORDERED.test(first.text)) return { marker: first.text, isOrdered: true, wordCount: 1, left: line.left }
  if (JOINED_BULLET.test(first.text) && first.text.length > 1)
    return { marker: plainBullet(first.text.slice(0, 1)), isOrdered: false, wordCount: 0, left: line.left }
  const dot = dots.find(area => isBeside(area, line))
  return dot && { marker: '•', isOrdered: false, wordCount: 0, left: dot.left }
}

/** Returns whether a text is only the mark of a list item. */
export function isMark(text: string): boolean {
  return BULLET.test(text) || ORDERED.test(text)
}

/** The mark for Markdown and plain text. */
export function plainBullet(text: string): string {
  return /^[\ue000-\uf8ff]/.test(text) ? '•' : text
}

/** The place of an ordered mark in its list: 2 for `2.` and `b)`. Undefined for other marks. */
export function numberOf(marker: string): number | undefined {
  const inner = ORDERED.exec(marker)?.[1]
  if (inner === undefined) return undefined
  if (/^\d+$/.test(inner)) return Number(inner)
  return inner.length === 1 ? inner.toLowerCase().charCodeAt(0) - 96 : undefined
}

function isBeside(dot: Area, line: TextLine): boolean {
  const y = (dot.top + dot.bottom) / 2
  const size = dot.bottom - dot.top
  const gap = line.isRightToLeft ? dot.left - line.right : line.left - dot.right
  return y > line.top && y < line.bottom && gap > 0 && gap < DOT.gap * line.size && size < DOT.size * line.size
}
