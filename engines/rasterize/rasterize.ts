import { PDFName } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { removeHiddenContent } from '../content/remove-layers'
import { annotationsOf } from '../pdf-core/annotations/annotations'
import { bakeRotations } from '../pdf-core/pages/bake-rotation'
import type { Box } from '../pdf-core/geometry/box'
import { addDeflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { measureFrame } from '../pdf-core/geometry/frame'
import { HiddenLayers } from '../pdf-core/structure/hidden-layers'
import { readOutline } from '../pdf-core/structure/outline'
import type { Page } from '../pdf-core/document/page-tree'
import { TextLayer } from '../pdf-core/content/text-layer'
import type { PlacedWord } from '../pdf-core/content/text-layer'
import { openRenderer } from '../pdfium/render'
import { addImage } from './image-object'
import * as Name from '../pdf-core/syntax/names'

/**
 * What a page keeps of its old content: its group, private data of programs, a small picture, its place in the
 * structure.
 */
const LEFT_BEHIND = ['Group', 'PieceInfo', 'Thumb', 'SeparationInfo', 'StructParents'].map(name => PDFName.of(name))

/** What the document says of its old content: structure and layers. */
const STRUCTURE = ['StructTreeRoot', 'MarkInfo'].map(name => PDFName.of(name))

interface Rasterizing {
  /** Pixels an inch. */
  dpi: number
  format: 'jpeg' | 'png'
  /** Whether the text of the pages stays, where it stands, to be found and selected but not seen. */
  keepsText: boolean
}

/**
 * Turns the content of every page into one picture of it as seen; pages keep their size, upright ones without /Rotate.
 * Annotations and fields stay what they are, over the picture. Tags are dropped, and so are layers when nothing that
 * stays is in one.
 * Throws EngineError `too-large` for a page with too many pixels, `unreadable` for one that can't be drawn.
 */
export async function rasterize(document: PdfDocument, { dpi, format, keepsText }: Rasterizing): Promise<void> {
  bakeRotations(document, document.pages)
  const layer = keepsText ? new TextLayer(document) : undefined
  const hidden = new HiddenLayers(document)
  if (!hidden.isEmpty) await removeHiddenContent(document, hidden)
  const renderer = await openRenderer(document)
  try {
    for (const [index, page] of document.pages.entries()) {
      const bitmap = renderer.draw(index, { dpi, color: 'rgba', annotations: false })
      if (bitmap.dpi < dpi) document.warnings.add('scale-reduced')
      const image = await addImage(document, bitmap, format)
      replaceContent(document, page, {
        image,
        words: layer ? wordsInside(document, page, renderer.readWords(index)) : [],
        layer,
      })
    }
  } finally {
    renderer.close()
  }
  layer?.finish()
  dropStructure(document)
}

/** What stands outside of the page as seen is not in the picture, and shall not stay as text. */
function wordsInside(document: PdfDocument, page: Page, words: PlacedWord[]): PlacedWord[] {
  const { visible } = measureFrame(document, page)
  return words.filter(word => isInside(visible, word))
}

function isInside({ x, y, width, height }: Box, word: PlacedWord): boolean {
  const angle = (word.angleDeg * Math.PI) / 180
  const [middleX, middleY] = [
    word.x + (Math.cos(angle) * word.length) / 2,
    word.y + (Math.sin(angle) * word.length) / 2,
  ]
  return middleX >= x && middleX <= x + width && middleY >= y && middleY <= y + height
}

function replaceContent(
  document: PdfDocument,
  page: Page,
  { image, words, layer }: { image: PDFRef; words: PlacedWord[]; layer: TextLayer | undefined },
): void {
  const { visible } = measureFrame(document, page)
  const place = [visible.width, 0, 0, visible.height, visible.x, visible.y]
    .map(number => String(Math.round(number * 10_000) / 10_000))
    .join(' ')
  const text = layer?.draw(words, 'T') ?? ''
  const content = Buffer.from(`q ${place} cm /P Do Q\n${text}`, 'latin1')
  const dict = document.edit(page.ref)
  for (const key of LEFT_BEHIND) dict.delete(key)
  dict.set(
    Name.Resources,
    document.context.obj({ XObject: { P: image }, ...(layer && text ? { Font: { T: layer.fontRef } } : {}) }),
  )
  dict.set(Name.Contents, addDeflatedStream(document, content))
}

function dropStructure(document: PdfDocument): void {
  const { catalog } = document
  document.addedFeatures.addUnchecked()
  if (STRUCTURE.some(key => catalog.has(key))) document.warnings.add('tags-dropped')
  const isLayered = document.pages.some(page =>
    annotationsOf(document, page).some(annotation => document.peekDict(annotation)?.has(Name.OC)),
  )
  for (const key of isLayered ? STRUCTURE : [...STRUCTURE, Name.OCProperties])
    if (catalog.has(key)) document.editCatalog().delete(key)
  // Bookmarks may lead to elements of the structure too, which would keep it in the file with all it says.
  for (const { ref, dict } of readOutline(document).all) {
    if (dict.has(Name.SE)) document.edit(ref).delete(Name.SE)
    if (document.peekDict(dict.get(Name.A))?.has(Name.SD)) document.editDict(ref, Name.A)?.delete(Name.SD)
  }
}
