import { PDFArray, PDFBool, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { EngineError } from '../../../../errors'
import type { PdfDocument } from '../../../document/document'
import { decodeInChunks } from '../../../filters/decode-chunks'
import { decodeStream } from '../../../filters/filters'
import { decodeImage } from '../../../rendering/pdfium/decode-image'
import { readSampleSpace } from './color-components'
import * as Name from '../../../syntax/names'

/** The decoded samples of an image. */
export interface Samples {
  width: number
  height: number
  bits: number
  components: number
  /**
   * Rows from the top, each beginning at a byte, in chunks of any size. Don't change the chunks. There may be more or
   * fewer rows than the height.
   */
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The color space to which the samples were converted. Undefined if they are in the image's color space. */
  space: PDFName | undefined
  /** Value of overwritten pixels: all bits set, or none. */
  blank: 0 | 255
  /** Releases the decoder's memory. Call it when you no longer need the chunks. */
  close(): void
}

/** Returns whether the image is an image mask. Its samples define where to paint, not the color. */
export function isMask(document: PdfDocument, dict: PDFDict): boolean {
  return document.peek(dict.get(Name.ImageMask)) === PDFBool.True
}

/** The image's width and height in pixels. Undefined if they aren't valid. */
export function readSize(document: PdfDocument, dict: PDFDict): { width: number; height: number } | undefined {
  const width = Math.trunc(document.peekNumber(dict.get(Name.Width)) ?? 0)
  const height = Math.trunc(document.peekNumber(dict.get(Name.Height)) ?? 0)
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The layout of samples, and the value of overwritten samples. */
export interface SampleLayout {
  /** Undefined if the color space is unknown. */
  components: number | undefined
  bits: number
  blank: 0 | 255
}

/** Reads the layout of the samples from the image dictionary. */
export function readLayout(document: PdfDocument, dict: PDFDict): SampleLayout {
  const stencil = isMask(document, dict)
  const space = stencil ? { components: 1, isAdditive: true } : readSampleSpace(document, dict.get(Name.ColorSpace))
  const isInverted = (document.peekNumber(document.peekArray(dict.get(Name.Decode))?.asArray()[0]) ?? 0) > 0
  return {
    components: space.components,
    bits: stencil ? 1 : (document.peekNumber(dict.get(Name.BitsPerComponent)) ?? 8),
    // Unpainted samples of an image mask are ones, or zeros if /Decode is inverted. White in additive spaces is the
    // same.
    blank: space.isAdditive === isInverted ? 0 : 255,
  }
}

/**
 * Throws EngineError `too_large` if the samples exceed the document's inflate limit. `pixelBits` is the size of a
 * pixel.
 */
export function assertErasable(
  { limits }: PdfDocument,
  { width, height }: { width: number; height: number },
  pixelBits: number,
): void {
  if ((width * height * pixelBits) / 8 <= limits.maxInflateBytes) return
  throw new EngineError(
    'too_large',
    `An image of ${width} × ${height} pixels is too large to edit. Decoded images must be at most ` +
      `${Math.floor(limits.maxInflateBytes / 2 ** 20)} MB.`,
  )
}

/** Assumed number of components for images without a known color space. */
const MOST_COMPONENTS = 4

/**
 * Opens the samples of an image. Decodes general filters directly, and other filters with PDFium. Undefined if the
 * image can't be decoded. Throws EngineError `too_large` if the samples exceed the document's inflate limit.
 */
export async function openSamples(document: PdfDocument, image: PDFRawStream): Promise<Samples | undefined> {
  const { dict } = image
  const size = readSize(document, dict)
  if (!size) return undefined
  const { components, bits, blank } = readLayout(document, dict)
  assertErasable(document, size, (components ?? MOST_COMPONENTS) * bits)
  const resolve = (value: PDFObject | undefined): PDFObject | undefined => document.peek(value)
  const plain =
    components && [1, 2, 4, 8, 16].includes(bits)
      ? await decodeInChunks(dict, image.contents, resolve, document.limits.maxStreamBytes)
      : undefined
  if (plain && components)
    return { ...size, bits, components, chunks: plain, space: undefined, blank, close: () => undefined }
  const decoded = await decodeImage({ ...size, ...readCoded(document, image), components, bits })
  if (!decoded) return undefined
  const isConverted = decoded.components !== components
  const converted = PDFName.of(decoded.components === 1 ? 'DeviceGray' : 'DeviceRGB')
  return { ...size, ...decoded, space: isConverted ? converted : undefined, blank: isConverted ? 255 : blank }
}

/** Decodes all filters except the last one. Returns the data, and the last filter with its parameters. */
export function readCoded(document: PdfDocument, { dict, contents }: PDFRawStream) {
  const toList = (value: PDFObject | undefined): (PDFObject | undefined)[] => {
    const object = document.peek(value)
    return object instanceof PDFArray ? object.asArray().map(item => document.peek(item)) : object ? [object] : []
  }
  const filters = toList(dict.get(Name.Filter))
  const parameters = toList(dict.get(Name.DecodeParms))
  const outer = dict.clone(document.context)
  outer.set(Name.Filter, document.context.obj(filters.slice(0, -1).map(filter => filter ?? PDFName.of(''))))
  const data =
    filters.length > 1
      ? decodeStream(outer, contents, value => document.peek(value), document.limits.maxStreamBytes)
      : contents
  const last = filters.at(-1)
  const parameterDict = document.peekDict(parameters[filters.length - 1])
  const globals = document.peek(parameterDict?.get(Name.JBIG2Globals))
  const decode = document
    .peekArray(dict.get(Name.Decode))
    ?.asArray()
    .map(item => document.peekNumber(item) ?? 0)
  return {
    data: data ?? new Uint8Array(0),
    filter: last instanceof PDFName ? last.decodeText() : '',
    parameters: (parameterDict?.entries() ?? []).flatMap(([key, value]) => {
      const plain = document.peek(value)
      return plain instanceof PDFNumber || plain instanceof PDFBool ? [`${key.toString()} ${plain.toString()}`] : []
    }),
    globals:
      globals instanceof PDFRawStream
        ? decodeStream(globals.dict, globals.contents, value => document.peek(value), document.limits.maxStreamBytes)
        : undefined,
    decode,
    parameterDict,
  }
}
