import { EngineError } from '../../../errors'
import type { EngineErrorReason, Problem } from '../../../errors'
import { boundsOfBox, intersectBoxes, measureFrame, resolveBox, toUserSpace } from '../../../pdf/geometry'
import type { Bounds, Box, Frame, Origin } from '../../../pdf/geometry'
import type { PdfDocument } from '../../../pdf/document'
import { toPoints } from '../../../options/lengths'
import type { Unit } from '../../../options/lengths'
import { resolvePage, resolvePages } from '../../../options/selectors'
import type { PageSelector } from '../../../options/selectors'

/** An area as specified in the options. */
export interface AskedArea extends Box {
  page?: number | undefined
  pages?: PageSelector | undefined
  unit: Unit | '%'
  origin: Origin
  replacementText?: string | undefined
}

/** An area on one page. */
export interface RedactionArea {
  /**
   * The box that is drawn, clipped to the page, in points from the lower-left corner of the page as displayed.
   * Undefined if the area doesn't touch the page.
   */
  box: Box | undefined
  /** The requested area without padding, in the user space of the page. */
  core: Bounds
  /** The area with its padding, in the user space of the page. Content inside it is removed. */
  hole: Bounds
  replacementText: string | undefined
  /** The parameter to name in errors about the replacement text. */
  param: string
}

/** The areas of one page, in the order in which they are drawn. */
export interface PageAreas {
  index: number
  frame: Frame
  areas: RedactionArea[]
}

/** Maximum number of areas in total. An area on several pages counts once per page. */
const MOST_PLACES = 100_000

/**
 * Converts the areas of the options to user space and groups them by page, in page order. Throws EngineError
 * `options_invalid` that lists all areas on a missing page and all areas that don't touch their page.
 */
export function resolveAreas(
  document: PdfDocument,
  requestedAreas: readonly AskedArea[],
  paddingPt: number,
): PageAreas[] {
  const areasByPage = new Map<number, PageAreas>()
  const problems: Problem[] = []
  let reason: EngineErrorReason | undefined
  let count = 0
  for (const [position, area] of requestedAreas.entries()) {
    const param = `options.areas[${position}]`
    try {
      for (const index of pagesOf(area, document.pageCount, param)) {
        if (++count > MOST_PLACES)
          throw new EngineError(
            'options_invalid',
            `${param}.pages: the areas must be at most ${MOST_PLACES.toLocaleString('en')} on all their pages ` +
              'together. Use fewer.',
            { param: `${param}.pages` },
          )
        const page = areasByPage.get(index) ?? emptyPage(document, index)
        areasByPage.set(index, page)
        page.areas.push(placeArea(area, page, { paddingPt, param }))
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      reason ??= error.reason
      problems.push(...error.problems)
    }
  }
  if (problems[0])
    throw new EngineError(reason ?? 'options_invalid', problems[0].message, {
      problems: problems.slice(0, MOST_PROBLEMS),
    })
  return [...areasByPage.values()].sort((one, other) => one.index - other.index)
}

const MOST_PROBLEMS = 50

/** Returns the entry of a page, with an empty list of areas. */
export function emptyPage(document: PdfDocument, index: number): PageAreas {
  const page = document.pages[index]
  if (!page) throw new RangeError(`the document has no page at position ${index}`)
  return { index, frame: measureFrame(document, page), areas: [] }
}

/** Merges the areas of each page, in page order. If `isWhole` is `true`, pages without areas are included. */
export function joinPageAreas(document: PdfDocument, lists: readonly PageAreas[], isWhole: boolean): PageAreas[] {
  const joined = new Map<number, PageAreas>()
  const listed = isWhole ? [...lists, ...document.pages.map((_, index) => emptyPage(document, index))] : lists
  for (const page of listed) {
    const existing = joined.get(page.index)
    if (existing) existing.areas.push(...page.areas)
    else joined.set(page.index, { ...page, areas: [...page.areas] })
  }
  return [...joined.values()].sort((one, other) => one.index - other.index)
}

/**
 * Adds areas over the boxes of a match, in points of the page as displayed. Only the widest box gets the replacement
 * text.
 */
export function addBoxes(
  page: PageAreas,
  boxes: readonly Box[],
  { paddingPt, param, replacementText }: { paddingPt: number; param: string; replacementText: string | undefined },
): void {
  const widest = boxes.reduce((best, box, index) => (box.width > (boxes[best]?.width ?? 0) ? index : best), 0)
  for (const [index, box] of boxes.entries())
    page.areas.push(
      makeArea(page.frame, box, { paddingPt, param, replacementText: index === widest ? replacementText : undefined }),
    )
}

/** Returns whether a box covers at least this share of another one. */
export function coversShare(one: Box, other: Box, share: number): boolean {
  const common = intersectBoxes(one, other)
  return common !== undefined && common.width * common.height >= share * other.width * other.height
}

/** Makes an area from its box on the page as displayed, in points. */
export function makeArea(
  frame: Frame,
  seen: Box,
  { paddingPt, param, replacementText }: { paddingPt: number; param: string; replacementText: string | undefined },
): RedactionArea {
  const whole = { x: 0, y: 0, width: frame.width, height: frame.height }
  const padded = {
    x: seen.x - paddingPt,
    y: seen.y - paddingPt,
    width: seen.width + 2 * paddingPt,
    height: seen.height + 2 * paddingPt,
  }
  const box = intersectBoxes(seen, whole) && intersectBoxes(padded, whole)
  return {
    box,
    core: boundsOfBox(toUserSpace(frame, seen)),
    hole: boundsOfBox(toUserSpace(frame, padded)),
    replacementText: replacementText || undefined,
    param,
  }
}

function pagesOf({ page, pages }: AskedArea, pageCount: number, param: string): Iterable<number> {
  if (page !== undefined) return [resolvePage(page, pageCount, `${param}.page`)]
  return new Set(resolvePages(pages ?? 'all', pageCount, `${param}.pages`))
}

function placeArea(
  requested: AskedArea,
  { index, frame }: PageAreas,
  { paddingPt, param }: { paddingPt: number; param: string },
): RedactionArea {
  const { unit, origin } = requested
  const [across, up] = unit === '%' ? [frame.width / 100, frame.height / 100] : [toPoints(1, unit), toPoints(1, unit)]
  const seen = resolveBox(
    frame,
    { x: requested.x * across, y: requested.y * up, width: requested.width * across, height: requested.height * up },
    origin,
  )
  const area = makeArea(frame, seen, {
    paddingPt,
    param: `${param}.replacementText`,
    replacementText: requested.replacementText,
  })
  if (area.box) return area
  const shown = `x ${requested.x}, y ${requested.y}, width ${requested.width}, height ${requested.height} ${unit}`
  const size = `${Math.round(frame.width * 100) / 100} × ${Math.round(frame.height * 100) / 100} points`
  throw new EngineError(
    'options_invalid',
    `${param}: must overlap the page. Got ${shown} from ${origin} on page ${index + 1}, which is ${size} as ` +
      'displayed.',
    { param },
  )
}
