import { EngineError } from '../../errors'
import type { Box } from '../../pdf/geometry'
import { flatten, flattenBackground, isUneven, measureBackground } from './scans/background'
import { copyWithout, measureSpecks, removeSpecks, rotateImage } from './scans/gray-image'
import type { GrayImage, Quarters } from './scans/gray-image'
import { wordsOf } from './page-text/page-text'
import type { PageText } from './page-text/page-text'
import { flattenPaper } from './scans/flatten-paper'
import type { Recognition } from './recognizer/recognition'
import { toPageText } from './page-text/to-page-text'
import { hasUnreadInk } from './unread-ink'
import type { InkSearch } from './unread-ink'

/** The minimum mean confidence of a page that counts as recognized correctly. */
const GOOD_CONFIDENCE = 60

/** The minimum share of speck pixels for specks to be removed before recognition. Clean scans have no specks. */
const SPECKLED = 0.0004

/** Settings for the recognition of one image. */
export interface ImageReading {
  dpi: number
  /** Whether rotated pages are detected. */
  turns: boolean
  /** Whether skewed images are deskewed. */
  levels: boolean
  /** Milliseconds of work for all attempts together. */
  limitMs: number
  /** Parts of the image that aren't recognized, in pixels from its upper-left corner. */
  known: readonly Box[]
}

/** The text recognized in an image. */
export interface ImageText {
  text: PageText
  /** Whether the image shows rows of letters that weren't recognized. */
  isIncomplete: boolean
}

/** Recognizes one image. Throws EngineError `timed_out` if it takes longer than `limitMs`. */
type Recognize = (
  image: GrayImage,
  options: { dpi: number; levels: boolean; limitMs: number; orientsBelow?: number },
) => Promise<Recognition>

/**
 * Recognizes the image of a page. If the confidence is low, tries again without specks, and in the detected orientation
 * or in all orientations. If letters were not recognized, tries again without shadows and shades. Returns the attempt
 * that recognized most. Throws EngineError `timed_out` if not even the first attempt ends in time.
 */
export async function readImage(image: GrayImage, reading: ImageReading, recognize: Recognize): Promise<ImageText> {
  const { attempt, search, clean, isSpeckled, turns } = prepare(image, reading, recognize)
  const masked = copyWithout(clean, reading.known)
  const improving = { image: masked, isSpeckled, turns, attempt }
  const first = await attempt(masked, 0, turns ? GOOD_CONFIDENCE : 0)
  const isTurned = turns && first.uprightTurns !== undefined && first.uprightTurns !== 0
  let best = first.confidence < GOOD_CONFIDENCE && isTurned ? await improve(first, improving) : first
  const isPoor = (): boolean => best.confidence < GOOD_CONFIDENCE && !isTurned
  let isIncomplete = hasUnreadInk(search, [best.page])
  for (const flattened of [flattenBackground, flattenPaper]) {
    if (!isIncomplete) break
    const flat = copyWithout(flattened(clean, reading.dpi), reading.known)
    const next = await tryAttempt(() => attempt(flat, best.quarters))
    if (next && next.letters > best.letters) {
      best = { ...next, uprightTurns: first.uprightTurns }
      improving.image = flat
      isIncomplete = hasUnreadInk(search, [best.page])
    }
  }
  if (!isPoor()) return { text: best.page, isIncomplete }
  best = await improve(best, improving)
  return { text: best.page, isIncomplete: isIncomplete && hasUnreadInk(search, [best.page]) }
}

/**
 * Recognizes the image of a page in several ways: first unchanged, then without shadows and shades. If the paper is
 * uneven or letters are still unread, also compares each stroke with the paper next to it. Returns the texts of all
 * attempts in this order. `isCut` is `true` if the time ended before the last attempt. Throws EngineError `timed_out`
 * if not even the first attempt ends in time.
 */
