import { constants, deflateSync } from 'node:zlib'
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { deflateChunks } from '../../../filters/deflate-chunks'
import type { Matrix } from '../../../geometry/matrix'
import { createEmptyImage } from '../../../images/empty-image'
import { eraseInCcitt } from './erase-in-ccitt'
import { readFax } from './fax-image'
import { eraseInSamples } from './erase-in-samples'
import type { ContentFilter, PixelCut } from '../content-filter'
import { assertErasable, isMask, openSamples, readLayout, readSize } from './image-samples'
import type { Samples } from './image-samples'
import { eraseInJpeg, measureJpegUnit } from './erase-in-jpeg'
import * as Name from '../../../syntax/names'

const FAX: (PDFObject | undefined)[] = ['CCITTFaxDecode', 'CCF'].map(name => PDFName.of(name))

/** Entries of the image dictionary that a cut image keeps (ISO 32000-2, table 87). Others may repeat its pixels. */
const KEPT = new Set(
  [
    'Type',
    'Subtype',
    'Width',
    'Height',
    'ColorSpace',
    'Decode',
    'ImageMask',
    'Mask',
    'SMask',
    'Interpolate',
    'Intent',
    'OC',
    'Matte',
    'StructParent',
    'Name',
  ].map(name => PDFName.of(name)),
)

/**
 * Size from which an image is deflated in another thread, and only for runs in the differences between pixels.
 * Searching for longer matches takes eight times as long and saves almost nothing.
 */
const LARGE_BYTES = 4_000_000

/** Maximum number of colors that a predictor may have in every PDF version (ISO 32000-2, table 8). */
const MOST_COLORS = 4

/** The value of /Predictor for rows that each name their PNG filter (ISO 32000-2, table 10). */
const PNG_PREDICTOR = 15

/** Matrices that differ by less than a fraction of a unit are the same. This is the number of steps of a unit. */
const KEY_STEPS = 1e4

interface Request {
  image: PDFRawStream
  /** The reference to the image, if it is indirect. */
  value: PDFObject | undefined
  /** Maps the unit square to default user space of the page. */
  matrix: Matrix
  filter: ContentFilter
}

interface Job {
  image: PDFRawStream
  cut: PixelCut
  target: PDFRef
}

/**
 * Cuts images: overwrites pixels that don't stay, in masks too, and deflates the copy without loss. `finish` does the
 * work, because image decoders load asynchronously.
 */
export class ImageEraser {
  private readonly made = new Map<string, PDFRef>()
  private readonly jobs: Job[] = []
  private readonly ids = new Map<PDFObject, number>()

  constructor(private readonly document: PdfDocument) {}

  /** Returns the reference of the future cut image. Undefined if the image has no pixels. */
  cut(request: Request): PDFRef | undefined {
    const { image, matrix, filter } = request
    const masks = new Map<PDFName, PDFObject>()
    for (const name of [Name.SMask, Name.Mask]) {
      const value = image.dict.get(name)
      const mask = this.document.peek(value)
      const cutMask =
        mask instanceof PDFRawStream ? this.schedule({ image: mask, value, matrix, filter }, new Map()) : undefined
      if (cutMask) masks.set(name, cutMask)
    }
    return this.schedule(request, masks)
  }

  private schedule(
    { image, value, matrix, filter }: Request,
    masks: ReadonlyMap<PDFName, PDFObject>,
  ): PDFRef | undefined {
    const size = readSize(this.document, image.dict)
    if (!size) return undefined
    const key = [
      value ? this.idOf(image) : `inline ${this.made.size}`,
      filter.key,
      ...matrix.map(number => Math.round(number * KEY_STEPS)),
    ].join(' ')
    const existing = this.made.get(key)
    if (existing) return existing
    const target = this.document.register(PDFDict.withContext(this.document.context))
    this.made.set(key, target)
    // A mask has no mask itself. If the file has one there, leave it out.
    const isOwnMask = (name: PDFName, entry: PDFObject): boolean =>
      name === Name.SMask || (name === Name.Mask && !(this.document.peek(entry) instanceof PDFArray))
    const entries = new Map(image.dict.entries().filter(([name, entry]) => !isOwnMask(name, entry)))
    for (const [name, mask] of masks) entries.set(name, mask)
    const copy = PDFRawStream.of(PDFDict.fromMapWithContext(entries, this.document.context), image.contents)
    this.jobs.push({ image: copy, cut: filter.cutImage({ matrix, ...size }), target })
    return target
  }

