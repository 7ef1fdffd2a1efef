import { deflateSync } from 'node:zlib'
import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { removeHiddenContent } from '../content/remove-layers'
import { rewriteContent } from '../content/rewrite-content'
import { boundsOfBox, EVERYWHERE, meets } from '../content/geometry'
import type { Quad } from '../content/geometry'
import type { Colour } from '../pdf-core/colours'
import type { PdfDocument } from '../pdf-core/document'
import { frameMatrix } from '../pdf-core/frame'
import { HiddenLayers } from '../pdf-core/hidden-layers'
import { writeNumbers } from '../pdf-core/number-text'
import { reopenDocument } from '../pdf-core/reopen'
import { TextLayer } from '../pdf-core/text-layer'
import type { PlacedWord } from '../pdf-core/text-layer'
import { openRenderer } from '../pdfium/render'
import type { Picture } from '../pdfium/render'
import { addImage } from '../rasterize/image-object'
import type { PageAreas } from './areas'
import { RemoveAreas } from './remove-areas'

const CONTENTS = PDFName.of('Contents')
const RESOURCES = PDFName.of('Resources')

/** What a page keeps of its old content otherwise: its group, and colours for printing plates. */
const LEFT_BEHIND = ['Group', 'SeparationInfo'].map(name => PDFName.of(name))

/** Where letters usually reach from their baseline, as parts of the size of the type. */
const DEPTH = -0.15
const HEIGHT = 0.7

interface Taken {
  page: PageAreas
  image: PDFRef
  words: PlacedWord[]
}

/**
 * Turns pages into pictures of what can be seen of them beside their areas, which are filled. Their other text stays where
 * it stands, word by word, to be found but not seen; a word that an area touches goes as a whole. Annotations stay.
 * Throws EngineError `too-large` for a page with too many pixels, `unreadable` for one that can't be drawn.
 */
export async function makePictures(document: PdfDocument, pages: readonly PageAreas[], { dpi, color }: { dpi: number; color: Colour }): Promise<void> {
  const taken = await takePictures(document, pages, { dpi, color })
  const layer = new TextLayer(document)
  // All that the pages held goes, with its tags, before they get their new content.
  await rewriteContent(
    document,
    pages.flatMap(({ index, frame }) => {
      const page = document.pages[index]
      return page ? [{ page, decider: new RemoveAreas({ holes: [EVERYWHERE], visible: boundsOfBox(frame.visible), images: 'remove' }) }] : []
    }),
  )
  for (const { page, image, words } of taken) replaceContent(document, page, { image, words, layer })
  layer.finish()
}

async function takePictures(document: PdfDocument, pages: readonly PageAreas[], { dpi, color }: { dpi: number; color: Colour }): Promise<Taken[]> {
  const renderer = await openRenderer(await withoutHidden(document))
  const taken: Taken[] = []
  try {
    for (const page of pages) {
      const picture = renderer.draw(page.index, { dpi, color: 'rgba', annotations: false })
      if (picture.dpi < dpi) document.warnings.add('scale-reduced')
      fillBoxes(picture, page, color)
      const words = renderer.readWords(page.index).filter(word => !page.areas.some(({ hole }) => meets(placeOf(word), hole)) && meets(placeOf(word), boundsOfBox(page.frame.visible)))
      taken.push({ page, image: await addImage(document, picture, 'jpeg'), words })
    }
  } finally {
    renderer.close()
  }
  return taken
}

/** The document as it is now, or a copy of it without what hidden layers hold: nobody sees that text. */
async function withoutHidden(document: PdfDocument): Promise<PdfDocument> {
  if (new HiddenLayers(document).isEmpty) return document
  const copy = reopenDocument(document)
  await removeHiddenContent(copy, new HiddenLayers(copy))
  return copy
}

/** Pixels that a box touches are filled, before the picture is compressed: nothing of them is in it. */
function fillBoxes({ width, height, pixels, dpi }: Picture, { areas, frame }: PageAreas, { r, g, b }: Colour): void {
  const scale = dpi / 72
  for (const { box } of areas) {
    if (!box) continue
    const [left, right] = [Math.max(0, Math.floor(box.x * scale)), Math.min(width, Math.ceil((box.x + box.width) * scale))]
    const [top, bottom] = [Math.max(0, Math.floor((frame.height - box.y - box.height) * scale)), Math.min(height, Math.ceil((frame.height - box.y) * scale))]
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

function replaceContent(document: PdfDocument, { index, frame }: PageAreas, { image, words, layer }: { image: PDFRef; words: PlacedWord[]; layer: TextLayer }): void {
  const page = document.pages[index]
  if (!page) return
  const text = layer.draw(words, 'T')
  const content = Buffer.from(`q ${writeNumbers(frameMatrix(frame))} cm ${writeNumbers([frame.width, 0, 0, frame.height, 0, 0])} cm /P Do Q\n${text}`, 'latin1')
  const dict = document.edit(page.ref)
  for (const key of LEFT_BEHIND) dict.delete(key)
  dict.set(RESOURCES, document.context.obj({ XObject: { P: image }, ...(text ? { Font: { T: layer.fontRef } } : {}) }))
  dict.set(CONTENTS, document.register(PDFRawStream.of(document.context.obj({ Filter: 'FlateDecode' }), deflateSync(content))))
}
