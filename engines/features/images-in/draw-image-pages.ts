import { createHash } from 'node:crypto'
import { EngineError } from '../../errors'
import { isGray, writeColor } from '../../options/colors'
import type { Color } from '../../options/colors'
import { addContentStream } from '../../pdf/rewrite-content'
import type { Page, PdfDocument } from '../../pdf/document'
import { setPages, writeOutline } from '../../pdf/document'
import type { EmbeddedImage } from '../../pdf/images'
import { drawImage } from '../../pdf/images'
import { createPage } from '../../pdf/page'
import { writeNumbers, writeText } from '../../pdf/syntax'
import * as Name from '../../pdf/names'
import { embedImageFile } from './embed-file'
import { placeImage } from './place-image'
import type { PageLayout, PlacedImage } from './place-image'

/** How images become pages. */
export interface ImagePagesSettings {
  layout: PageLayout
  /** Pixels per inch of images that don't state it. */
  usualDpi: number
  background: Color
  /** Whether each file gets a bookmark with its name. */
  bookmarks: boolean
}

/** A page that was drawn: the size of its image in pixels, and of the whole image on the page in points. */
export interface DrawnPage {
  image: EmbeddedImage
  placed: PlacedImage
}

/**
 * Fills an empty document with one page for each image, in the order of the files. Throws EngineError `damaged`,
 * `too_large` or `options_invalid` with the parameter `files[n]`.
 */
export async function drawImagePages(
  document: PdfDocument,
  files: readonly { name: string; bytes: Uint8Array }[],
  { layout, usualDpi, background, bookmarks }: ImagePagesSettings,
): Promise<DrawnPage[]> {
  const drawn: DrawnPage[] = []
  const pages: Page[] = []
  const starts: { name: string; page: Page }[] = []
  const known = new Map<string, EmbeddedImage[]>()
  for (const [index, { name, bytes }] of files.entries()) {
    const param = `files[${index}]`
    const maxImages = document.limits.maxPagesOut - pages.length
    if (maxImages < 1) throw tooMany(document, param)
    const key = createHash('sha256').update(bytes).digest('hex')
    const images = known.get(key) ?? (await embedImageFile(document, bytes, { param, usualDpi, maxImages }))
    known.set(key, images)
    if (images.length > maxImages) throw tooMany(document, param)
    for (const [position, image] of images.entries()) {
      const placed = placeImage(image, layout, param)
      const page = drawPage(document, { image, placed }, background)
      if (position === 0) starts.push({ name, page })
      pages.push(page)
      drawn.push({ image, placed })
    }
  }
  setPages(document, pages)
  if (bookmarks) addBookmarks(document, starts)
  return drawn
}

function tooMany({ limits }: PdfDocument, param: string): EngineError {
  return new EngineError(
    'too_large',
    `${param}: must not be beyond page ${limits.maxPagesOut.toLocaleString('en')} of the PDF. Send fewer images.`,
    { param },
  )
}

function drawPage(document: PdfDocument, { image, placed }: DrawnPage, background: Color): Page {
  const { page: size, box, clip } = placed
  const page = createPage(document, size)
  const isWhite = isGray(background) && background.r === 255
  const paper = isWhite
    ? ''
    : `q ${writeColor(background, 'rg')} 0 0 ${writeNumbers([size.width, size.height])} re f Q\n`
  const edge = clip ? `${writeNumbers([clip.x, clip.y, clip.width, clip.height])} re W n ` : ''
  const dict = document.edit(page.ref)
  dict.set(Name.Resources, document.context.obj({ XObject: { Image: image.ref } }))
  dict.set(Name.Contents, addContentStream(document, `${paper}q ${edge}${drawImage(image, 'Image', box)} Q\n`))
  return page
}

function addBookmarks(document: PdfDocument, starts: readonly { name: string; page: Page }[]): void {
  const items = starts.map(({ name, page }) => {
    const dict = document.context.obj({ Title: writeText(name), Dest: [page.ref, 'Fit'] })
    return { ref: document.register(dict), dict, children: [], isOpen: false }
  })
  writeOutline(document, items)
}
