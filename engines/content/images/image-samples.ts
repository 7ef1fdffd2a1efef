import { PDFArray, PDFBool, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { PdfDocument } from '../../pdf-core/document/document'
import { decodeInChunks } from '../../pdf-core/filters/decode-chunks'
import { decodeStream } from '../../pdf-core/filters/filters'
import { decodeImage } from '../../pdfium/decode-image'
import { readSampleSpace } from './color-components'
import * as Name from '../../pdf-core/syntax/names'

/** The samples of an image. */
export interface Samples {
  width: number
  height: number
  bits: number
  components: number
  /**
   * Rows from the top, each of whole bytes, in pieces of any length that must not be changed. There may be too many or
   * too few.
   */
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Undefined: the samples are in the color space of the image. Otherwise they were converted to this one. */
  space: PDFName | undefined
  /** What a pixel is overwritten with: all bits set, or none. */
  blank: 0 | 255
  /** Gives back what decoding holds. Call it when the pieces are no longer needed. */
  close(): void
}

/** Whether the image is a stencil: its samples say where to paint, not in which color. */
export function isMask(document: PdfDocument, dict: PDFDict): boolean {
  return document.peek(dict.get(Name.ImageMask)) === PDFBool.True
}

/** Pixels across and down as the image states them; undefined for none. */
export function readSize(document: PdfDocument, dict: PDFDict): { width: number; height: number } | undefined {
  const width = Math.trunc(document.peekNumber(dict.get(Name.Width)) ?? 0)
  const height = Math.trunc(document.peekNumber(dict.get(Name.Height)) ?? 0)
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The overwritten value of samples, and how they are counted. */
export interface SampleLayout {
  /** Undefined for a color space that can't be told. */
  components: number | undefined
  bits: number
  blank: 0 | 255
}

/** How the samples of an image are packed, by its dictionary. */
export function readLayout(document: PdfDocument, dict: PDFDict): SampleLayout {
  const stencil = isMask(document, dict)
  const space = stencil ? { components: 1, isAdditive: true } : readSampleSpace(document, dict.get(Name.ColorSpace))
  const isInverted = (document.peekNumber(document.peekArray(dict.get(Name.Decode))?.asArray()[0]) ?? 0) > 0
  return {
    components: space.components,
    bits: stencil ? 1 : (document.peekNumber(dict.get(Name.BitsPerComponent)) ?? 8),
    // An unpainted stencil has ones, or zeros when its decoding is turned round; so has white in additive spaces.
    blank: space.isAdditive === isInverted ? 0 : 255,
  }
}

/** Throws EngineError `too-large` for more samples than a document may inflate to; `pixelBits` are those of a pixel. */
export function assertCuttable(
  { limits }: PdfDocument,
  { width, height }: { width: number; height: number },
  pixelBits: number,
): void {
  if ((width * height * pixelBits) / 8 <= limits.maxInflateBytes) return
  throw new EngineError(
    'too-large',
    `A picture of ${width} × ${height} pixels is too large to be cut; its samples may take up to ` +
      `${Math.floor(limits.maxInflateBytes / 1e6)} MB.`,
  )
}

/** Samples of pixels without a known color space, at most. */
const MOST_COMPONENTS = 4

/**
 * The samples of an image: as they are where general filters compress them, else as PDFium decodes them. Undefined when
 * nothing can be decoded. Throws EngineError `too-large` for more samples than a document may inflate to.
 */
export async function openSamples(document: PdfDocument, image: PDFRawStream): Promise<Samples | undefined> {
  const { dict } = image
  const size = readSize(document, dict)
  if (!size) return undefined
  const { components, bits, blank } = readLayout(document, dict)
  assertCuttable(document, size, (components ?? MOST_COMPONENTS) * bits)
  const resolve = (value: PDFObject | undefined): PDFObject | undefined => document.peek(value)
  const plain =
    components && [1, 2, 4, 8, 16].includes(bits)
      ? await decodeInChunks(dict, image.contents, resolve, document.limits.maxStreamBytes)
      : undefined
  if (plain && components)
    return { ...size, bits, components, pieces: plain, space: undefined, blank, close: () => undefined }
  const decoded = await decodeImage({ ...size, ...readCoded(document, image), components, bits })
  if (!decoded) return undefined
  const isConverted = decoded.components !== components
  const converted = PDFName.of(decoded.components === 1 ? 'DeviceGray' : 'DeviceRGB')
  return { ...size, ...decoded, space: isConverted ? converted : undefined, blank: isConverted ? 255 : blank }
}

/** The data up to the last filter, and that filter with its parameters: a picture's own. */
export function readCoded(document: PdfDocument, { dict, contents }: PDFRawStream) {
  const listOf = (value: PDFObject | undefined): (PDFObject | undefined)[] => {
    const object = document.peek(value)
    return object instanceof PDFArray ? object.asArray().map(item => document.peek(item)) : object ? [object] : []
  }
  const filters = listOf(dict.get(Name.Filter))
  const parameters = listOf(dict.get(Name.DecodeParms))
  const outer = dict.clone(document.context)
  outer.set(Name.Filter, document.context.obj(filters.slice(0, -1).map(filter => filter ?? PDFName.of(''))))
  const data =
    filters.length > 1
      ? decodeStream(outer, contents, value => document.peek(value), document.limits.maxStreamBytes)
      : contents
  const last = filters.at(-1)
  const own = document.peekDict(parameters[filters.length - 1])
  const globals = document.peek(own?.get(Name.JBIG2Globals))
  const decode = document
    .peekArray(dict.get(Name.Decode))
    ?.asArray()
    .map(item => document.peekNumber(item) ?? 0)
  return {
    data: data ?? new Uint8Array(0),
    filter: last instanceof PDFName ? last.decodeText() : '',
    parameters: (own?.entries() ?? []).flatMap(([key, value]) => {
      const plain = document.peek(value)
      return plain instanceof PDFNumber || plain instanceof PDFBool ? [`${key.toString()} ${plain.toString()}`] : []
    }),
    globals:
      globals instanceof PDFRawStream
        ? decodeStream(globals.dict, globals.contents, value => document.peek(value), document.limits.maxStreamBytes)
        : undefined,
    decode,
    own,
  }
}
