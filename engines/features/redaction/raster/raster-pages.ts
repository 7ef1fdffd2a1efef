import { PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { rewriteContent, TextLayer, withoutHidden } from '../../../pdf/rewrite-content'
import { boundsOfBox, EVERYWHERE, frameMatrix, meets } from '../../../pdf/geometry'
import type { Bounds, Quad } from '../../../pdf/geometry'
import { addDeflatedStream } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { writeNumbers } from '../../../pdf/syntax'
import type { PlacedWord } from '../../../pdf/rewrite-content'
import { PageReader } from '../../../pdf/read-page'
import { addPageImage, openRenderer } from '../../../pdf/render'
import type { Bitmap } from '../../../pdf/render'
import * as Name from '../../../pdf/names'
import type { Color } from '../../../options/colors'
import type { PageAreas } from '../areas/areas'
import { WidthEqualizer } from './equalize-widths'
import { RemoveAreas } from '../areas/remove-areas'

/** Page entries that describe the old content: the transparency group and the separation info. */
const REMOVED_KEYS = ['Group', 'SeparationInfo'].map(name => PDFName.of(name))

/** The usual vertical extent of letters from their baseline, in ems. */
const DEPTH = -0.15
const HEIGHT = 0.7

/** Settings for raster images of pages. */
export interface RasterLook {
  dpi: number
  /** The color of the boxes. */
  color: Color
  /** Whether lines are laid out again so that the widths of removed words can't be measured. */
  hideWidths: boolean
}

interface RasterizedPage {
  page: PageAreas
  image: PDFRef
  words: PlacedWord[]
}

/**
 * Replaces the content of pages with raster images, in which the areas are filled. The other text stays in place as
 * invisible, searchable words. A word that an area touches is removed as a whole. Annotations stay. With `hideWidths`,
 * lines with areas are laid out again, and the areas get the new boxes. Throws EngineError `too_large` for a page with
 * too many pixels, and `damaged` for a page that can't be rendered.
 */
export async function replaceWithRasters(
  document: PdfDocument,
  pages: readonly PageAreas[],
  look: RasterLook,
): Promise<void> {
  const rasterized = await drawRasters(document, pages, look)
  const layer = new TextLayer(document)
  // The old content is removed with its tags before the pages get their new content.
  await rewriteContent(
    document,
    pages.flatMap(({ index, frame }) => {
      const page = document.pages[index]
      return page
        ? [
            {
              page,
              filter: new RemoveAreas({ holes: [EVERYWHERE], visible: boundsOfBox(frame.visible), images: 'remove' }),
            },
          ]
        : []
    }),
  )
  for (const { page, image, words } of rasterized) replaceContent(document, page, { image, words, layer })
  layer.finish()
}

/** Draws the pages with filled areas, and finds the words that stay on them as invisible text. */
async function drawRasters(
  document: PdfDocument,
  pages: readonly PageAreas[],
  { dpi, color, hideWidths }: RasterLook,
): Promise<RasterizedPage[]> {
  const seen = await withoutHidden(document)
  const renderer = await openRenderer(seen, document)
  const reader = new PageReader(seen)
  const rasterized: RasterizedPage[] = []
  let equalizer: WidthEqualizer | undefined
  try {
    if (hideWidths) equalizer = await WidthEqualizer.open(seen, reader, pages)
    for (const page of pages) {
      const bitmap = renderer.draw(page.index, { dpi, color: 'rgba', annotations: false })
      if (bitmap.dpi < dpi) document.warnings.add('scale-reduced')
      const originalWords = reader.readWords(page.index)
      const holes = page.areas.map(({ hole }) => hole)
      const words = equalizer?.set(page, bitmap, originalWords) ?? originalWords
      fillBoxes(bitmap, page, color)
      const remainingWords = words.filter(
        (word, index) =>
          isOutside(originalWords[index] ?? word, page, holes) &&
          isOutside(
            word,
            page,
            page.areas.map(({ core }) => core),
          ),
      )
      rasterized.push({ page, image: await addPageImage(document, bitmap, 'jpeg'), words: remainingWords })
    }
  } finally {
    equalizer?.close()
    renderer.close()
  }
  return rasterized
}

/** Returns whether a word is visible on the page and touches no hole. */
function isOutside(word: PlacedWord, { frame }: PageAreas, holes: readonly Bounds[]): boolean {
  const place = placeOf(word)
  return !holes.some(hole => meets(place, hole)) && meets(place, boundsOfBox(frame.visible))
}

/** Fills all pixels that a box touches. This happens before compression, so that the image data contains no trace. */
function fillBoxes({ width, height, pixels, dpi }: Bitmap, { areas, frame }: PageAreas, { r, g, b }: Color): void {
  const scale = dpi / 72
  for (const { box } of areas) {
    if (!box) continue
    const [left, right] = [
      Math.max(0, Math.floor(box.x * scale)),
      Math.min(width, Math.ceil((box.x + box.width) * scale)),
    ]
    const [top, bottom] = [
      Math.max(0, Math.floor((frame.height - box.y - box.height) * scale)),
      Math.min(height, Math.ceil((frame.height - box.y) * scale)),
    ]
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) pixels.set([r, g, b], (y * width + x) * 4)
  }
}

/** Returns the part of a word's box that its letters usually fill. */
function placeOf({ x, y, length, size, angleDeg }: PlacedWord): Quad {
  const angle = (angleDeg * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const at = (along: number, up: number): [number, number] => [x + along * cos - up * sin, y + along * sin + up * cos]
  return [...at(0, DEPTH * size), ...at(length, DEPTH * size), ...at(length, HEIGHT * size), ...at(0, HEIGHT * size)]
}

function replaceContent(
  document: PdfDocument,
  { index, frame }: PageAreas,
  { image, words, layer }: { image: PDFRef; words: PlacedWord[]; layer: TextLayer },
): void {
  const page = document.pages[index]
  if (!page) return
  const text = layer.draw(words, 'T')
  const content = Buffer.from(
    `q ${writeNumbers(frameMatrix(frame))} cm ${writeNumbers([frame.width, 0, 0, frame.height, 0, 0])} cm /P Do ` +
      `Q\n${text}`,
    'latin1',
  )
  const dict = document.edit(page.ref)
  for (const key of REMOVED_KEYS) dict.delete(key)
  dict.set(
    Name.Resources,
    document.context.obj({ XObject: { P: image }, ...(text ? { Font: { T: layer.fontRef } } : {}) }),
  )
  dict.set(Name.Contents, addDeflatedStream(document, content))
}
