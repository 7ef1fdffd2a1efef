import { EngineError } from '../errors'
import type { Box } from '../pdf-core/geometry/box'
import { flatten, flattenBackground, isUneven, measureBackground } from './image/background'
import { copyWithout, measureSpecks, removeSpecks, rotateImage } from './image/gray-image'
import type { GrayImage, Quarters } from './image/gray-image'
import { wordsOf } from './text/page-text'
import type { PageText } from './text/page-text'
import { flattenPaper } from './image/flatten-paper'
import type { Recognition } from './recognizer/recognition'
import { toPageText } from './text/to-page-text'
import { hasUnreadInk } from './unread-ink'
import type { InkSearch } from './unread-ink'

/** Mean confidence from which on a page counts as read as it should be. */
const GOOD = 60

/**
 * The share of pixels in specks from which on they are removed before the page is read; print on clean paper has none.
 */
const SPECKLED = 0.0004

/** What a recognition of one picture needs to know. */
export interface ImageReading {
  dpi: number
  /** Whether pages that stand on their side or head are found. */
  turns: boolean
  /** Whether lines that slope are levelled. */
  levels: boolean
  /** Milliseconds of work for all attempts together. */
  limitMs: number
  /** Parts of the picture that are known and not read, in pixels from its upper-left corner. */
  known: readonly Box[]
}

/** What was read in a picture. */
export interface ImageText {
  text: PageText
  /** Whether the picture shows letters in rows that were not read. */
  isIncomplete: boolean
}

/** Reads one picture; throws EngineError `timed-out` when it takes longer than `limitMs`. */
type Recognize = (
  image: GrayImage,
  options: { dpi: number; levels: boolean; limitMs: number; orientsBelow?: number },
) => Promise<Recognition>

/**
 * Reads the picture of a page. One that gives little confidence is tried again without specks and in the orientation
 * that its letters tell, or in all of them, and one with letters that were not read without its shadows and shades; the
 * attempt that read most is taken. Throws EngineError `timed-out` when not even the first attempt ends in time.
 */
export async function readImage(image: GrayImage, reading: ImageReading, recognize: Recognize): Promise<ImageText> {
  const { attempt, search, clean, isSpeckled, turns } = open(image, reading, recognize)
  const masked = copyWithout(clean, reading.known)
  const improving = { image: masked, isSpeckled, turns, attempt }
  const first = await attempt(masked, 0, turns ? GOOD : 0)
  const isTurned = turns && first.lies !== undefined && first.lies !== 0
  let best = first.confidence < GOOD && isTurned ? await improve(first, improving) : first
  const isPoor = (): boolean => best.confidence < GOOD && !isTurned
  let isIncomplete = hasUnreadInk(search, [best.page])
  for (const flattened of [flattenBackground, flattenPaper]) {
    if (!isIncomplete) break
    const flat = copyWithout(flattened(clean, reading.dpi), reading.known)
    const next = await tryAttempt(() => attempt(flat, best.quarters))
    if (next && next.letters > best.letters) {
      best = { ...next, lies: first.lies }
      improving.image = flat
      isIncomplete = hasUnreadInk(search, [best.page])
    }
  }
  if (!isPoor()) return { text: best.page, isIncomplete }
  best = await improve(best, improving)
  return { text: best.page, isIncomplete: isIncomplete && hasUnreadInk(search, [best.page]) }
}

/**
 * Reads the picture of a page in several ways: as it is, without its shadows and shades, and on paper of changing
 * shades also with each stroke beside the paper next to it. Gives all that each of them read, the first one first.
 * `isCut` tells that time ended before all ways were tried. Throws EngineError `timed-out` when not even the first one
 * ends in time.
 */