  /** Cuts all images for which `cut` returned a reference. Throws EngineError `too_large`. */
  async finish(): Promise<void> {
    for (const { image, cut, target } of this.jobs.splice(0)) {
      this.document.context.assign(
        target,
        this.cutPhotograph(image, cut) ?? this.cutFaxImage(image, cut) ?? (await this.cutDecoded(image, cut)),
      )
    }
  }

  private async cutDecoded(image: PDFRawStream, cut: PixelCut): Promise<PDFRawStream> {
    const samples = await openSamples(this.document, image)
    if (!samples) return createEmptyImage(this.document)
    try {
      return await this.write(image, samples, cut)
    } finally {
      samples.close()
    }
  }

  /** Keeps JPEG data if its blocks are small enough. Deflated pixels would be several times as large. */
  private cutPhotograph({ dict, contents }: PDFRawStream, cut: PixelCut): PDFRawStream | undefined {
    const { document } = this
    const size = readSize(document, dict)
    const filter = document.peek(dict.get(Name.Filter))
    const isJpeg = lastFilter(document, dict) === Name.DCTDecode && !(filter instanceof PDFArray && filter.size() > 1)
    if (!size || !isJpeg || (measureJpegUnit(contents) ?? Infinity) > cut.slackPixels) return undefined
    const data = eraseInJpeg(contents, size, cut)
    if (!data) return undefined
    const codingKeys = [Name.Filter, Name.DecodeParms, Name.BitsPerComponent]
    const entries = dict.entries().filter(([key]) => KEPT.has(key) || codingKeys.includes(key))
    return PDFRawStream.of(PDFDict.fromMapWithContext(new Map(entries), document.context), data)
  }

  /** Keeps fax data, encoded as Group 4, the smallest kind. */
  private cutFaxImage(image: PDFRawStream, cut: PixelCut): PDFRawStream | undefined {
    const { document } = this
    const size = readSize(document, image.dict)
    const { components, bits, blank } = readLayout(document, image.dict)
    if (!size || !FAX.includes(lastFilter(document, image.dict)) || components !== 1 || bits !== 1) return undefined
    assertErasable(document, size, 1)
    const { data, coding, isBlackOne } = readFax(document, image)
    const { columns } = coding
    if (columns !== size.width) return undefined
    const cutData = eraseInCcitt({ data, ...size, coding, color: (blank === 255) === isBlackOne ? 1 : 0 }, cut)
    if (!cutData) return undefined
    const entries = new Map(image.dict.entries().filter(([key]) => KEPT.has(key) || key === Name.BitsPerComponent))
    entries.set(Name.Filter, Name.CCITTFaxDecode)
    entries.set(
      Name.DecodeParms,
      document.context.obj({ K: -1, Columns: columns, Rows: size.height, ...(isBlackOne && { BlackIs1: true }) }),
    )
    return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), cutData)
  }

  private async write({ dict }: PDFRawStream, samples: Samples, cut: PixelCut): Promise<PDFRawStream> {
    const { document } = this
    const { width, height, bits, components, space } = samples
    // Ranges of colors to mask (8.9.6.4) mean nothing in a new color space.
    const isColorMask = (key: PDFName, value: PDFObject): boolean =>
      key === Name.Mask && document.peek(value) instanceof PDFArray
    const entries = new Map(
      dict.entries().filter(([key, value]) => KEPT.has(key) && !(space && isColorMask(key, value))),
    )
    if (space) {
      entries.set(Name.ColorSpace, space)
      entries.delete(Name.Decode)
    }
    if (!isMask(document, dict)) entries.set(Name.BitsPerComponent, PDFNumber.of(bits))
    entries.set(Name.Filter, Name.FlateDecode)
    // Neighboring pixels of images are similar, so a predictor helps. With few bits per sample, it doesn't.
    const isImage = bits >= 8 && components <= MOST_COLORS
    if (isImage)
      entries.set(
        Name.DecodeParms,
        document.context.obj({ Predictor: PNG_PREDICTOR, Colors: components, BitsPerComponent: bits, Columns: width }),
      )
    const chunks = eraseInSamples(samples, cut, isImage)
    const isLarge = width * height * components * bits >= LARGE_BYTES * 8
    const packed = isLarge
      ? await deflateChunks(chunks, isImage ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY)
      : deflateSync(await joinChunks(chunks))
    return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), packed)
  }

  private idOf(object: PDFObject): number {
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}

function lastFilter(document: PdfDocument, dict: PDFDict): PDFObject | undefined {
  const filter = document.peek(dict.get(Name.Filter))
  return filter instanceof PDFArray ? document.peek(filter.asArray().at(-1)) : filter
}

async function joinChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
