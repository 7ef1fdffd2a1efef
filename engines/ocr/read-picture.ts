import { EngineError } from '../errors'
import { measureSpecks, removeSpecks, turnPicture } from './grey-picture'
import type { GreyPicture, Quarters } from './grey-picture'
import { wordsOf } from './page-text'
import type { PageText } from './page-text'
import type { Recognition } from './recognition'
import { toPageText } from './to-page-text'

/** Mean confidence from which on a page counts as read as it should be. */
const GOOD = 60

/** The share of pixels in specks from which on they are removed before the page is read; print on clean paper has none. */
const SPECKLED = 0.0004

/** What a recognition of one picture needs to know. */
interface Reading {
  dpi: number
  /** Whether pages that stand on their side or head are found. */
  turns: boolean
  /** Whether lines that slope are levelled. */
  levels: boolean
  /** Milliseconds of work for all attempts together. */
  limitMs: number
}

/** Reads one picture; throws EngineError `timed-out` when it takes longer than `limitMs`. */
type Recognise = (picture: GreyPicture, options: { dpi: number; levels: boolean; limitMs: number; orientsBelow?: number }) => Promise<Recognition>

/**
 * Reads the picture of a page. One that gives little confidence is tried again without specks and in the orientation that
 * its letters tell, or in all of them, and the attempt that read most is taken. Throws EngineError `timed-out` when not even the first attempt
 * ends in time.
 */
export async function readPicture(picture: GreyPicture, { dpi, turns, levels, limitMs }: Reading, recognise: Recognise): Promise<PageText> {
  let leftMs = limitMs
  const attempt = async (tried: GreyPicture, quarters: Quarters, orientsBelow = 0): Promise<Attempt> => {
    const recognition = await recognise(turnPicture(tried, quarters), { dpi, levels, limitMs: Math.max(1, leftMs), orientsBelow })
    leftMs -= recognition.workMs
    const page = toPageText({ width: picture.width, height: picture.height, dpi, quarters, recognition })
    return { page, lies: recognition.quarters, ...judge(page) }
  }
  const isSpeckled = measureSpecks(picture) > SPECKLED
  const first = await attempt(isSpeckled ? removeSpecks(picture) : picture, 0, turns ? GOOD : 0)
  if (first.confidence >= GOOD) return first.page
  return (await improve(first, { picture, isSpeckled, turns, attempt })).page
}

interface Attempt {
  page: PageText
  /** Quarter turns clockwise that make the picture upright; undefined when that is not sure. */
  lies: Quarters | undefined
  /** Mean, 0 to 100; 0 without words. */
  confidence: number
  /** How much was read with some confidence. */
  letters: number
}

interface Improving {
  picture: GreyPicture
  isSpeckled: boolean
  turns: boolean
  attempt: (picture: GreyPicture, quarters: Quarters) => Promise<Attempt>
}

async function improve(first: Attempt, { picture, isSpeckled, turns, attempt }: Improving): Promise<Attempt> {
  let best = first
  const others: [GreyPicture, Quarters][] = turns ? listTurns(first, picture).map(quarters => [isSpeckled ? removeSpecks(picture) : picture, quarters]) : []
  if (!isSpeckled) others.push([removeSpecks(picture), 0])
  for (const [tried, quarters] of others) {
    try {
      const next = await attempt(tried, quarters)
      if (next.letters > best.letters) best = next
    } catch (error) {
      if (error instanceof EngineError && error.reason === 'timed-out') return best // what was read before counts
      throw error
    }
    if (best.confidence >= GOOD) return best
  }
  return best
}

/** The turns to try: the one that the letters call for, or all where that is not sure. */
function listTurns({ lies }: Attempt, picture: GreyPicture): Quarters[] {
  if (lies === undefined) return orderTurns(picture)
  return lies === 0 ? [] : [lies]
}

/** All turns, the likelier ones first: across lines of text shades change more than along them. */
function orderTurns({ width, height, pixels }: GreyPicture): Quarters[] {
  const rows = new Float64Array(height)
  const columns = new Float64Array(width)
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const ink = 255 - (pixels[at] as number)
      rows[row] = (rows[row] as number) + ink / width
      columns[column] = (columns[column] as number) + ink / height
    }
  }
  return changeOf(columns) > changeOf(rows) ? [1, 3, 2] : [2, 1, 3]
}

/** The mean square of the step from one value to the next. */
function changeOf(values: Float64Array): number {
  let sum = 0
  for (let at = 1; at < values.length; at++) sum += ((values[at] as number) - (values[at - 1] as number)) ** 2
  return values.length > 1 ? sum / (values.length - 1) : 0
}

function judge(page: PageText): Pick<Attempt, 'confidence' | 'letters'> {
  let [sum, count, letters] = [0, 0, 0]
  for (const { text, confidence = 0 } of wordsOf(page)) {
    sum += confidence * text.length
    count += text.length
    letters += text.length * Math.max(0, confidence - GOOD / 2)
  }
  return { confidence: count === 0 ? 0 : sum / count, letters }
}
