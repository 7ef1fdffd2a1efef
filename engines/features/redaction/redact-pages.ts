import { boundsOfBox } from '../../pdf/geometry'
import { rewriteContent } from '../../pdf/rewrite-content'
import type { PdfDocument } from '../../pdf/document'
import { removeAnnotationsNear } from './areas/annotations-near'
import type { PageAreas } from './areas/areas'
import { cutFields } from './areas/cut-fields'
import { drawBoxes } from './areas/draw-boxes'
import type { BoxLook } from './areas/draw-boxes'
import { replaceWithRasters } from './raster/raster-pages'
import { RemoveAreas } from './areas/remove-areas'
import type { ImageMode } from './areas/remove-areas'

/** Resolution of a page that becomes a raster image, in DPI. */
const RASTER_DPI = 200

/** How areas are redacted. */
export interface Redaction {
  look: BoxLook
  images: ImageMode
  /** Which pages become raster images in any case: none, pages with areas, or all pages. */
  rasterize: false | 'pages' | 'all'
  /** If `true`, pages with areas become raster images in which the widths of removed words can't be measured. */
  hideWidths: boolean
}

/**
 * Removes the content and the annotations under the areas, and draws the boxes of the areas. A page becomes a raster
 * image (warning `page-rasterized`) if some of its content can't be split at the edge of an area. Returns the
 * positions, from 0, of all pages that became raster images. Throws EngineError `too_large` if a limit is reached, and
 * `options_invalid` for a replacement text that can't be drawn.
 */
export async function redactAreas(
  document: PdfDocument,
  pages: readonly PageAreas[],
  how: Redaction,
): Promise<Set<number>> {
  const { look, images, rasterize, hideWidths } = how
  const touched = pages.filter(({ areas }) => areas.length > 0)
  const { kept } = await cutFields(document, touched, look.color)
  removeAnnotationsNear(document, touched, kept)
  const doubted = await removeContent(document, touched, images)
  const requested = rasterize === 'all' ? pages : rasterize === 'pages' || hideWidths ? touched : []
  const unsure = touched.filter(page => doubted.has(page) && !requested.includes(page))
  if (unsure.length > 0) document.warnings.add('page-rasterized')
  const rasterized = new Set([...requested, ...unsure])
  if (rasterized.size > 0)
    await replaceWithRasters(document, [...rasterized], { dpi: RASTER_DPI, color: look.color, hideWidths })
  await drawBoxes(document, touched, look)
  return new Set([...rasterized].map(({ index }) => index))
}

/** Turns pages into raster images and draws the boxes of their areas. Throws EngineError like `redactAreas`. */
export async function rasterizePages(
  document: PdfDocument,
  pages: readonly PageAreas[],
  { look }: Redaction,
): Promise<void> {
  if (pages.length === 0) return
  await replaceWithRasters(document, pages, { dpi: RASTER_DPI, color: look.color, hideWidths: false })
  await drawBoxes(document, pages, look)
}

/** Removes the content under the areas. Returns the pages on which some of that content may remain. */
async function removeContent(
  document: PdfDocument,
  pages: readonly PageAreas[],
  images: ImageMode,
): Promise<Set<PageAreas>> {
  // Pages with the same areas share a filter, so that a form XObject that both draw is rewritten once.
  const filters = new Map<string, RemoveAreas>()
  const tasks = pages.flatMap(owner => {
    const page = document.pages[owner.index]
    if (!page) return []
    const newFilter = new RemoveAreas({
      holes: owner.areas.map(({ hole }) => hole),
      visible: boundsOfBox(owner.frame.visible),
      images,
    })
    const filter = filters.get(newFilter.key) ?? newFilter
    filters.set(filter.key, filter)
    return [{ page, filter, owner }]
  })
  await rewriteContent(document, tasks)
  return new Set(tasks.filter(({ filter }) => filter.isInDoubt).map(({ owner }) => owner))
}
