import { PDFArray, PDFHexString, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readLayout, readSize } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import { stripJp2, stripJpeg } from '../../../pdf/images'
import * as Name from '../../../pdf/names'
import { isEngineError } from '../../../errors'
import { classifyImage, withoutColor } from './classify-image'
import type { ImageFacts } from './classify-image'
import { deviceSpace, hasUsualDecode, readSpace } from './color-space'
import type { ImageSpace } from './color-space'
import { codeBitmap, codeExactly, codeIndexes, codeJpeg, estimateExactly, writeImage } from './encode-image'
import type { CodedImage } from './encode-image'
import type { DrawnSize } from './image-uses'
import { estimateQuality } from './jpeg-quality'
import { shrinkBitmap, shrinkRaster, toBitmap } from './raster'
import type { Bitmap, Raster } from './raster'
import { CMYK_COMPONENTS, isLossyFilter, lastFilter, readImage, takeStrips } from './read-image'
import type { DecodedSamples, ImageRole } from './read-image'
import { ANY_DPI } from './settings'
import type { ImageSettings } from './settings'

/** Resolution above the limit at which reducing an image isn't worth the loss. */
const TOLERANCE = 1.2

/** Share of its old size that new data must stay below: lossy data would otherwise lose quality for nothing. */
const WORTHWHILE = 0.95
const WORTHWHILE_LOSSY = 0.85

/** Resolution from which letters stay legible in black and white. */
const LEGIBLE_DPI = 200

/** Size of exact data from which JPEG data is tried for images with few colors. */
const SMALL_BYTES = 20_000

/** Estimated size of exact data, relative to the size that it must not exceed, from which it isn't tried. */
const UNLIKELY = 1.3

/** Bits per pixel up to which JPEG 2000 data stays as it is, because JPEG data would rarely be smaller. */
const FEW_BITS = 0.35

/** Difference to the estimated quality of JPEG data from which a lower quality saves something. */
const QUALITY_GAIN = 5

/** Quality of the JPEG data of soft masks: a bit higher, because their noise shows in plain areas, and not above this. */
const ALPHA_BONUS = 10
const BEST_QUALITY = 95

/** Number of gray levels up to which a palette saves bits. */
const MOST_GRAYS = 16

/** An image to code anew. */
export interface ImageRequest {
  image: PDFRawStream
  role: ImageRole
  /** The largest size at which it is drawn. Undefined if it isn't known. */
  drawn: DrawnSize | undefined
  /** Whether colors may be written in DeviceGray. */
  mayUseGray: boolean
}

/**
 * Codes an image anew, at a lower resolution if the settings say so. Undefined if that isn't possible or if it saves
 * nothing. The result keeps all other entries of the image. `decode` decodes it like `readImage`.
 */
export async function shrinkImage(
  document: PdfDocument,
  request: ImageRequest,
  settings: ImageSettings,
  decode: typeof readImage = readImage,
): Promise<PDFRawStream | undefined> {
  const { image } = request
  if (hasColorKey(document, image)) return undefined
  const isNoisy = isLossyFilter(lastFilter(document, image.dict))
  if (isNoisy && !isWorthTrying(document, request, settings)) return stripImage(document, image)
  const decoded = await decodeFor(document, request, settings, decode)
  const coded = decoded && (await new ImageCoder(document, request, settings, isNoisy).code(decoded))
  if (coded && coded.data.length < mostBytes(request, settings, isNoisy)) return writeImage(document, image, coded)
  return decoded && isNoisy ? stripImage(document, image) : undefined
}

/** The size of an image with any settings, estimated from some strips of it. */
export interface ImageEstimate {
  /** Estimates the size of the data in bytes that `shrinkImage` returns. */
  (settings: ImageSettings): Promise<number>
}

/** Decodes an image once, and returns a function that estimates its size. `settings` decide how it is decoded. */
export async function openEstimate(
  document: PdfDocument,
  request: ImageRequest,
  settings: ImageSettings,
  decode: typeof readImage = readImage,
): Promise<ImageEstimate> {
  const { image } = request
  const size = image.contents.length
  const isNoisy = isLossyFilter(lastFilter(document, image.dict))
  const decoded = hasColorKey(document, image) ? undefined : await decodeFor(document, request, settings, decode)
  if (!decoded) return () => Promise.resolve(size)
  const { strips, share } = takeStrips(decoded)
  return async tried => {
    if (isNoisy && !isWorthTrying(document, request, tried)) return size
    const coded = await new ImageCoder(document, request, tried, isNoisy).code(strips)
    const estimate = coded ? coded.data.length / share : size
    return estimate < mostBytes(request, tried, isNoisy) ? estimate : size
  }
}

