import { chainMatrices, mapBox, mapPoint, measureFrame, seenMatrix } from '../../../pdf/geometry'
import type { Frame, Matrix } from '../../../pdf/geometry'
import type { Page, PdfDocument } from '../../../pdf/document'
import type { PlacedWord } from '../../../pdf/rewrite-content'
import type { PageText, TextLine, TextWord } from './page-text'

/** How far glyphs reach above and below their baseline, in ems. */
const [ABOVE, BELOW] = [0.8, 0.2]

/** The minimum distance between baselines at which a new paragraph begins, in ems. */
const PARAGRAPH_GAP = 1.8

/** How much the font sizes of two lines of a paragraph may differ, as a part of the size. */
const SIZE_TOLERANCE = 0.3

/** How far a word may lie above or below the baseline of the word before, in ems. */
const BASELINE_TOLERANCE = 0.4

/** How far a word may begin before the end of the word before, in ems. */
const MOST_OVERLAP = 0.5

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

/** A word on the page as displayed, in points from the upper-left corner. */
interface SeenWord extends TextWord {
  start: { x: number; y: number }
  end: { x: number; y: number }
  size: number
}

/** Arranges the existing words of a page in lines and paragraphs. The sheet is the page as displayed, in points. */
export function arrangeWords(document: PdfDocument, page: Page, words: PlacedWord[]): PageText {
  const frame = measureFrame(document, page)
  const toSheet = chainMatrices(seenMatrix(frame), [1, 0, 0, -1, 0, frame.height])
  const lines = gatherLines(words.map(word => seeWord(word, toSheet, frame)))
  const paragraphs: { lines: TextLine[] }[] = []
  for (const line of lines) {
    const last = paragraphs.at(-1)
    const before = last?.lines.at(-1)
    if (last && before && isSameParagraph(before, line)) last.lines.push(line)
    else paragraphs.push({ lines: [line] })
  }
  return {
    width: frame.width,
    height: frame.height,
    toSeen: [1, 0, 0, -1, 0, frame.height],
    blocks: paragraphs.map(paragraph => ({ paragraphs: [paragraph] })),
  }
}

function seeWord({ text, x, y, length, size, angleDeg }: PlacedWord, toSheet: Matrix, { userUnit }: Frame): SeenWord {
  const angle = (angleDeg * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const wordToSheet: Matrix = chainMatrices([cos, sin, -sin, cos, x, y], toSheet)
  const [startX, startY] = mapPoint(wordToSheet, 0, 0)
  const [endX, endY] = mapPoint(wordToSheet, length, 0)
  return {
    text: text.normalize('NFC'),
    confidence: undefined,
    box: mapBox(wordToSheet, { x: 0, y: -BELOW * size, width: length, height: (ABOVE + BELOW) * size }),
    start: { x: startX, y: startY },
    end: { x: endX, y: endY },
    size: size * userUnit,
  }
}

/** Groups consecutive words on the same baseline into lines. */
function gatherLines(words: SeenWord[]): TextLine[] {
  const lines: SeenWord[][] = []
  for (const word of words) {
    const before = lines.at(-1)?.at(-1)
    if (before && isBehind(before, word)) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines.map(line => {
    const [first, last] = [line[0] as SeenWord, line.at(-1) as SeenWord] // a line has at least one word
    return {
      words: orderForReading(line),
      start: first.start,
      end: last.end,
      size: Math.max(...line.map(({ size }) => size)),
    }
  })
}

/** Returns whether a word follows another one on the same baseline, in the direction in which that word runs. */
function isBehind(before: SeenWord, word: SeenWord): boolean {
  const [x, y] = [before.end.x - before.start.x, before.end.y - before.start.y]
  const length = Math.hypot(x, y) || 1
  const [gapX, gapY] = [word.start.x - before.end.x, word.start.y - before.end.y]
  const along = (gapX * x + gapY * y) / length
  const across = (gapX * y - gapY * x) / length
  return Math.abs(across) < BASELINE_TOLERANCE * Math.max(before.size, word.size) && along > -MOST_OVERLAP * before.size
}

/** Puts the words of a line in reading order. Words come in visual order, so right-to-left lines are reversed. */
function orderForReading(line: SeenWord[]): TextWord[] {
  const words = line.map(({ text, box, confidence }) => ({ text, box, confidence }))
  if (!words.some(({ text }) => RIGHT_TO_LEFT.test(text))) return words
  const ordered: TextWord[] = []
  let leftToRight: TextWord[] = []
  for (const word of words.reverse()) {
    if (RIGHT_TO_LEFT.test(word.text)) {
      ordered.push(...leftToRight, { ...word, text: Array.from(word.text).reverse().join('') })
      leftToRight = []
    } else {
      leftToRight.unshift(word)
    }
  }
  return [...ordered, ...leftToRight]
}

/** Returns whether a line lies close below another one and has about the same size. */
function isSameParagraph(before: TextLine, line: TextLine): boolean {
  const distance = line.start.y - before.start.y
  return (
    distance > 0 &&
    distance < PARAGRAPH_GAP * Math.max(before.size, line.size) &&
    Math.abs(before.size - line.size) < SIZE_TOLERANCE * before.size
  )
}
