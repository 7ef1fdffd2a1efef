import { isEngineError } from '../../../errors'
import type { Box, Frame } from '../../../pdf/geometry'
import { openRenderer } from '../../../pdf/render'
import type { Bitmap, PdfiumRenderer } from '../../../pdf/render'
import { cutBitmap, findChangedAreas, turnBitmap } from './bitmap-changes'
import type { Distance, PixelArea, Tolerance } from './bitmap-changes'
import { Movements } from './moved-areas'
import { addAreas } from './text-areas'
import type { ComparedFile, ComparedPage, PagePair, TextChange, VisualChange } from '../model'
import { boxOf, isSamePlace } from '../wording/page-words'
import type { Quad, Word } from '../wording/page-words'
import type { Counterparts } from '../wording/text-changes'

/** How exactly pages are compared. */
export type Sensitivity = 'low' | 'medium' | 'high'

const LEVELS: Record<Sensitivity, Tolerance & { dpi: number }> = {
  low: { dpi: 60, level: 90, leastPixels: 16 },
  medium: { dpi: 90, level: 40, leastPixels: 6 },
  high: { dpi: 144, level: 14, leastPixels: 3 },
}

/**
 * The limit for drawing a page, in milliseconds of CPU time. Lower than usual, because two pages are drawn for each
 * pair.
 */
const LIMIT_MS = 5000

/** Margin in points around words that belongs to them, for anti-aliasing and glyphs that exceed their box. */
const AROUND_WORD_PT = 2

/** Minimum number of words that move by a distance, and maximum number of distances by which content may move. */
const LEAST_MOVED_WORDS = 3
const MAX_DISTANCES = 8

/** Maximum number of pixels of a page. Larger pages are compared at a lower resolution. */
const MAX_PIXELS = 4_000_000

const POINTS_PER_INCH = 72

interface VisualRules {
  sensitivity: Sensitivity
  counterparts: Counterparts
}

/**
 * Compares the appearance of the paired pages, outside of words that the comparison of words covers. Sets the visual
 * changes of each pair, and how it was compared. A page that PDFium can't draw in time gets `failed`.
 */
export async function addVisualChanges(
  { before, after }: { before: ComparedFile; after: ComparedFile },
  pairs: readonly PagePair[],
  rules: VisualRules,
): Promise<void> {
  const files = { before: new Renderers(before), after: new Renderers(after) }
  try {
    for (const pair of pairs) {
      if (!pair.before || !pair.after) continue
      if (hasSameContent(pair.before, pair.after)) {
        pair.visualComparison = 'identical'
        continue
      }
      const changes = await comparePages(files, { before: pair.before, after: pair.after, text: pair.text }, rules)
      pair.visualComparison = changes ? 'rendered' : 'failed'
      if (changes) addAreas(pair, changes)
    }
  } finally {
    files.before.close()
    files.after.close()
  }
}

/** Returns whether both pages draw the same content, byte by byte. They may show different parts of it. */
export function hasSameContent(one: ComparedPage, other: ComparedPage): boolean {
  return (
    one.fingerprint !== undefined &&
    one.fingerprint === other.fingerprint &&
    one.frame.userUnit === other.frame.userUnit
  )
}

/** A renderer of a file that is replaced if PDFium crashes. */
class Renderers {
  private renderer: PdfiumRenderer | undefined

  constructor(private readonly file: ComparedFile) {}

  /** Undefined if the page can't be drawn. */
  async draw({ index }: ComparedPage, dpi: number): Promise<Bitmap | undefined> {
    if (this.renderer?.isBroken) this.renderer = undefined
    try {
      this.renderer ??= await openRenderer(this.file.document)
      return this.renderer.draw(index, {
        dpi,
        leastDpi: 1,
        color: 'rgb',
        annotations: this.file.hasAnnotations,
        limitMs: LIMIT_MS,
      })
    } catch (error) {
      // The caller reports that the page wasn't compared.
      if (isEngineError(error) && UNDRAWN.has(error.reason)) return undefined
      throw error
    }
  }

  close(): void {
    this.renderer?.close()
  }
}

const UNDRAWN: ReadonlySet<string> = new Set(['damaged', 'timed_out', 'too_large'])

/** Two pages, and the changes of their text. */
type TwoPages = { before: ComparedPage; after: ComparedPage } & Pick<PagePair, 'text'>

