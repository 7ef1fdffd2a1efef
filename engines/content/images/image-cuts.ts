import { constants, deflateSync } from 'node:zlib'
import { PDFArray, PDFBool, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { deflateChunks } from '../../pdf-core/filters/deflate-chunks'
import type { Matrix } from '../../pdf-core/geometry/matrix'
import { cutCcitt } from './cut-ccitt'
import { cutSamples } from './cut-samples'
import type { ContentFilter, PixelCut } from '../content-filter'
import { assertCuttable, isMask, openSamples, readCoded, readLayout, readSize } from './image-samples'
import type { Samples } from './image-samples'
import { cutJpeg, measureJpegUnit } from './cut-jpeg'
import * as Name from '../../pdf-core/syntax/names'

const FAX: (PDFObject | undefined)[] = ['CCITTFaxDecode', 'CCF'].map(name => PDFName.of(name))

/** Pixels in a row of fax data that don't state it (ISO 32000-2, table 11). */
const FAX_COLUMNS = 1728

/** What a cut image keeps of the original's dictionary (ISO 32000-2, table 87); anything else may repeat its pixels. */
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
 * Samples of a picture from which on it counts how long deflating takes: another thread does it, and it looks only for
 * runs among the differences between pixels. Looking for more takes eight times as long, for nothing.
 */
const LARGE_BYTES = 4_000_000

/** Samples of a pixel that a predictor may have in every version of the format (ISO 32000-2, table 8). */
const MOST_COLORS = 4

interface Request {
  image: PDFRawStream
  /** The reference to it, if it has one. */
  value: PDFObject | undefined
  /** From the unit square to the user space of the page. */
  matrix: Matrix
  decider: ContentFilter
}

interface Job {
  image: PDFRawStream
  cut: PixelCut
  target: PDFRef
}

/**
 * Cuts images: pixels that do not stay are overwritten, in masks too, and the copy is deflated without loss. The work
 * is put off, because decoders have to be loaded first: `finish` does it.
 */
export class ImageCuts {
  private readonly made = new Map<string, PDFRef>()
  private readonly jobs: Job[] = []
  private readonly ids = new Map<PDFObject, number>()

  constructor(private readonly document: PdfDocument) {}

  /** The object that the cut image will be; undefined for one without pixels. */
  cut(request: Request): PDFRef | undefined {
    const { image, matrix, decider } = request
    const masks = new Map<PDFName, PDFObject>()
    for (const name of [Name.SMask, Name.Mask]) {
      const value = image.dict.get(name)
      const mask = this.document.peek(value)
      const cutMask =
        mask instanceof PDFRawStream ? this.order({ image: mask, value, matrix, decider }, new Map()) : undefined
      if (cutMask) masks.set(name, cutMask)
    }
    return this.order(request, masks)
  }

  private order(
    { image, value, matrix, decider }: Request,
    masks: ReadonlyMap<PDFName, PDFObject>,
  ): PDFRef | undefined {
    const size = readSize(this.document, image.dict)
    if (!size) return undefined
    const key = [
      value ? this.idOf(image) : `inline ${this.made.size}`,
      decider.key,
      ...matrix.map(number => Math.round(number * 1e4)),
    ].join(' ')
    const known = this.made.get(key)
    if (known) return known
    const target = this.document.register(PDFDict.withContext(this.document.context))
    this.made.set(key, target)
    // Masks have no masks of their own: what such a file names there must not come along.
    const entries = new Map(
      image.dict
        .entries()
        .filter(
          ([name, entry]) =>
            name !== Name.SMask && (name !== Name.Mask || this.document.peek(entry) instanceof PDFArray),
        ),
    )
    for (const [name, mask] of masks) entries.set(name, mask)
    const copy = PDFRawStream.of(PDFDict.fromMapWithContext(entries, this.document.context), image.contents)
    this.jobs.push({ image: copy, cut: decider.cutImage({ matrix, ...size }), target })
    return target
  }

  /** Cuts what `cut` promised. Throws EngineError `too-large`. */
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
    if (!samples) return this.writeNothing()
    try {
      return await this.write(image, samples, cut)
    } finally {
      samples.close()
    }
  }

  /** JPEG data stay JPEG data where their blocks are fine enough: deflated they would be several times as large. */
  private cutPhotograph({ dict, contents }: PDFRawStream, cut: PixelCut): PDFRawStream | undefined {
    const { document } = this
    const size = readSize(document, dict)
    const filter = document.peek(dict.get(Name.Filter))
    const isJpeg = lastFilter(document, dict) === Name.DCTDecode && !(filter instanceof PDFArray && filter.size() > 1)
    if (!size || !isJpeg || (measureJpegUnit(contents) ?? Infinity) > cut.slackPixels) return undefined
    const data = cutJpeg(contents, size, cut)
    if (!data) return undefined
    const entries = dict
      .entries()
      .filter(
        ([key]) => KEPT.has(key) || key === Name.Filter || key === Name.DecodeParms || key === Name.BitsPerComponent,
      )
    return PDFRawStream.of(PDFDict.fromMapWithContext(new Map(entries), document.context), data)
  }

  /** Fax data stay fax data, of the kind that takes least. */
  private cutFaxImage(image: PDFRawStream, cut: PixelCut): PDFRawStream | undefined {
    const { document } = this
    const size = readSize(document, image.dict)
    const { components, bits, blank } = readLayout(document, image.dict)
    if (!size || !FAX.includes(lastFilter(document, image.dict)) || components !== 1 || bits !== 1) return undefined
    assertCuttable(document, size, 1)
    const { data, own } = readCoded(document, image)
    const numberOf = (name: string): number | undefined => document.peekNumber(own?.get(PDFName.of(name)))
    const isSet = (name: string): boolean => document.peek(own?.get(PDFName.of(name))) === PDFBool.True
    const columns = numberOf('Columns') ?? FAX_COLUMNS
    if (columns !== size.width) return undefined
    const isBlackOne = isSet('BlackIs1')
    const coding = {
      k: numberOf('K') ?? 0,
      columns,
      isAligned: isSet('EncodedByteAlign'),
      hasEndOfLines: isSet('EndOfLine'),
    }
    const cutData = cutCcitt({ data, ...size, coding, color: (blank === 255) === isBlackOne ? 1 : 0 }, cut)
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
    const entries = new Map(
      dict
        .entries()
        .filter(
          ([key, value]) => KEPT.has(key) && !(key === Name.Mask && space && document.peek(value) instanceof PDFArray),
        ),
    )
    if (space) {
      entries.set(Name.ColorSpace, space)
      entries.delete(Name.Decode)
    }
    if (!isMask(document, dict)) entries.set(Name.BitsPerComponent, PDFNumber.of(bits))
    entries.set(Name.Filter, Name.FlateDecode)
    // Neighboring pixels of pictures are alike; of few bits each, deflating finds that by itself.
    const isImage = bits >= 8 && components <= MOST_COLORS
    if (isImage)
      entries.set(
        Name.DecodeParms,
        document.context.obj({ Predictor: 15, Colors: components, BitsPerComponent: bits, Columns: width }),
      )
    const pieces = cutSamples(samples, cut, isImage)
    const isLarge = width * height * components * bits >= LARGE_BYTES * 8
    const packed = isLarge
      ? await deflateChunks(pieces, isImage ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY)
      : deflateSync(await joinPieces(pieces))
    return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), packed)
  }

  /**
   * In the place of a picture that can't be decoded, which viewers don't show either: a stencil that paints nothing.
   */
  private writeNothing(): PDFRawStream {
    const dict = this.document.context.obj({
      Type: 'XObject',
      Subtype: 'Image',
      Width: 1,
      Height: 1,
      ImageMask: true,
      BitsPerComponent: 1,
    })
    return PDFRawStream.of(dict, Uint8Array.of(0x80))
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

async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts)
}
