import { EngineError } from '../../../errors'
import { boundsOfBox, overlap } from '../../../pdf/geometry'
import type { Bounds, Box } from '../../../pdf/geometry'
import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import type { Bitmap, PageText, PdfiumRenderer } from '../../../pdf/render'
import { openRenderer } from '../../../pdf/render'
import type { Color } from '../../../options/colors'
import { coversShare } from '../areas/areas'
import type { RedactionArea, PageAreas } from '../areas/areas'
import { textColorOf } from '../areas/draw-boxes'
import type { BoxLook } from '../areas/draw-boxes'
import { findNameResidue } from '../names/rename-custom-names'
import { assertNoResidue } from '../residue/clear-residue'
import { hasDataResidue } from '../residue/data-residue'
import { RemovedTerms } from '../residue/removed-terms'
import { PageSearch, readPages } from '../search/find-on-pages'
import { openReadableCopy } from '../search/readable-copy'
import { drawAnnotations } from '../search/search'
import type { Rule } from '../search-rules/rule'
import type { Unchecked } from '../unchecked-reasons'

/**
 * The resolution in DPI at which boxes are checked, and the width of their edges in pixels, which may have mixed
 * colors.
 */
const DPI = 72
const EDGE = 1

/** Maximum number of annotations of a page that are rendered with it. */
const MOST_DRAWN = 2000

/** Minimum share of a match that a box must cover for the match to count as its replacement text. */
const REPLACED_SHARE = 0.5

/** Maximum difference of a color component, from 0 to 255. */
const TOLERANCE = 6

/** The findings of a verification. */
export interface Verification {
  /** Pages with text under an area, or with wrong colors in a box. */
  leaks: PageAreas[]
  /** Areas over matches that rules still find. */
  matches: PageAreas[]
  unchecked: Unchecked[]
  /** Positions of pages with areas that have text outside the page as displayed. Areas can't cover this text. */
  outside: Set<number>
}

/** The redacted areas and the settings of the redaction. */
interface Redacted {
  pages: readonly PageAreas[]
  rules: readonly Rule[]
  look: BoxLook
  paddingPt: number
}

/**
 * Verifies an output that was opened again. PDFium must find no text under the areas, and must render only the boxes
 * there. No rule may match the text of a page. The decoded bytes of objects must contain no removed term. Throws
 * EngineError `not_verified` if a term remains in bytes.
 */
export async function verifyOutput(
  output: PdfDocument,
  { pages, rules, look, paddingPt }: Redacted,
): Promise<Verification> {
  const touched = pages.filter(({ areas }) => areas.length > 0)
  const { leaks, found, outside, cutPages } = await checkPages(output, touched, { rules, look, paddingPt })
  const matches = withoutBoxes(found, touched)
  const unchecked = await assertNoResidue(output, rules)
  if (hasDataResidue(output, new RemovedTerms(rules))) unchecked.push({ reason: 'data' })
  if (cutPages.size > 0) unchecked.push({ reason: 'long-page', pages: [...cutPages] })
  if (findNameResidue(output, rules).length > 0) unchecked.push({ reason: 'name' })
  return { leaks, matches, unchecked, outside }
}

/**
 * Checks the areas and runs the rules again. If annotations show text, the rules run on a copy with these annotations
 * drawn into the page.
 */
async function checkPages(
  output: PdfDocument,
  touched: readonly PageAreas[],
  { rules, look, paddingPt }: Omit<Redacted, 'pages'>,
): Promise<{ leaks: PageAreas[]; found: PageAreas[]; outside: Set<number>; cutPages: ReadonlySet<number> }> {
  const outside = new Set<number>()
  if (rules.length === 0)
    return { leaks: await findLeaks(output, touched, look, { outside }), found: [], outside, cutPages: new Set() }
  for (const rule of rules) rule.isCounting = false
  try {
    const drawn = drawAnnotations(output)
    // Most documents have no such annotations. In this case, one pass over the pages does both.
    const search = new PageSearch(drawn, rules, paddingPt)
    const isOne = drawn === output
    const leaks = await findLeaks(output, touched, look, { outside, ...(isOne && { search }) })
    if (!isOne) await readPages(drawn, search)
    return { leaks, found: await search.finish(), outside, cutPages: search.cutPages }
  } finally {
    for (const rule of rules) rule.isCounting = true
  }
}

/** Removes matches inside boxes, because they are replacement texts. */
function withoutBoxes(found: readonly PageAreas[], redacted: readonly PageAreas[]): PageAreas[] {
  return found.flatMap(page => {
    const boxes = redacted.find(({ index }) => index === page.index)?.areas.flatMap(({ box }) => box ?? []) ?? []
    const areas = page.areas.filter(({ box }) => !box || !boxes.some(other => coversShare(other, box, REPLACED_SHARE)))
    return areas.length > 0 ? [{ ...page, areas }] : []
  })
}

/**
 * Returns the pages with leaks. There, PDFium still finds text under an area, or a color in a box that isn't a color of
 * the box or of its replacement text. Pages that can't be read count too. If `search` is set, it reads its pages in the
 * same pass. Adds pages with text outside the page as displayed to `outside`.
 */
