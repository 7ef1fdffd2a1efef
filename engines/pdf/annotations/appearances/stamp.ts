import { PDFName } from 'pdf-lib'
import { capHeightOf, widthOf } from './annotation-text'
import type { TextWriter } from './annotation-text'
import type { AppearanceDrawing, Subject } from './drawing'
import { colorOperator, numbers } from '../annotation-style'
import { colorOf } from './stroke-style'
import * as Name from '../../syntax/names'

const BLACK: readonly number[] = [0]
const BOLD = 700

/** Default name of a stamp (ISO 32000-2, table 184). */
const DEFAULT_NAME = 'Draft'

/** Ratio of a stamp's width to its height. The stamp is centered in its rectangle. */
const PROPORTION = 3.8

/** Shares of the stamp's height: its frame, and the largest text in one line or in two. */
const FRAME = 0.04
const TEXT = 0.62
const TEXT_IN_TWO_LINES = 0.38

/** Distance between baselines, in heights of capital letters. */
const LEADING = 1.4

/** Maximum share of the width for text. */
const TEXT_WIDTH = 0.88

/** Longer text is split into two lines if it has several words. */
const ONE_LINE = 13

const MAX_LETTERS = 200

/** Draws a Stamp (ISO 32000-2, 12.5.6.12): a frame with the words of its /Name, such as NOT FOR PUBLIC RELEASE. */
export async function drawStamp(subject: Subject, texts: TextWriter): Promise<AppearanceDrawing | undefined> {
  const { document, annotation, rect } = subject
  if (!rect) return undefined
  const height = Math.min(rect.height, rect.width / PROPORTION)
  const width = height * PROPORTION
  const [x, y] = [rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2]
  const color = colorOf(document, annotation.get(Name.C), BLACK)
  const line = FRAME * height
  const edge = numbers(x + line, y + line, width - 2 * line, height - 2 * line)
  const frame = `${colorOperator(color, 'line')} ${numbers(line)} w ${edge} re S`

  const name = document.peek(annotation.get(Name.Name))
  const text = await texts.begin()
  const words = text.drawable(wordsOf(name instanceof PDFName ? name.decodeText() : DEFAULT_NAME))
  const lines = breakInTwo(words).map(part => text.typesetter.shape(part, { weight: BOLD }))
  const widest = Math.max(1, ...lines.map(shaped => widthOf(shaped, 1)))
  const sizePt = Math.min((TEXT_WIDTH * width) / widest, height * (lines.length === 1 ? TEXT : TEXT_IN_TWO_LINES))
  const capHeight = capHeightOf(text.typesetter, BOLD, sizePt)
  const leading = capHeight * LEADING
  const first = y + (height - capHeight + (lines.length - 1) * leading) / 2
  const shown = lines.map((shaped, index) => {
    const at = [x + (width - widthOf(shaped, sizePt)) / 2, first - index * leading] as const
    return text.show({ shaped, at, direction: [1, 0], sizePt }, colorOperator(color, 'fill'))
  })
  return { operators: [frame, ...shown].join('\n'), extent: rect, fonts: text.fonts }
}

/** Splits a name into words in capitals, without the prefixes that Acrobat adds to its own stamps. */
function wordsOf(name: string): string {
  const plain = name.slice(0, MAX_LETTERS).replace(/^(?:SB|SH|#D)(?=\p{Lu}\p{Ll})/u, '')
  const words = plain
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\p{Cc}\p{Z}_]+/gu, ' ')
    .trim()
  return (words || DEFAULT_NAME).toUpperCase()
}

/** Returns a short text as one line, a longer text as two lines of similar length. */
function breakInTwo(text: string): string[] {
  const words = text.split(' ')
  if (text.length <= ONE_LINE || words.length === 1) return [text]
  const splits = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
  const longest = (lines: readonly string[]): number => Math.max(...lines.map(line => line.length))
  return splits.reduce((best, split) => (longest(split) < longest(best) ? split : best))
}
