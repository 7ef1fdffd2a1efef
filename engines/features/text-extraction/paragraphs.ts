import { areaOf, isBlock, makeBands } from './lines/bands'
import type { Item } from './lines/bands'
import { codeLeadingOf, emptyLines, isCode, isCodeBlock } from './lines/code-lines'
import { LARGER } from './headings'
import { findMark, numberOf } from './list-marks'
import type { ListMark } from './list-marks'
import { areaAround } from './lines/model'
import type { Area, Block, TextLine } from './lines/model'
import { makeLine } from './lines/text-lines'

/** A distance of lines that is this much larger than usual divides paragraphs, in ems. */
const EXTRA = 0.3

/** Sizes that differ by more than this share aren't in one paragraph. */
const OTHER_SIZE = 0.12

/** The first line of a paragraph is indented by this many ems. */
const INDENT = 0.8
const MOST_INDENT = 5

/** Lines end below each other if their ends differ by less than this share of an em. */
const SAME_EDGE = 0.05

/** Lines begin below each other if their left edges differ by less than this share of an em. */
const SAME_LEFT = 0.5

/** Lines have the same baseline if it differs by less than this share of an em. */
const SAME_LINE = 0.35

/** Lines may be this far apart in any paragraph, in ems, even if most text has less space. */
const LEAST_LEADING = 1.1

/** A line of a list item begins at the mark if it begins less than this many ems after it. */
const AT_MARK = 0.3

/** A line ends early if the next word and this many ems had fitted, and if this share of the column is free. */
const FREE_SPACE = 0.6
const FREE_SHARE = 0.08

/** The neighbors of an ordered list item are among this many items before and after it, and as near as this, in ems. */
const NEAR_ITEMS = 8
const SAME_LIST = 3

/** List items whose left edges differ by more than this have different depths, in ems. */
const DEEPER = 0.6

/** More lines beside each other than this aren't joined. */
const MOST_SIDES = 200

/** A line and its mark. */
interface Marked {
  line: TextLine
  mark: ListMark | undefined
}

/** The usual look of the text of a document. */
export interface BodyText {
  /** Most common size of an em. */
  size: number
  /** Usual distance between baselines, in ems. */
  leading: number
}

/** What is known about the text of the whole document. */
export interface TextFacts {
  body: BodyText
  /** Whether most of it has a font of equal widths. */
  isTypewritten: boolean
}

/** Joins the lines of a column to paragraphs, list items and code. Tables stay. */
export function makeParagraphs(flow: readonly Item[], dots: readonly Area[], facts: TextFacts): Block[] {
  const blocks: Block[] = []
  let lines: TextLine[] = []
  const finish = (): void => {
    if (lines.length > 0) blocks.push(...joinLines(lines, dots, facts))
    lines = []
  }
  for (const { items } of makeBands(flow)) {
    for (const item of items.length > MOST_SIDES ? items : joinSides(items)) {
      if (isBlock(item)) {
        finish()
        blocks.push(item)
      } else lines.push(item)
    }
  }
  finish()
  return blocks
}

/** Joins lines of a band that have the same baseline: nothing else divides them. */
function joinSides(items: readonly Item[]): Item[] {
  const result: Item[] = []
  for (const item of items) {
    const before = result.findLast(
      other =>
        !isBlock(other) &&
        !isBlock(item) &&
        Math.abs(other.baseline - item.baseline) < SAME_LINE * Math.min(other.size, item.size),
    )
    if (before && !isBlock(before) && !isBlock(item)) {
      const words = [...before.words, ...item.words].sort((one, other) => one.left - other.left)
      result[result.indexOf(before)] = makeLine(words)
    } else result.push(item)
  }
  return result.sort((one, other) =>
    isBlock(one) || isBlock(other) ? areaOf(one).top - areaOf(other).top : one.baseline - other.baseline,
  )
}

function joinLines(lines: readonly TextLine[], dots: readonly Area[], { body, isTypewritten }: TextFacts): Block[] {
  // A mark in the font of code belongs to the code.
  const markOf = (line: TextLine): ListMark | undefined => {
    const mark = findMark(line, dots)
    return mark?.wordCount !== 0 && isCode(line) && !isTypewritten ? undefined : mark
  }
  const marked = keepLists(lines.map(line => ({ line, mark: markOf(line) })))
  const right = Math.max(...lines.map(line => line.right))
  const left = Math.min(...lines.map(line => line.left))
  const setting = { right, left, body, codeLeading: codeLeadingOf(lines) }
  const groups: Marked[][] = []
  for (const [at, item] of marked.entries()) {
    const group = groups.at(-1)
    if (group && !startsParagraph(group, item, { ...setting, next: marked[at + 1] })) group.push(item)
    else groups.push([item])
  }
  return setDepths(groups.map(makeBlock))
}

/** Drops ordered marks that have no neighbor in their list, such as initials at the start of a line. */
function keepLists(marked: Marked[]): Marked[] {
  const ordered = marked.filter(({ mark }) => mark?.isOrdered)
  return marked.map(item => {
    const { mark, line } = item
    if (!mark?.isOrdered) return item
    const number = numberOf(mark.marker)
    const at = ordered.indexOf(item)
    const near = ordered.slice(Math.max(0, at - NEAR_ITEMS), at + 1 + NEAR_ITEMS).filter(other => other !== item)
    const isListed = near.some(other => {
      const value = other.mark && numberOf(other.mark.marker)
      const isNext = number === undefined || value === undefined || Math.abs(value - number) === 1
      return isNext && Math.abs((other.mark?.left ?? 0) - mark.left) < SAME_LIST * line.size
    })
    return isListed ? item : { line, mark: undefined }
  })
}