export async function readThoroughly(
  image: GrayImage,
  reading: ImageReading,
  recognize: Recognize,
): Promise<{ texts: PageText[]; isIncomplete: boolean; isCut: boolean }> {
  const { attempt, search, clean, isSpeckled, turns } = prepare(image, reading, recognize)
  const orientsBelow = turns ? GOOD_CONFIDENCE : 0
  const masked = copyWithout(clean, reading.known)
  const first = await attempt(masked, 0, orientsBelow)
  let best =
    first.confidence < GOOD_CONFIDENCE ? await improve(first, { image: masked, isSpeckled, turns, attempt }) : first
  const texts = [best.page]
  const background = measureBackground(clean)
  const flat = copyWithout(flatten(clean, background), reading.known)
  let next = await tryAttempt(() => attempt(flat, best.quarters, orientsBelow))
  if (next && next.confidence < GOOD_CONFIDENCE && best.confidence < GOOD_CONFIDENCE)
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

interface PreparedImage {
  attempt: TryImage
  search: InkSearch
  /** The image without specks. */
  clean: GrayImage
  isSpeckled: boolean
  turns: boolean
}

function prepare(image: GrayImage, reading: ImageReading, recognize: Recognize): PreparedImage {
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

/** Returns a function that recognizes images of one size. All attempts share one time limit. */
function openAttempts(
  { width, height }: GrayImage,
  { dpi, levels, limitMs }: ImageReading,
  recognize: Recognize,
): TryImage {
  let remainingMs = limitMs
  return async (tried, quarters, orientsBelow = 0) => {
    if (remainingMs <= 0) throw new EngineError('timed_out', 'The page could not be recognized in time.')
    const recognition = await recognize(rotateImage(tried, quarters), {
      dpi,
      levels,
      limitMs: remainingMs,
      orientsBelow,
    })
    remainingMs -= recognition.workMs
    const page = toPageText({ width, height, dpi, quarters, recognition })
    return { page, quarters, uprightTurns: recognition.quarters, ...judge(page) }
  }
}

/** Returns undefined if the remaining time is too short. Then the result of earlier attempts counts. */
async function tryAttempt(attempt: () => Promise<Attempt>): Promise<Attempt | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof EngineError && error.reason === 'timed_out') return undefined
    throw error
  }
}

interface Attempt {
  page: PageText
  /** The clockwise quarter turns by which the image was rotated. */
  quarters: Quarters
  /** The clockwise quarter turns that correct the orientation of the image. Undefined if that isn't certain. */
  uprightTurns: Quarters | undefined
  /** The mean confidence, 0 to 100. 0 without words. */
  confidence: number
  /** The number of letters, weighted by confidence. */
  letters: number
}

interface Improving {
  /** The image, without specks if it has too many. */
  image: GrayImage
  isSpeckled: boolean
  turns: boolean
  attempt: TryImage
}

async function improve(first: Attempt, { image, isSpeckled, turns, attempt }: Improving): Promise<Attempt> {
  let best = first
  const variants: [GrayImage, Quarters][] = turns ? listTurns(first, image).map(quarters => [image, quarters]) : []
  if (!isSpeckled) variants.push([removeSpecks(image), 0])
  for (const [tried, quarters] of variants) {
    const next = await tryAttempt(() => attempt(tried, quarters))
    if (next === undefined) return best
    if (next.letters > best.letters) best = next
    if (best.confidence >= GOOD_CONFIDENCE) return best
  }
  return best
}

/** Returns the rotations to try: the detected one, or all if the detection isn't certain. */
function listTurns({ uprightTurns: lies }: Attempt, image: GrayImage): Quarters[] {
  if (lies === undefined) return orderTurns(image)
  return lies === 0 ? [] : [lies]
}

/** Returns all rotations, the likelier ones first. Shades change more across lines of text than along them. */
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

/** Returns the mean square of the differences between consecutive values. */
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
    letters += text.length * Math.max(0, confidence - GOOD_CONFIDENCE / 2)
  }
  return { confidence: count === 0 ? 0 : sum / count, letters }
}
