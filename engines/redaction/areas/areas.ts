import { EngineError } from '../../errors'
import type { Problem } from '../../errors'
import { boundsOfBox } from '../../content/geometry/geometry'
import type { Bounds } from '../../content/geometry/geometry'
import type { PdfDocument } from '../../pdf-core/document/document'
import { intersectBoxes } from '../../pdf-core/geometry/box'
import { measureFrame, resolveBox, toUserSpace } from '../../pdf-core/geometry/frame'
import type { Box } from '../../pdf-core/geometry/box'
import type { Frame, Origin } from '../../pdf-core/geometry/frame'
import { toPoints } from '../../options/lengths'
import type { Unit } from '../../options/lengths'
import { resolvePage, resolvePages } from '../../options/selectors'
import type { PageSelector } from '../../options/selectors'

/** An area as the options have it. */
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
   * What is drawn, in points from the lower-left corner of the page as seen, and inside of it; undefined beside the
   * page.
   */
  box: Box | undefined
  /** What was asked for, in the user space of the page. */
  core: Bounds
  /** The same with its padding: what lies in there goes. */
  hole: Bounds
  replacementText: string | undefined
  /** The field of the options that a replacement text is blamed on. */
  param: string
}

/** The areas of one page, in the order in which they are drawn. */
export interface PageAreas {
  index: number
  frame: Frame
  areas: RedactionArea[]
}

/** Pages and areas together, however the areas are given. */
const MOST_PLACES = 100_000

/**
 * Where the areas of the options lie, page by page in the order of pages. Throws EngineError `bad-options` with all
 * areas that name a page that is not there, or that touch no part of their page.
 */
export function resolveAreas(document: PdfDocument, asked: readonly AskedArea[], paddingPt: number): PageAreas[] {
  const found = new Map<number, PageAreas>()
  const problems: Problem[] = []
  let count = 0
  for (const [position, area] of asked.entries()) {
    const param = `options.areas[${position}]`
    try {
      for (const index of pagesOf(area, document.pageCount, param)) {
        if (++count > MOST_PLACES)
          throw new EngineError(
            'bad-options',
            `${param}.pages: the areas are more than ${MOST_PLACES.toLocaleString('en')} with all their pages; use ` +
              'fewer',
            { param: `${param}.pages` },
          )
        const page = found.get(index) ?? emptyPage(document, index)
        found.set(index, page)
        page.areas.push(placeArea(area, page, { paddingPt, param }))
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems[0])
    throw new EngineError('bad-options', problems[0].message, { problems: problems.slice(0, MOST_PROBLEMS) })
  return [...found.values()].sort((one, other) => one.index - other.index)
}

const MOST_PROBLEMS = 50

/** A page without areas yet. */
export function emptyPage(document: PdfDocument, index: number): PageAreas {
  const page = document.pages[index]
  if (!page) throw new RangeError(`there is no page at position ${index}`)
  return { index, frame: measureFrame(document, page), areas: [] }
}

/** Pages with all areas that lists have for them, in the order of pages; with `isWhole` also those without any. */
export function joinPageAreas(document: PdfDocument, lists: readonly PageAreas[], isWhole: boolean): PageAreas[] {
  const joined = new Map<number, PageAreas>()
  const listed = isWhole ? [...lists, ...document.pages.map((_, index) => emptyPage(document, index))] : lists
  for (const page of listed) {
    const known = joined.get(page.index)
    if (known) known.areas.push(...page.areas)
    else joined.set(page.index, { ...page, areas: [...page.areas] })
  }
  return [...joined.values()].sort((one, other) => one.index - other.index)
}

/** An area by its box on the page as seen, in points. */
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
  asked: AskedArea,
  { index, frame }: PageAreas,
  { paddingPt, param }: { paddingPt: number; param: string },
): RedactionArea {
  const { unit, origin } = asked
  const [across, up] = unit === '%' ? [frame.width / 100, frame.height / 100] : [toPoints(1, unit), toPoints(1, unit)]
  const seen = resolveBox(
    frame,
    { x: asked.x * across, y: asked.y * up, width: asked.width * across, height: asked.height * up },
    origin,
  )
  const area = makeArea(frame, seen, {
    paddingPt,
    param: `${param}.replacementText`,
    replacementText: asked.replacementText,
  })
  if (area.box) return area
  const shown = `x ${asked.x}, y ${asked.y}, width ${asked.width}, height ${asked.height} ${unit}`
  const size = `${Math.round(frame.width * 100) / 100} × ${Math.round(frame.height * 100) / 100} points`
  throw new EngineError(
    'bad-options',
    `${param}: ${shown} from ${origin} does not touch page ${index + 1}, which is ${size} as seen`,
    { param },
  )
}
