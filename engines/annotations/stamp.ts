import { PDFName } from 'pdf-lib'
import { capHeightOf, widthOf } from './annotation-text'
import type { TextWriter } from './annotation-text'
import type { AppearanceDrawing, Subject } from './drawing'
import { colorOperator, numbers } from '../pdf-core/annotations/annotation-style'
import { colorOf } from './stroke-style'
import * as Name from '../pdf-core/syntax/names'

const BLACK: readonly number[] = [0]
const BOLD = 700

/** What a stamp without a name says (ISO 32000-2, table 184). */
const USUAL = 'Draft'

/** The width of a stamp as a multiple of its height; it stands in the middle of its rectangle. */
const PROPORTION = 3.8

/** Shares of a stamp's height: its frame, and the largest text in one line or two. */
const FRAME = 0.04
const TEXT = 0.62
const TEXT_IN_TWO_LINES = 0.38

/** From one baseline to the next, in heights of capital letters. */
const LEADING = 1.4

/** The share of its width that text may take. */
const TEXT_WIDTH = 0.88

/** Words of more letters than this stand in two lines, if there are several. */
const ONE_LINE = 13

const MAX_LETTERS = 200

/** A Stamp (ISO 32000-2, 12.5.6.12): a frame with the words of its /Name, such as NOT FOR PUBLIC RELEASE. */
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
  const words = text.drawable(wordsOf(name instanceof PDFName ? name.decodeText() : USUAL))
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

/** The words that a name is made of, in capitals; the prefixes with which Acrobat sorts its own stamps are left out. */
function wordsOf(name: string): string {
  const plain = name.slice(0, MAX_LETTERS).replace(/^(?:SB|SH|#D)(?=\p{Lu}\p{Ll})/u, '')
  const words = plain
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\p{Cc}\p{Z}_]+/gu, ' ')
    .trim()
  return (words || USUAL).toUpperCase()
}

/** One line of a few words, or two that are about as long. */
function breakInTwo(text: string): string[] {
  const words = text.split(' ')
  if (text.length <= ONE_LINE || words.length === 1) return [text]
  const ways = words.slice(1).map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
  const longest = (lines: readonly string[]): number => Math.max(...lines.map(line => line.length))
  return ways.reduce((best, way) => (longest(way) < longest(best) ? way : best))
}
