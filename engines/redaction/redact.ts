import { EngineError } from '../errors'
import { boundsOfBox } from '../content/geometry'
import { rewriteContent } from '../content/rewrite-content'
import type { PdfDocument } from '../pdf-core/document'
import { removeAround } from './around'
import type { PageAreas } from './areas'
import { drawBoxes } from './draw-boxes'
import type { BoxLook } from './draw-boxes'
import { makePictures } from './picture-pages'
import { RemoveAreas } from './remove-areas'
import type { ImageMode } from './remove-areas'
import type { RemovedCodes } from './removed-codes'
import { findLeaks } from './verify'

/** Pixels an inch of a page that becomes a picture. */
const PICTURE_DPI = 200

export interface Redaction {
  look: BoxLook
  images: ImageMode
  /** Pages that become pictures in any case: none, those with areas, or all. */
  rasterize: false | 'pages' | 'all'
  /** Is told the codes of glyphs that go. */
  codes: RemovedCodes
}

/**
 * Removes what lies under the areas from all that the file says of their pages, and draws their boxes. Then PDFium looks
 * under them: a page on which it finds anything, or of which something could not be taken apart, becomes a picture
 * (warning `page-rasterized`). Gives the positions of all pages, from 0, that became one.
 * Throws EngineError `unreadable` where something is left even then, `too-large` where a limit is reached, `bad-options`
 * for a replacement text that can't be drawn.
 */
export async function redact(document: PdfDocument, pages: readonly PageAreas[], { look, images, rasterize, codes }: Redaction): Promise<Set<number>> {
  const touched = pages.filter(({ areas }) => areas.length > 0)
  removeAround(document, touched)
  const doubted = await removeContent(document, touched, { images, codes })
  const asked = rasterize === 'all' ? pages : rasterize === 'pages' ? touched : []
  const unsure = touched.filter(page => doubted.has(page) && !asked.includes(page))
  if (unsure.length > 0) document.warnings.add('page-rasterized')
  const pictured = new Set([...asked, ...unsure])
  if (pictured.size > 0) await makePictures(document, [...pictured], { dpi: PICTURE_DPI, color: look.color })
  await drawBoxes(document, touched, look)
  const leaks = await findLeaks(document, touched, look)
  const indexes = new Set([...pictured, ...leaks].map(({ index }) => index))
  if (leaks.length === 0) return indexes
  if (leaks.some(page => pictured.has(page))) throw leftOver(leaks.find(page => pictured.has(page)))
  document.warnings.add('page-rasterized')
  await makePictures(document, leaks, { dpi: PICTURE_DPI, color: look.color })
  await drawBoxes(document, leaks, look)
  const left = await findLeaks(document, leaks, look)
  if (left.length > 0) throw leftOver(left[0])
  return indexes
}

/** The pages of which something may have stayed that could not be taken apart. */
async function removeContent(document: PdfDocument, pages: readonly PageAreas[], { images, codes }: Pick<Redaction, 'images' | 'codes'>): Promise<Set<PageAreas>> {
  // Pages with the same areas share what decides, and by that what was rewritten, and its doubts.
  const deciders = new Map<string, RemoveAreas>()
  const tasks = pages.flatMap(owner => {
    const page = document.pages[owner.index]
    if (!page) return []
    const fresh = new RemoveAreas({ holes: owner.areas.map(({ hole }) => hole), visible: boundsOfBox(owner.frame.visible), images, codes })
    const decider = deciders.get(fresh.key) ?? fresh
    deciders.set(decider.key, decider)
    return [{ page, decider, owner }]
  })
  await rewriteContent(document, tasks)
  return new Set(tasks.filter(({ decider }) => decider.isInDoubt).map(({ owner }) => owner))
}

function leftOver(page: PageAreas | undefined): EngineError {
  return new EngineError('unreadable', `Page ${(page?.index ?? 0) + 1} could not be redacted: something stays under an area even as a picture.`)
}