export async function findLeaks(
  document: PdfDocument,
  pages: readonly PageAreas[],
  look: BoxLook,
  { search, outside }: { search?: PageSearch; outside?: Set<number> } = {},
): Promise<PageAreas[]> {
  const leaks: PageAreas[] = []
  const seen = openReadableCopy(document)
  const byIndex = new Map(pages.map(page => [page.index, page]))
  const searched = new Set(search?.indexes)
  const indexes = [...new Set([...byIndex.keys(), ...searched])].sort((one, other) => one - other)
  let renderer: PdfiumRenderer | undefined
  try {
    for (const index of indexes) {
      if (renderer?.isBroken) renderer = undefined
      renderer ??= await openRenderer(seen)
      const page = byIndex.get(index)
      const read = (characters: PageText): void => {
        if (searched.has(index)) search?.read(index, characters)
        if (page && hasTextOutside(characters, page)) outside?.add(index)
      }
      if (!page) renderer.readCharacters(index, read)
      else if (!isClean(renderer, page, { look, annotations: hasFewAnnotations(document, index), read }))
        leaks.push(page)
    }
  } finally {
    renderer?.close()
  }
  return leaks
}

/** PDFium needs quadratic time for annotations. Annotations under areas were removed, so many can be skipped safely. */
function hasFewAnnotations(document: PdfDocument, index: number): boolean {
  const page = document.pages[index]
  return page === undefined || annotationsOf(document, page).length <= MOST_DRAWN
}

interface Inspection {
  look: BoxLook
  /** Whether annotations are rendered. */
  annotations: boolean
  /** Receives the characters of the page, even if the page isn't clean. */
  read: (characters: PageText) => void
}

function isClean(renderer: PdfiumRenderer, page: PageAreas, { look, annotations, read }: Inspection): boolean {
  try {
    const box = uniteBoxes(page.areas.flatMap(area => area.box ?? []))
    return renderer.inspect(page.index, { box, dpi: DPI, annotations }, (characters, { image, left, top }) => {
      read(characters)
      return (
        !hasText(characters, page.areas) && isCovered(image, { left, top, height: page.frame.height }, { page, look })
      )
    })
  } catch (error) {
    // The page becomes a raster image, or the request fails.
    if (error instanceof EngineError && error.reason === 'damaged') return false
    throw error
  }
}

/** Returns whether there are more characters under areas than in the replacement texts. */
function hasText(characters: PageText, areas: readonly RedactionArea[]): boolean {
  const allowed = new Map<string, number>()
  for (const { box, replacementText = '' } of areas)
    for (const character of box ? signsOf(replacementText) : [])
      allowed.set(character, (allowed.get(character) ?? 0) + 1)
  for (const [index, text] of characters.texts.entries()) {
    const shape = text.trim() === '' ? undefined : characters.shapeOf(index)
    if (!shape) continue
    const [x, y] = [(shape.left + shape.right) / 2, (shape.bottom + shape.top) / 2]
    if (!areas.some(({ core }) => isInside(core, x, y))) continue
    for (const character of signsOf(text)) {
      const remainingCount = allowed.get(character) ?? 0
      if (remainingCount === 0) return true
      allowed.set(character, remainingCount - 1)
    }
  }
  return false
}

/** Returns whether a character lies outside the page as displayed. */
function hasTextOutside(characters: PageText, { frame }: PageAreas): boolean {
  const visible = boundsOfBox(frame.visible)
  return characters.texts.some((text, index) => {
    const shape = text.trim() === '' ? undefined : characters.shapeOf(index)
    return shape !== undefined && !overlap(shape, visible)
  })
}

/** Returns the visible characters in NFKD form, because fonts may map a ligature to one or to several characters. */
function signsOf(text: string): string[] {
  return Array.from(text.normalize('NFKD')).filter(character => !/[\s\p{Cc}\p{Cf}\p{M}]/u.test(character))
}

function isInside({ left, bottom, right, top }: Bounds, x: number, y: number): boolean {
  return x > left && x < right && y > bottom && y < top
}

/** Returns whether every pixel of the boxes has the box color, or a blend of box and text color if there is text. */
function isCovered(
  { width, height, pixels, dpi }: Bitmap,
  area: { left: number; top: number; height: number },
  { page, look }: { page: PageAreas; look: BoxLook },
): boolean {
  const scale = dpi / DPI
  const other = page.areas.some(({ replacementText }) => replacementText !== undefined) ? textColorOf(look) : look.color
  return page.areas.every(({ box }) => {
    if (!box) return true
    const [firstX, lastX] = [
      Math.ceil(box.x * scale - area.left) + EDGE,
      Math.floor((box.x + box.width) * scale - area.left) - EDGE,
    ]
    const [firstY, lastY] = [
      Math.ceil((area.height - box.y - box.height) * scale - area.top) + EDGE,
      Math.floor((area.height - box.y) * scale - area.top) - EDGE,
    ]
    for (let y = Math.max(0, firstY); y < Math.min(height, lastY); y++) {
      for (let x = Math.max(0, firstX); x < Math.min(width, lastX); x++) {
        const at = (y * width + x) * 3
        if (!isBetween([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0], look.color, other)) return false
      }
    }
    return true
  })
}

/** Returns whether a color is a blend of two colors. */
function isBetween(seen: readonly [number, number, number], one: Color, other: Color): boolean {
  const [from, to] = [
    [one.r, one.g, one.b],
    [other.r, other.g, other.b],
  ]
  const step = to.map((part, index) => part - (from[index] ?? 0))
  const length = step.reduce((sum, part) => sum + part * part, 0)
  const along =
    length === 0
      ? 0
      : step.reduce((sum, part, index) => sum + part * ((seen[index] ?? 0) - (from[index] ?? 0)), 0) / length
  const share = Math.min(1, Math.max(0, along))
  return seen.every((part, index) => Math.abs(part - ((from[index] ?? 0) + share * (step[index] ?? 0))) <= TOLERANCE)
}

function uniteBoxes(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 }
  const [left, bottom] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))]
  const [right, top] = [
    Math.max(...boxes.map(box => box.x + box.width)),
    Math.max(...boxes.map(box => box.y + box.height)),
  ]
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}