async function comparePages(
  files: { before: Renderers; after: Renderers },
  pair: TwoPages,
  rules: VisualRules,
): Promise<VisualChange[] | undefined> {
  const { before, after } = pair
  const { dpi: wanted, ...tolerance } = LEVELS[rules.sensitivity]
  const largest = Math.max(...[before, after].map(({ frame }) => frame.width * frame.height)) / POINTS_PER_INCH ** 2
  const dpi = Math.min(wanted, Math.sqrt(MAX_PIXELS / largest))
  let one = await files.before.draw(before, dpi)
  let other = one && (await files.after.draw(after, dpi))
  if (!one || !other) return undefined
  // A large page is drawn at a lower resolution. Both pages must have the same resolution.
  const common = Math.min(one.dpi, other.dpi)
  if (one.dpi > common) one = await files.before.draw(before, common)
  if (other.dpi > common) other = await files.after.draw(after, common)
  if (!one || !other) return undefined
  const scale = common / POINTS_PER_INCH
  const views = findViews(
    { page: before, bitmap: turnBitmap(one, -before.frame.rotation / 90) },
    { page: after, bitmap: turnBitmap(other, -after.frame.rotation / 90) },
    { scale, counterparts: rules.counterparts },
  )
  const [first, second] = [views.before.bitmap, views.after.bitmap]
  if (first.width === second.width && Buffer.compare(first.pixels, second.pixels) === 0) return []
  const size = { width: Math.max(first.width, second.width), height: Math.max(first.height, second.height) }
  const leftOut = new Uint8Array(size.width * size.height)
  for (const { page, quads } of listExplained({ before, after }, rules)) {
    const { left, top } = page === before ? views.before : views.after
    for (const quad of quads)
      leaveOut(leftOut, size, shift(toPixels(page.frame, boxOf(quad), scale), { left: -left, top: -top }))
  }
  const areas = findChangedAreas(first, second, tolerance, leftOut)
  if (areas.length === 0) return []
  const movements = new Movements({ before: first, after: second }, tolerance)
  const pairs = before.words.map(word => [word, rules.counterparts.get(word)] as const)
  const distances = listDistances(pairs, pair, { views, scale })
  const flowed = hasMovedText(pair, rules.counterparts) ? distances.filter(isReflow) : []
  const passages = listDistances(pairPassages(pair.text), pair, { views, scale })
  if (flowed.length > 0) movements.leaveOut(areas, flowed, leftOut)
  const left = flowed.length > 0 ? findChangedAreas(first, second, tolerance, leftOut) : areas
  return movements.join(left, [...distances, ...passages]).map(area => ({
    before: toSeenBox(before.frame, shift(area.before, views.before), scale),
    after: toSeenBox(after.frame, shift(area.after, views.after), scale),
  }))
}

/** A distance by which words moved, and their number. */
interface WordDistance extends Distance {
  count: number
}

/** Words of the first page, each with its place on the second page. */
type WordPairs = readonly (readonly [Word, Word | undefined])[]

/** The most frequent distances by which words moved, in pixels of both views. */
function listDistances(
  pairs: WordPairs,
  { before, after }: TwoPages,
  { views, scale }: { views: { before: View; after: View }; scale: number },
): WordDistance[] {
  const distances = new Map<string, WordDistance>()
  for (const [one, other] of pairs) {
    if (one.page !== before.index || other?.page !== after.index || isSamePlace(one, other)) continue
    const right = Math.round((other.at[0] - one.at[0]) * scale) + views.before.left - views.after.left
    const down = Math.round((other.at[1] - one.at[1]) * scale) + views.before.top - views.after.top
    const key = `${right} ${down}`
    const count = (distances.get(key)?.count ?? 0) + 1
    distances.set(key, { right, down, count })
  }
  return [...distances.values()].sort((one, other) => other.count - one.count).slice(0, MAX_DISTANCES)
}

/** The words of passages that moved. They have no counterparts. */
function pairPassages(text: readonly TextChange[]): WordPairs {
  return text
    .filter(({ kind }) => kind === 'moved')
    .flatMap(({ removed, inserted }) => removed?.words.map((word, at) => [word, inserted?.words[at]] as const) ?? [])
}

/**
 * Returns whether lines of text moved up or down, as after inserted or removed words. Images and lines between them then
 * move by the same distance.
 */
function isReflow({ right, count }: WordDistance): boolean {
  return Math.abs(right) <= 1 && count >= LEAST_MOVED_WORDS
}

/** A part of a page that is compared, and its place on the page in pixels. */
interface View {
  bitmap: Bitmap
  left: number
  top: number
}

/** The parts of two pages that are compared. If one page is a crop of the other, these are what both show. */
function findViews(
  before: { page: ComparedPage; bitmap: Bitmap },
  after: { page: ComparedPage; bitmap: Bitmap },
  { scale, counterparts }: { scale: number; counterparts: Counterparts },
): { before: View; after: View } {
  const [one, other] = [before.bitmap, after.bitmap]
  const offset = findCropOffset(before.page, after.page, counterparts)
  const [x, y] = offset ? [Math.round(offset.x * scale), Math.round(offset.y * scale)] : [0, 0]
  const [left, top] = [Math.max(0, x), Math.max(0, y)]
  const width = Math.min(one.width, x + other.width) - left
  const height = Math.min(one.height, y + other.height) - top
  if (!offset || width < 1 || height < 1)
    return { before: { bitmap: one, left: 0, top: 0 }, after: { bitmap: other, left: 0, top: 0 } }
  const cut = (bitmap: Bitmap, at: { left: number; top: number }): View => ({
    ...at,
    bitmap: cutBitmap(bitmap, { ...at, right: at.left + width, bottom: at.top + height }),
  })
  return { before: cut(one, { left, top }), after: cut(other, { left: left - x, top: top - y }) }
}