/** A mask of color ranges compares exact samples. A soft mask takes its place (ISO 32000-2, table 87). */
function hasColorKey(document: PdfDocument, { dict }: PDFRawStream): boolean {
  return document.peek(dict.get(Name.Mask)) instanceof PDFArray && !dict.has(Name.SMask)
}

/** Decodes an image. Undefined if it must stay as it is. Warns if it is too large. */
async function decodeFor(
  document: PdfDocument,
  request: ImageRequest,
  settings: ImageSettings,
  decode: typeof readImage,
): Promise<DecodedSamples | undefined> {
  try {
    return await decode(document, request.image, {
      mayReduce: factor => mayReduce(document, request, settings, factor),
      convertsCmyk: settings.convertsCmyk,
    })
  } catch (error) {
    if (!isEngineError(error) || (error.reason !== 'damaged' && error.reason !== 'too_large')) throw error
    if (error.reason === 'too_large') document.warnings.add('image-not-compressed')
    return undefined
  }
}

/** The size that new data must stay below. */
function mostBytes({ image }: ImageRequest, { isLossy }: ImageSettings, isNoisy: boolean): number {
  return image.contents.length * (isNoisy && isLossy ? WORTHWHILE_LOSSY : WORTHWHILE)
}

/** Returns whether coding lossy data again can save something without needless loss. */
function isWorthTrying(document: PdfDocument, request: ImageRequest, settings: ImageSettings): boolean {
  const size = readSize(document, request.image.dict)
  if (!settings.isLossy || !size) return false
  const target = targetSize(size, request.drawn, settings, settings.photoDpi)
  if (target.width < size.width || target.height < size.height) return true
  const { contents } = request.image
  if (lastFilter(document, request.image.dict) === 'JPXDecode')
    return contents.length * 8 > size.width * size.height * FEW_BITS
  const quality = estimateQuality(contents)
  return quality === undefined || quality > settings.quality + QUALITY_GAIN
}

/**
 * Returns whether an image may be decoded with its width and height divided by `factor`, because its new size isn't
 * larger.
 */
function mayReduce(document: PdfDocument, request: ImageRequest, settings: ImageSettings, factor: number): boolean {
  const size = readSize(document, request.image.dict)
  if (!settings.isLossy || !size) return false
  // Only settings for a target size get here without a limit. They may reduce the resolution as far as they need.
  if (settings.photoDpi === ANY_DPI) return true
  const target = targetSize(size, request.drawn, settings, settings.photoDpi)
  return target.width * factor <= size.width && target.height * factor <= size.height
}

/** Removes data from a JPEG or JPEG 2000 file that readers of the PDF don't show. */
function stripImage(document: PdfDocument, image: PDFRawStream): PDFRawStream | undefined {
  const filter = document.peek(image.dict.get(Name.Filter))
  if (filter instanceof PDFArray && filter.size() > 1) return undefined
  const name = lastFilter(document, image.dict)
  const stripped = name === 'JPXDecode' ? stripJp2(image.contents) : stripJpeg(image.contents)
  return stripped && stripped.length < image.contents.length ? PDFRawStream.of(image.dict, stripped) : undefined
}

interface Size {
  width: number
  height: number
}

function targetSize(size: Size, drawn: DrawnSize | undefined, settings: ImageSettings, dpi: number): Size {
  const fit = (pixels: number, inches: number | undefined): number => {
    const most = inches === undefined || inches <= 0 ? Infinity : inches * dpi
    const fitting = pixels > most * TOLERANCE ? most : pixels
    return Math.max(1, Math.min(pixels, Math.round(fitting * settings.scale)))
  }
  return { width: fit(size.width, drawn?.width), height: fit(size.height, drawn?.height) }
}

/** Codes the samples of one image in the ways that fit what it shows. */
class ImageCoder {
  private readonly space: ImageSpace

  constructor(
    private readonly document: PdfDocument,
    private readonly request: ImageRequest,
    private readonly settings: ImageSettings,
    private readonly isNoisy: boolean,
  ) {
    this.space = readSpace(document, request.image.dict.get(Name.ColorSpace))
  }

