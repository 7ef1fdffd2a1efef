import { PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { removeHiddenContent } from '../../content/remove-layers'
import { rewriteContent } from '../../content/rewrite-content'
import { boundsOfBox, EVERYWHERE, meets } from '../../content/geometry/geometry'
import type { Bounds, Quad } from '../../content/geometry/geometry'
import type { Color } from '../../options/colors'
import { addDeflatedStream } from '../../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../../pdf-core/document/document'
import { frameMatrix } from '../../pdf-core/geometry/frame'
import { HiddenLayers } from '../../pdf-core/structure/hidden-layers'
import { writeNumbers } from '../../pdf-core/syntax/number-text'
import { reopenDocument } from '../../pdf-core/pages/reopen'
import { TextLayer } from '../../pdf-core/content/text-layer'
import type { PlacedWord } from '../../pdf-core/content/text-layer'
import { openRenderer } from '../../pdfium/render'
import type { Bitmap } from '../../pdfium/render'
import { addImage } from '../../rasterize/image-object'
import type { PageAreas } from '../areas/areas'
import { WidthEqualizer } from './equalize-widths'
import { RemoveAreas } from '../areas/remove-areas'
import * as Name from '../../pdf-core/syntax/names'

/** What a page keeps of its old content otherwise: its group, and colors for printing plates. */
const LEFT_BEHIND = ['Group', 'SeparationInfo'].map(name => PDFName.of(name))

/** Where letters usually reach from their baseline, as parts of the size of the type. */
const DEPTH = -0.15
const HEIGHT = 0.7

/** How pages become pictures. */
export interface RasterLook {
  /** Pixels an inch. */
  dpi: number
  /** Of the boxes. */
  color: Color
  /** Whether lines are set anew so that widths of removed words can't be measured. */
  hideWidths: boolean
}

interface Taken {
  page: PageAreas
  image: PDFRef
  words: PlacedWord[]
}

/**
 * Turns pages into pictures of what can be seen of them beside their areas, which are filled. Their other text stays
 * where it stands, word by word, to be found but not seen; a word that an area touches goes as a whole. Annotations
 * stay. With `hideWidths` lines with areas are set anew, and the areas get the boxes that they have there. Throws
 * EngineError `too-large` for a page with too many pixels, `unreadable` for one that can't be drawn.
 */
export async function replaceWithRasters(
  document: PdfDocument,
  pages: readonly PageAreas[],
  look: RasterLook,
): Promise<void> {
  const taken = await takeImages(document, pages, look)
  const layer = new TextLayer(document)
  // All that the pages held goes, with its tags, before they get their new content.
  await rewriteContent(
    document,
    pages.flatMap(({ index, frame }) => {
      const page = document.pages[index]
      return page
        ? [
            {
              page,
              decider: new RemoveAreas({ holes: [EVERYWHERE], visible: boundsOfBox(frame.visible), images: 'remove' }),
            },
          ]
        : []
    }),
  )
  for (const { page, image, words } of taken) replaceContent(document, page, { image, words, layer })
  layer.finish()
}

async function takeImages(
  document: PdfDocument,
  pages: readonly PageAreas[],
  { dpi, color, hideWidths }: RasterLook,
): Promise<Taken[]> {
  const seen = await withoutHidden(document)
  const renderer = await openRenderer(seen)
  const taken: Taken[] = []
  let hider: WidthEqualizer | undefined
  try {
    if (hideWidths) hider = await WidthEqualizer.open(seen, renderer, pages)
    for (const page of pages) {
      const bitmap = renderer.draw(page.index, { dpi, color: 'rgba', annotations: false })
      if (bitmap.dpi < dpi) document.warnings.add('scale-reduced')
      const found = renderer.readWords(page.index)
      const holes = page.areas.map(({ hole }) => hole)
      const words = hider?.set(page, bitmap, found) ?? found
      fillBoxes(bitmap, page, color)
      const left = words.filter(
        (word, index) =>
          isLeft(found[index] ?? word, page, holes) &&
          isLeft(
            word,
            page,
            page.areas.map(({ core }) => core),
          ),
      )
      taken.push({ page, image: await addImage(document, bitmap, 'jpeg'), words: left })
    }
  } finally {
    hider?.close()
    renderer.close()
  }
  return taken
}

/** Whether a word stands on the page and in no hole. */
function isLeft(word: PlacedWord, { frame }: PageAreas, holes: readonly Bounds[]): boolean {
  const place = placeOf(word)
  return !holes.some(hole => meets(place, hole)) && meets(place, boundsOfBox(frame.visible))
}

/** The document as it is now, or a copy of it without what hidden layers hold: nobody sees that text. */
async function withoutHidden(document: PdfDocument): Promise<PdfDocument> {
  if (new HiddenLayers(document).isEmpty) return document
  const copy = reopenDocument(document)
  await removeHiddenContent(copy, new HiddenLayers(copy))
  return copy
}

/** Pixels that a box touches are filled, before the picture is compressed: nothing of them is in it. */
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

/** The part of a word's room that its letters fill. */
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
  for (const key of LEFT_BEHIND) dict.delete(key)
  dict.set(
    Name.Resources,
    document.context.obj({ XObject: { P: image }, ...(text ? { Font: { T: layer.fontRef } } : {}) }),
  )
  dict.set(Name.Contents, addDeflatedStream(document, content))
}