export async function readThoroughly(
  image: GrayImage,
  reading: ImageReading,
  recognize: Recognize,
): Promise<{ texts: PageText[]; isIncomplete: boolean; isCut: boolean }> {
  const { attempt, search, clean, isSpeckled, turns } = open(image, reading, recognize)
  const orientsBelow = turns ? GOOD : 0
  const masked = copyWithout(clean, reading.known)
  const first = await attempt(masked, 0, orientsBelow)
  let best = first.confidence < GOOD ? await improve(first, { image: masked, isSpeckled, turns, attempt }) : first
  const texts = [best.page]
  const background = measureBackground(clean)
  const flat = copyWithout(flatten(clean, background), reading.known)
  let next = await tryAttempt(() => attempt(flat, best.quarters, orientsBelow))
  if (next && next.confidence < GOOD && best.confidence < GOOD)
    next = await improve(next, { image: flat, isSpeckled: true, turns, attempt })
  if (next) texts.push(next.page)
  if (next && next.letters > best.letters) best = next
  let isCut = next === undefined
  if (!isCut && (isUneven(background) || hasUnreadInk(search, texts))) {
    const last = await tryAttempt(() =>
      attempt(copyWithout(flattenPaper(clean, reading.dpi), reading.known), best.quarters),
    )
    if (last) texts.push(last.page)
    isCut = last === undefined
  }
  return { texts, isIncomplete: hasUnreadInk(search, texts), isCut }
}

interface Opened {
  attempt: TryImage
  search: InkSearch
  /** The picture without specks. */
  clean: GrayImage
  isSpeckled: boolean
  turns: boolean
}

function open(image: GrayImage, reading: ImageReading, recognize: Recognize): Opened {
  const { dpi, turns, known } = reading
  const isSpeckled = measureSpecks(image) > SPECKLED
  const clean = isSpeckled ? removeSpecks(image) : image
  return {
    attempt: openAttempts(image, reading, recognize),
    search: { image: clean, dpi, known },
    clean,
    isSpeckled,
    turns,
  }
}

type TryImage = (image: GrayImage, quarters: Quarters, orientsBelow?: number) => Promise<Attempt>

/** Attempts to read pictures of one size that share the time they may take. */
function openAttempts(
  { width, height }: GrayImage,
  { dpi, levels, limitMs }: ImageReading,
  recognize: Recognize,
): TryImage {
  let leftMs = limitMs
  return async (tried, quarters, orientsBelow = 0) => {
    if (leftMs <= 0) throw new EngineError('timed-out', 'The page could not be read in time.')
    const recognition = await recognize(rotateImage(tried, quarters), { dpi, levels, limitMs: leftMs, orientsBelow })
    leftMs -= recognition.workMs
    const page = toPageText({ width, height, dpi, quarters, recognition })
    return { page, quarters, lies: recognition.quarters, ...judge(page) }
  }
}

/** Undefined where the time that is left is not enough: what was read before counts. */
async function tryAttempt(attempt: () => Promise<Attempt>): Promise<Attempt | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof EngineError && error.reason === 'timed-out') return undefined
    throw error
  }
}

interface Attempt {
  page: PageText
  /** Quarter turns clockwise by which it was turned. */
  quarters: Quarters
  /** Quarter turns clockwise that make the picture upright; undefined when that is not sure. */
  lies: Quarters | undefined
  /** Mean, 0 to 100; 0 without words. */
  confidence: number
  /** How much was read with some confidence. */
  letters: number
}

interface Improving {
  /** Without specks where it is speckled. */
  image: GrayImage
  isSpeckled: boolean
  turns: boolean
  attempt: TryImage
}

async function improve(first: Attempt, { image, isSpeckled, turns, attempt }: Improving): Promise<Attempt> {
  let best = first
  const others: [GrayImage, Quarters][] = turns ? listTurns(first, image).map(quarters => [image, quarters]) : []
  if (!isSpeckled) others.push([removeSpecks(image), 0])
  for (const [tried, quarters] of others) {
    const next = await tryAttempt(() => attempt(tried, quarters))
    if (next === undefined) return best
    if (next.letters > best.letters) best = next
    if (best.confidence >= GOOD) return best
  }
  return best
}

/** The turns to try: the one that the letters call for, or all where that is not sure. */
function listTurns({ lies }: Attempt, image: GrayImage): Quarters[] {
  if (lies === undefined) return orderTurns(image)
  return lies === 0 ? [] : [lies]
}

/** All turns, the likelier ones first: across lines of text shades change more than along them. */
function orderTurns({ width, height, pixels }: GrayImage): Quarters[] {
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
