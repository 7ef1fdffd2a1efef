import { PDFName, PDFNull } from 'pdf-lib'
import type { PDFArray, PDFRef } from 'pdf-lib'
import { removeHiddenContent } from '../../content/rewriting/remove-layers'
import { annotationsOf } from '../../annotations/annotations'
import { bakeRotations } from '../../pages/bake-rotation'
import type { Box } from '../../geometry/box'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { measureFrame } from '../../geometry/frame'
import { reopenDocument } from '../../open-save/reopen'
import { PageReader } from '../../reading/read-page'
import { walkDestinations } from '../../pages/walk-destinations'
import { HiddenLayers } from '../../structure/hidden-layers'
import { readOutline } from '../../structure/outline'
import type { Page } from '../../document/page-tree'
import { TextLayer } from '../../content/text-layer'
import type { PlacedWord } from '../../content/text-layer'
import { openRenderer } from '../render'
import { addPageImage } from './image-object'
import * as Name from '../../syntax/names'

/**
 * Entries of a page that describe its old content: its group, private data of programs, the thumbnail, color
 * separations and the link to the structure tree.
 */
const LEFT_BEHIND = ['Group', 'PieceInfo', 'Thumb', 'SeparationInfo', 'StructParents'].map(name => PDFName.of(name))

/** Catalog entries of the logical structure. */
const STRUCTURE = ['StructTreeRoot', 'MarkInfo'].map(name => PDFName.of(name))

interface Rasterizing {
  /** Pixels per inch. */
  dpi: number
  format: 'jpeg' | 'png'
  /** Whether the text of the pages stays as invisible text, which users can search and select. */
  keepsText: boolean
}

/**
 * Replaces the content of every page by one image of the page as displayed. Pages keep their size as displayed, and
 * their /Rotate becomes 0. Annotations and form fields stay, over the image. Tags are dropped. Layers are dropped
 * unless an annotation is on a layer.
 * Throws EngineError `too_large` for a page with too many pixels, `damaged` for a page that can't be rendered.
 */
export async function rasterize(document: PdfDocument, { dpi, format, keepsText }: Rasterizing): Promise<void> {
  bakeRotations(document, document.pages)
  const layer = keepsText ? new TextLayer(document) : undefined
  const hidden = new HiddenLayers(document)
  if (!hidden.isEmpty) await removeHiddenContent(document, hidden)
  const renderer = await openRenderer(document)
  // Fonts of new text are only complete in a written file.
  const reader = layer && new PageReader(reopenDocument(document))
  try {
    for (const [index, page] of document.pages.entries()) {
      const bitmap = renderer.draw(index, { dpi, color: 'rgba', annotations: false })
      if (bitmap.dpi < dpi) document.warnings.add('scale-reduced')
      const image = await addPageImage(document, bitmap, format)
      const words = reader?.readWords(index) ?? []
      replaceContent(document, page, { image, words: wordsInside(document, page, words), layer })
    }
  } finally {
    renderer.close()
  }
  layer?.finish()
  dropStructure(document)
}

/**
 * Returns the words inside the visible area of the page. The image doesn't show other words, so their text must not
 * stay.
 */
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
  document.saving.addedFeatures.addUnchecked()
  if (STRUCTURE.some(key => catalog.has(key))) document.warnings.add('tags-dropped')
  const isLayered = document.pages.some(page =>
    annotationsOf(document, page).some(annotation => document.peekDict(annotation)?.has(Name.OC)),
  )
  for (const key of isLayered ? STRUCTURE : [...STRUCTURE, Name.OCProperties])
    if (catalog.has(key)) document.editCatalog().delete(key)
  // Bookmarks and destinations may refer to structure elements, which would keep the text of the tags in the file.
  for (const { ref, dict } of readOutline(document).all) if (dict.has(Name.SE)) document.edit(ref).delete(Name.SE)
  walkDestinations(document, document.pages, {
    visitDestination: (owner, array) => dropElement(document, owner, array),
  })
}

/** Replaces the structure element at which a destination begins (ISO 32000-2, 12.3.2.3) by the page of the element. */
function dropElement(document: PdfDocument, owner: PDFRef, array: PDFArray): void {
  const element = array.size() > 0 ? document.peekDict(array.get(0)) : undefined
  if (!element?.has(Name.S)) return
  document.store.get(owner)
  array.set(0, element.get(Name.Pg) ?? PDFNull)
}
