import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { isMask, openSamples } from '../content/rewriting/erasing/image-samples'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

/** Entries that no longer apply once an image is decoded and encoded again. */
const REPLACED = [Name.Decode, PDFName.of('SMaskInData')]

/**
 * Decodes an image as far as PDFium can, and deflates its samples, for data that can't be followed otherwise. Undefined
 * if PDFium can't decode it, or if it is too large.
 */
export async function recodeImage(document: PdfDocument, image: PDFRawStream): Promise<PDFRawStream | undefined> {
  try {
    const samples = await openSamples(document, image)
    if (!samples) return undefined
    const parts: Uint8Array[] = []
    try {
      for await (const part of samples.chunks) parts.push(Buffer.from(part))
    } finally {
      samples.close()
    }
    const { width, height, bits, components, space } = samples
    const length = height * Math.ceil((width * components * bits) / 8)
    const written = deflatedStream(document, image.dict, Buffer.concat(parts).subarray(0, length))
    if (!isMask(document, image.dict)) written.dict.set(Name.BitsPerComponent, PDFNumber.of(bits))
    if (!space) return written
    written.dict.set(Name.ColorSpace, space)
    for (const key of REPLACED) written.dict.delete(key)
    return written
  } catch (error) {
    if (isEngineError(error)) return undefined
    throw error
  }
}