  async code(decoded: DecodedSamples): Promise<CodedImage | undefined> {
    if (decoded.bitmap) return this.codeBitmap(decoded.bitmap)
    const { raster } = decoded
    if (!raster) return undefined
    const { dict } = this.request.image
    if (decoded.isConverted) {
      // Only JPEG 2000 data may come without a color space. CMYK is only decoded if it may become RGB.
      if (dict.has(Name.ColorSpace) && readLayout(this.document, dict).components !== CMYK_COMPONENTS) return undefined
      const space = deviceSpace(raster.channels)
      const kind = raster.channels === 1 ? 'gray' : 'rgb'
      return this.codeColors(raster, { kind, isPlain: true }, space)
    }
    if (this.space.kind === 'indexed') return this.codePalette(raster, decoded.bits)
    if (this.space.kind === 'other') return undefined
    const most = (1 << decoded.bits) - 1
    const whole = most === 255 ? raster : { ...raster, samples: raster.samples.map(sample => (sample * 255) / most) }
    return this.codeColors(whole, this.space, undefined)
  }

  private codeBitmap(bitmap: Bitmap): CodedImage | undefined {
    const { settings, request } = this
    const target = targetSize(bitmap, request.drawn, settings, settings.bilevelDpi)
    const isSame = target.width === bitmap.width && target.height === bitmap.height
    // The file's own JBIG2 data may repeat symbols, which takes less space.
    if (isSame && lastFilter(this.document, request.image.dict) === 'JBIG2Decode') return undefined
    if (isSame || !settings.isLossy) return codeBitmap(bitmap)
    return codeBitmap(shrinkBitmap(bitmap, target.width, target.height))
  }

  private async codePalette(raster: Raster, bits: number): Promise<CodedImage | undefined> {
    const { palette } = this.space
    if (!palette || !hasUsualDecode(this.document, this.request.image.dict, (1 << bits) - 1)) return undefined
    const { colors, channels, base, isPlain } = palette
    const space: ImageSpace = { kind: channels === 1 ? 'gray' : 'rgb', isPlain }
    const isGray = channels === 3 && isGrayTable(colors) && this.mayBeGray(space)
    const samples = isGray ? lookUp(raster.samples, firstChannel(colors), 1) : lookUp(raster.samples, colors, channels)
    return this.codeColors({ ...raster, channels: isGray ? 1 : channels, samples }, space, base)
  }

  /** Codes gray levels or colors. `given` is their color space, if it isn't that of the image. */
  private async codeColors(
    raster: Raster,
    space: ImageSpace,
    given: PDFObject | undefined,
  ): Promise<CodedImage | undefined> {
    const { settings, request, isNoisy } = this
    const facts = classifyImage(raster, isNoisy)
    const isGray = facts.isGray && this.mayBeGray(space)
    const newSpace = isGray && space.kind === 'rgb' ? deviceSpace(1) : given
    const inSpace = (coded: CodedImage): CodedImage => (newSpace ? { ...coded, space: newSpace } : coded)
    const whole = withoutColor(raster, isGray)
    if (isGray && this.isClear(raster, facts)) {
      const small = this.shrink(whole, settings.bilevelDpi)
      return inSpace(codeBitmap(toBitmap(small)))
    }
    const small = this.shrink(whole, settings.photoDpi)
    const isScaled = small !== whole
    const hasFew = facts.colors !== undefined
    const exact = (): CodedImage | undefined =>
      isNoisy || settings.isExactDone ? undefined : this.codeExact(whole, { facts, newSpace })
    if (!settings.isLossy || small.width * small.height > this.document.limits.maxPixels) return exact()
    const fewColors = hasFew && !isScaled ? exact() : undefined
    if (fewColors && fewColors.data.length < SMALL_BYTES) return fewColors
    const isAlpha = request.role === 'alpha'
    const quality = isAlpha ? Math.min(BEST_QUALITY, settings.quality + ALPHA_BONUS) : settings.quality
    const candidates = [inSpace(await codeJpeg(small, quality))]
    // Plain areas of a reduced image often take less space without loss, even if the image was a JPEG.
    const isPlain =
      isScaled && !settings.isExactDone && estimateExactly(small) < (candidates[0]?.data.length ?? 0) * UNLIKELY
    if (isPlain || (isScaled && !isNoisy && (hasFew || isAlpha)))
      candidates.push(this.codeExact(small, { facts: classifyImage(small, false), newSpace }))
    const best = candidates.reduce((one, other) => (other.data.length < one.data.length ? other : one))
    const most = best.data.length * settings.exactBonus
    if (fewColors) return fewColors.data.length <= most ? fewColors : best
    if (isNoisy || settings.isExactDone || estimateExactly(whole) > most * UNLIKELY) return best
    const whichever = exact()
    return whichever && whichever.data.length <= most ? whichever : best
  }