/**
 * The place of the second page's upper-left corner on the first page, in points without rotation, if most words have
 * the same place in user space and another one on the page. Undefined if the pages aren't crops of the same content.
 */
function findCropOffset(
  before: ComparedPage,
  after: ComparedPage,
  counterparts: Counterparts,
): { x: number; y: number } | undefined {
  const [one, other] = [before.frame, after.frame]
  if (one.userUnit !== other.userUnit) return undefined
  const x = (other.visible.x - one.visible.x) * one.userUnit
  const y = (one.visible.y + one.visible.height - other.visible.y - other.visible.height) * one.userUnit
  const pairs = before.words.flatMap(word => {
    const counterpart = counterparts.get(word)
    return counterpart?.page === after.index ? [[word, counterpart] as const] : []
  })
  const isAt = ([word, { at, ...rest }]: (typeof pairs)[number], dx: number, dy: number): boolean =>
    isSamePlace(word, { ...rest, at: [at[0] + dx, at[1] + dy] })
  const [cropped, unmoved] = [pairs.filter(pair => isAt(pair, x, y)), pairs.filter(pair => isAt(pair, 0, 0))]
  return cropped.length > unmoved.length ? { x, y } : undefined
}

function shift({ left, top, right, bottom }: PixelArea, by: { left: number; top: number }): PixelArea {
  return { left: left + by.left, top: top + by.top, right: right + by.left, bottom: bottom + by.top }
}

/** Words whose pixels may differ without a visual change, because the comparison of words covers them. */
function listExplained(
  { before, after }: { before: ComparedPage; after: ComparedPage },
  { counterparts }: VisualRules,
): { page: ComparedPage; quads: Quad[] }[] {
  const isShifted = hasMovedText({ before, after }, counterparts)
  const isExplained = (word: Word): boolean => {
    const counterpart = counterparts.get(word)
    if (!counterpart || counterpart.text !== word.text) return true
    return isShifted && !isSamePlace(word, counterpart)
  }
  return [before, after].map(page => ({
    page,
    quads: [...page.words.filter(isExplained).flatMap(({ quads }) => quads), ...page.ignored],
  }))
}

/**
 * Returns whether words of the page were removed, inserted or moved from or to another page. Also returns true if words
 * changed in a way that doesn't count. Other words of the page may then be at another place for this reason.
 */
function hasMovedText(
  { before, after }: { before: ComparedPage; after: ComparedPage },
  counterparts: Counterparts,
): boolean {
  const isMoved = (word: Word, page: ComparedPage): boolean => {
    const counterpart = counterparts.get(word)
    return counterpart?.page !== page.index || counterpart.text !== word.text
  }
  return (
    before.ignored.length !== after.ignored.length ||
    before.words.some(word => isMoved(word, after)) ||
    after.words.some(word => isMoved(word, before))
  )
}

function leaveOut(leftOut: Uint8Array, size: { width: number; height: number }, area: PixelArea): void {
  const [left, right] = [Math.max(0, area.left), Math.min(size.width, area.right)]
  if (right <= left) return
  for (let row = Math.max(0, area.top); row < Math.min(size.height, area.bottom); row++)
    leftOut.fill(1, row * size.width + left, row * size.width + right)
}

/** A box of the displayed page as pixels of the page without its rotation. */
function toPixels({ rotation, width, height }: Frame, box: Box, scale: number): PixelArea {
  const [left, right] = [box.x, box.x + box.width]
  const [top, bottom] = [height - box.y - box.height, height - box.y]
  const [turnedLeft, turnedTop, turnedRight, turnedBottom] =
    rotation === 90
      ? [top, width - right, bottom, width - left]
      : rotation === 180
        ? [width - right, height - bottom, width - left, height - top]
        : rotation === 270
          ? [height - bottom, left, height - top, right]
          : [left, top, right, bottom]
  return {
    left: Math.floor((turnedLeft - AROUND_WORD_PT) * scale),
    top: Math.floor((turnedTop - AROUND_WORD_PT) * scale),
    right: Math.ceil((turnedRight + AROUND_WORD_PT) * scale),
    bottom: Math.ceil((turnedBottom + AROUND_WORD_PT) * scale),
  }
}

/** Pixels of the page without its rotation as a box of the displayed page. */
function toSeenBox({ rotation, width, height }: Frame, area: PixelArea, scale: number): Box {
  const [left, top, right, bottom] = [area.left / scale, area.top / scale, area.right / scale, area.bottom / scale]
  const [x1, y1, x2, y2] =
    rotation === 90
      ? [width - bottom, left, width - top, right]
      : rotation === 180
        ? [width - right, height - bottom, width - left, height - top]
        : rotation === 270
          ? [top, height - right, bottom, height - left]
          : [left, top, right, bottom]
  return { x: x1, y: height - y2, width: x2 - x1, height: y2 - y1 }
}
