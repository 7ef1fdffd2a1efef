import type { PdfDocument } from '../../pdf/document'
import { assertSize, BrokenImage } from '../../pdf/images'
import type { Density, EmbeddedImage } from '../../pdf/images'
import { addRaster } from './raster'
import type { TiffPage } from './tiff'
import { embedFax, isFax } from './tiff-fax'
import { JPEG, embedWholeJpeg } from './tiff-jpeg'
import { toRaster } from './tiff-colors'
import { TiffProblem } from './tiff-problem'
import { decodeParts } from './decode-tiff-samples'

/**
 * Adds a page of a TIFF file as an image XObject. Fax data stays black and white in Group 4. JPEG data of a single part
 * is copied. Everything else is stored without loss. Throws BrokenImage, LargeImage.
 */
export async function embedTiffPage(
  document: PdfDocument,
  page: TiffPage,
  { pageNumber, usualPerInch }: { pageNumber: number; usualPerInch: Density },
): Promise<EmbeddedImage> {
  assertSize(page, document)
  try {
    if (isFax(page)) return embedFax(document, page, usualPerInch)
    const copied = page.compression === JPEG ? embedWholeJpeg(document, page, usualPerInch) : undefined
    return copied ?? addRaster(document, toRaster(page, await decodeParts(page)), usualPerInch)
  } catch (error) {
    if (error instanceof TiffProblem)
      throw new BrokenImage(`is a TIFF file ${error.message.replace('{page}', String(pageNumber))}`, {
        cause: error.cause,
      })
    throw error
  }
}
