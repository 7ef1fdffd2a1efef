import type { Page, PdfDocument } from '../../pdf/document'
import { chainMatrices, frameMatrix, measureFrame, seenMatrix } from '../../pdf/geometry'
import type { Frame } from '../../pdf/geometry'
import { transformPages } from '../../pdf/page'
import type { Placement } from '../../pdf/page'
import { dropXfa } from '../../pdf/forms'

/** Default scale of a page that makes room. */
const DEFAULT_SCALE = 0.94

/** Heights in points that are needed at the upper and lower edge of a page as displayed. */
export interface Strips {
  topPt: number
  bottomPt: number
}

/**
 * Scales pages with all of their content to 94%, or less if the strips need more. Moves the content between the strips.
 * The page size doesn't change.
 */
export function makeRoom(document: PdfDocument, strips: ReadonlyMap<Page, Strips>): void {
  const placements = new Map<Page, Placement>()
  for (const [page, needed] of strips) placements.set(page, placeBetween(measureFrame(document, page), needed))
  if (placements.size === 0) return
  dropXfa(document)
  transformPages(document, placements)
}

function placeBetween(frame: Frame, { topPt, bottomPt }: Strips): Placement {
  const { width, height, visible } = frame
  const scale = Math.min(DEFAULT_SCALE, (height - topPt - bottomPt) / height)
  const spare = Math.max(0, height * (1 - scale) - topPt - bottomPt)
  const onPage = chainMatrices(seenMatrix(frame), [scale, 0, 0, scale, (width * (1 - scale)) / 2, bottomPt + spare / 2])
  return { matrix: chainMatrices(onPage, frameMatrix(frame)), box: visible, clip: visible }
}