/** What is known about the column of a line. */
interface Setting {
  right: number
  left: number
  body: BodyText
  /** Distance between the baselines of code. Infinite if there is none. */
  codeLeading: number
}

function startsParagraph(
  group: Marked[],
  { line, mark }: Marked,
  { next, right, left, body, codeLeading }: Setting & { next: Marked | undefined },
): boolean {
  const { line: before } = group.at(-1) as Marked // groups have at least one line
  const { line: first, mark: firstMark } = group[0] as Marked // groups have at least one line
  if (mark) return true
  const size = Math.max(before.size, line.size)
  if (Math.abs(before.size - line.size) > OTHER_SIZE * size) return true
  const distance = (line.baseline - before.baseline) / size
  const isText = !group.every(item => isCode(item.line))
  if (!isText && isCode(line) && (emptyLines(before, line, codeLeading) ?? 0) > 0) return false
  if (distance < 0 || distance > Math.max(body.leading, LEAST_LEADING) + EXTRA) {
    // Large text is often set with less space, and never with more.
    return true
  }
  if (!isText) return !isCode(line)
  // The last words of a paragraph may be set as code.
  const hasSameLeft = firstMark !== undefined || Math.abs(line.left - before.left) < SAME_LEFT * size
  if (isCode(line) && (!hasSameLeft || endsEarly(before, line, right))) return true
  if (before.isBold !== line.isBold) return true
  // Lines that end below each other fill a block that is narrower than its column.
  const isFilled = [line, group.at(-2)?.line].some(
    other => other !== undefined && Math.abs(other.right - before.right) < SAME_EDGE * size,
  )
  const endsHere = !isFilled && endsEarly(before, line, right)
  if (firstMark) {
    // The lines of an item begin at its text, not at its mark.
    return (
      line.left < firstMark.left + AT_MARK * size && (group.length > 1 || first.left - firstMark.left < 1) && endsHere
    )
  }
  if (size >= LARGER * body.size) return false
  if (endsHere && !isCentered(before, left, right)) return true
  const indent = line.isRightToLeft ? before.right - line.right : line.left - before.left
  const isIndented = indent > INDENT * size && indent < MOST_INDENT * size
  const returns = !next || Math.abs(next.line.left - line.left) > SAME_LEFT * size
  return (
    isIndented && returns && group.length > 1 && Math.abs(before.left - left) < SAME_LEFT * size && !line.isRightToLeft
  )
}

/** Returns whether the first word of the next line would have fitted onto a line. Then the paragraph ended there. */
function endsEarly(before: TextLine, line: TextLine, right: number): boolean {
  const first = line.words[0]
  if (!first || line.isRightToLeft) return false
  const room = right - before.right
  return room > first.right - first.left + FREE_SPACE * line.size && room > FREE_SHARE * (right - before.left)
}

function isCentered(line: TextLine, left: number, right: number): boolean {
  const [before, after] = [line.left - left, right - line.right]
  return before > line.size && Math.abs(before - after) < line.size
}

function makeBlock(group: Marked[]): Block {
  const [first] = group as [Marked, ...Marked[]] // groups have at least one line
  const lines = group.map(({ line }) => line)
  const area = areaAround(lines)
  if (first.mark) return { role: 'list-item', area, lines: withoutMark(lines, first.mark), marker: first.mark.marker }
  if (isCodeBlock(lines)) return { role: 'code', area, lines }
  return { role: 'paragraph', area, lines }
}

/** Removes the mark from the first line of an item. */
function withoutMark(lines: readonly TextLine[], { wordCount }: Pick<ListMark, 'wordCount'>): TextLine[] {
  const [first, ...others] = lines
  if (!first) return []
  const words = first.words.slice(wordCount)
  const [word, ...rest] = words
  const cleaned =
    wordCount === 0 && word && /^[•◦▪▫●○■□‣⁃∙➢➤❖\uf0a7\uf0b7\uf0d8]/u.test(word.text)
      ? [{ ...word, text: word.text.slice(1) }, ...rest]
      : words
  return cleaned.length > 0
    ? [{ ...makeLine(cleaned, { isOrdered: true }), isRightToLeft: first.isRightToLeft }, ...others]
    : others
}

/** Sets the depth of list items by their indentation, compared with the items before them. */
function setDepths(blocks: Block[]): Block[] {
  const lefts: number[] = []
  return blocks.map(block => {
    if (block.role !== 'list-item') {
      lefts.length = 0
      return block
    }
    const left = block.lines[0]?.left ?? block.area.left
    const tolerance = DEEPER * (block.lines[0]?.size ?? 10)
    while (lefts.length > 0 && left < (lefts.at(-1) as number) - tolerance) lefts.pop() // has an item
    if (lefts.length === 0 || left > (lefts.at(-1) as number) + tolerance) lefts.push(left) // has an item
    return { ...block, level: lefts.length }
  })
}