  /** Returns whether one bit per pixel shows the same, or nearly the same at a resolution that keeps letters legible. */
  private isClear({ width }: Raster, { isBilevel, isNearlyBilevel }: ImageFacts): boolean {
    const { drawn } = this.request
    const dpi = drawn && drawn.width > 0 ? width / drawn.width : 0
    return isBilevel || (this.settings.isLossy && isNearlyBilevel && dpi >= LEGIBLE_DPI)
  }

  /** Reduces the resolution to `dpi`. Returns the raster itself if its resolution stays. */
  private shrink(raster: Raster, dpi: number): Raster {
    if (!this.settings.isLossy) return raster
    const { width, height } = targetSize(raster, this.request.drawn, this.settings, dpi)
    return width < raster.width || height < raster.height ? shrinkRaster(raster, width, height) : raster
  }

  /** Colors without loss: as a palette if there are few, else as they are. */
  private codeExact(
    raster: Raster,
    { facts: { colors }, newSpace }: { facts: ImageFacts; newSpace: PDFObject | undefined },
  ): CodedImage {
    const { dict } = this.request.image
    const base = newSpace ?? dict.get(Name.ColorSpace)
    const hasPalette =
      colors !== undefined &&
      base !== undefined &&
      this.request.role === 'color' &&
      (raster.channels === 3 || colors.length <= MOST_GRAYS) &&
      this.hasPlainDecode()
    if (!hasPalette) {
      const coded = codeExactly(raster)
      return newSpace ? { ...coded, space: newSpace } : coded
    }
    const coded = codeIndexes(toIndexes(raster, colors), colors.length)
    return { ...coded, space: this.writePalette(base, colors, raster.channels) }
  }

  private writePalette(base: PDFObject, colors: readonly number[], channels: 1 | 3): PDFObject {
    const { context } = this.document
    const bytes = colors.flatMap(color =>
      channels === 1 ? [color & 255] : [color >> 16, (color >> 8) & 255, color & 255],
    )
    const table = PDFHexString.of(Buffer.from(bytes).toString('hex'))
    return context.obj([Name.Indexed, base, colors.length - 1, table])
  }

  private mayBeGray(space: ImageSpace): boolean {
    return space.kind === 'gray' || (space.isPlain && this.request.mayUseGray && this.hasPlainDecode())
  }

  private hasPlainDecode(): boolean {
    return this.space.kind === 'indexed' || hasUsualDecode(this.document, this.request.image.dict)
  }
}

/** Returns whether all colors of a table with three bytes each are gray. */
function isGrayTable(colors: Uint8Array): boolean {
  return colors.every((sample, at) => at % 3 === 0 || sample === colors[at - 1])
}

function firstChannel(colors: Uint8Array): Uint8Array {
  return colors.filter((_, at) => at % 3 === 0)
}

/** Replaces each palette index by its color. `colors` has an entry for each possible index. */
function lookUp(indexes: Uint8Array, colors: Uint8Array, channels: 1 | 3): Uint8Array {
  const samples = new Uint8Array(indexes.length * channels)
  if (channels === 1) {
    for (let pixel = 0; pixel < indexes.length; pixel++) samples[pixel] = colors[indexes[pixel] as number] as number
    return samples
  }
  for (let pixel = 0, to = 0; pixel < indexes.length; pixel++, to += 3) {
    const from = (indexes[pixel] as number) * 3
    samples[to] = colors[from] as number
    samples[to + 1] = colors[from + 1] as number
    samples[to + 2] = colors[from + 2] as number
  }
  return samples
}

/** Replaces each color by its position in the sorted list. */
function toIndexes({ width, height, channels, samples }: Raster, colors: readonly number[]): Raster {
  const indexes = new Uint8Array(width * height)
  const positions = new Map(colors.map((color, index) => [color, index] as const))
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2]
  // Most pixels have the color of the pixel before.
  let [last, position] = [-1, 0]
  for (let pixel = 0, at = 0; pixel < indexes.length; pixel++, at += channels) {
    const one = samples[at] as number
    const color = (one << 16) | ((samples[at + green] as number) << 8) | (samples[at + blue] as number)
    if (color !== last) {
      last = color
      position = positions.get(color) ?? 0
    }
    indexes[pixel] = position
  }
  return { width, height, channels: 1, samples: indexes }
}
