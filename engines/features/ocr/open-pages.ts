import { EngineError } from '../../errors'
import type { Page, PdfDocument } from '../../pdf/document'
import type { Box } from '../../pdf/geometry'
import { mapBox, measureFrame } from '../../pdf/geometry'
import { PageReader, tellWords } from '../../pdf/read-page'
import type { SeenWords } from '../../pdf/read-page'
import type { GrayImage } from './scans/gray-image'
import { PageRenderer } from './page-renderer'
import type { Recognizer, RecognizerSettings } from './recognizer/recognizer'
import { recognizeInParallel } from './recognizer/recognizer-pool'
import { wordsOf } from './page-text/page-text'
import type { PageText } from './page-text/page-text'

/** A page that is open for recognition. */
export interface OpenPage {
  document: PdfDocument
  page: Page
  /** From 0. */
  pageIndex: number
  images: PageRenderer
  /** The existing words of the page. */
  words: SeenWords
}

/**
 * Recognizes the pages at these positions (from 0) in parallel. Returns the results in the order of the positions.
 * Throws what `recognizePage` throws, and EngineError `too_large` for a page with too much content.
 */
export async function recognizeEach<Result>(
  document: PdfDocument,
  { pageIndexes, settings }: { pageIndexes: readonly number[]; settings: RecognizerSettings },
  recognizePage: (page: OpenPage, recognize: Recognizer['recognize']) => Promise<Result>,
): Promise<Result[]> {
  const images = new PageRenderer(document)
  const reader = new PageReader(document)
  try {
    return await recognizeInParallel(pageIndexes, settings, async (pageIndex, recognize) => {
      const page = document.pages[pageIndex]
      if (!page) throw new RangeError(`there is no page at position ${pageIndex}`)
      const words = tellWords(reader.read(page), measureFrame(document, page).visible)
      return recognizePage({ document, page, pageIndex, images, words }, recognize)
    })
  } finally {
    images.close()
  }
}

/** Returns the result of a recognition, or undefined if it exceeded the time limit of a page. */
export async function unlessTimedOut<Result>(recognition: Promise<Result>): Promise<Result | undefined> {
  try {
    return await recognition
  } catch (error) {
    if (error instanceof EngineError && error.reason === 'timed_out') return undefined
    throw error
  }
}

/**
 * Returns boxes around words, in pixels from the upper-left corner of the page image. Each box is one point larger than
 * its word on each side.
 */
export function boxesOfWords(text: PageText, dpi: number): Box[] {
  const scale = dpi / 72
  return wordsOf(text).map(({ box }) =>
    mapBox([scale, 0, 0, scale, 0, 0], { x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 }),
  )
}

/** Returns whether pixels differ by more than `contrast` shades, so that the image shows more than plain paper. */
export function hasContrast({ pixels }: GrayImage, contrast: number): boolean {
  let [least, most] = [255, 0]
  for (const shade of pixels) {
    if (shade < least) least = shade
    if (shade > most) most = shade
    if (most - least > contrast) return true
  }
  return false
}
