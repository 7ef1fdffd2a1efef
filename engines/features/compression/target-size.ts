import type { PDFRawStream } from 'pdf-lib'
import { EngineError } from '../../errors'
import { openDocument } from '../../pdf/open'
import type { Deflate, PdfDocument } from '../../pdf/document'
import type { Warning } from '../../types'
import { compressFile, dropExtras, mayUseGray, saveTightly } from './compress-document'
import type { CompressedFile, CompressionSource } from './compress-document'
import { openDeflate } from './deflate-tightly'
import { listImages, replaceImage } from './recoding/compress-images'
import type { CompressibleImage } from './recoding/compress-images'
import { LEVEL_SETTINGS, settingsOfStrength } from './recoding/settings'
import type { ImageSettings } from './recoding/settings'
import { DecodedImages } from './recoding/read-image'
import { openEstimate, shrinkImage } from './recoding/shrink-image'
import type { ImageEstimate } from './recoding/shrink-image'

/** The share of the target that a result reaches, so that the next better one would be too large. */
const CLOSE = 0.96

/** Share of the target at which the search aims, because its estimate may be a bit too low. */
const AIM = 0.99

/** The share of its aim that a search reaches. */
const NEAR = CLOSE / AIM

/** Factor by which the aim gets smaller after a result that is too large. */
const LOWER_AIM = 0.99

/** Number of images from which sizes are estimated. Others count as much as these. */
const SAMPLE = 32

/** Steps of a search with estimates. */
const STEPS = 9

/** The lowest scale that fills the gap between two qualities. */
const LEAST_CORRECTION = 0.75

/** Gains of strength with which gaps are filled. Sizes jump between some scales, at other places for each quality. */
const BONUSES = [0, 0.04, 0.08]

/** Number of times that all images are coded. Each time corrects the estimate. */
const ATTEMPTS = 3

/** Maximum size of decoded images that are kept, in bytes. */
const MOST_DECODED = 100_000_000

/** The images of a trial that changed. */
type Coded = ReadonlyMap<CompressibleImage, PDFRawStream>

/**
 * Compresses a PDF to at most `targetBytes`, and to at least 95 % of it if images allow that. If the result without
 * loss is small enough, returns it. Throws EngineError `options_invalid` that names the smallest possible size.
 */
export async function compressToTarget(source: CompressionSource, targetBytes: number): Promise<CompressedFile> {
  const exact = await compressFile(source, LEVEL_SETTINGS.lossless)
  exact.warnings.delete('image-not-compressed') // The search may reduce these images.
  if (exact.bytes.length <= targetBytes) return exact
  const search = new TargetSearch(exact.bytes, source, await openDeflate())
  const least = await search.codeAll(settingsOfStrength(0))
  const smallest = search.save(least)
  if (smallest.bytes.length > targetBytes) throw tooSmall(targetBytes, smallest.bytes.length)
  let best = smallest
  let aim = targetBytes * AIM
  let last: ImageSettings | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const settings = await search.find(aim)
    if (settings.scale === last?.scale && settings.quality === last.quality) break
    last = settings
    const isBest = settings === BEST
    const coded = await search.codeAll(settings)
    const file = search.save(isBest ? search.keepExact(coded, targetBytes) : coded)
    if (file.bytes.length <= targetBytes && file.bytes.length > best.bytes.length) best = file
    if (best.bytes.length >= targetBytes * CLOSE || (isBest && file.bytes.length <= targetBytes)) break
    await search.learn(settings, coded)
    if (file.bytes.length > targetBytes) aim *= LOWER_AIM
  }
  for (const warning of [...exact.warnings, ...search.warnings]) best.warnings.add(warning)
  return best
}

function tooSmall(targetBytes: number, smallestBytes: number): EngineError {
  const count = (bytes: number): string => bytes.toLocaleString('en')
  return new EngineError(
    'options_invalid',
    `options.targetBytes must be at least ${count(smallestBytes)} for this file. Got ${count(targetBytes)}. Send a ` +
      'larger value, or split the file.',
    { param: 'options.targetBytes' },
  )
}

/** The settings that lose least. */
const BEST = settingsOfStrength(1)

class TargetSearch {
  private readonly images: CompressibleImage[]
  private readonly sample: CompressibleImage[]
  private readonly document: PdfDocument
  /** Size of the file with its images unchanged, in bytes. */
  private readonly baseBytes: number
  private readonly decoded = new DecodedImages(MOST_DECODED)
  private readonly estimates = new Map<CompressibleImage, ImageEstimate>()
  /** Estimated sizes of the images of the sample, by resolution and quality. */
  private readonly known = new Map<string, number>()
  /** How much larger images are than their estimates. */
  private correction = 1

  constructor(
    private readonly bytes: Uint8Array,
    private readonly source: CompressionSource,
    private readonly createDeflate: () => Deflate,
  ) {
    this.document = this.open()
    this.images = listImages(this.document, { mayUseGray: mayUseGray(this.document), sizes: undefined })
    const bySize = [...this.images].sort((one, other) => other.image.contents.length - one.image.contents.length)
    const step = Math.max(1, bySize.length / SAMPLE)
    this.sample = Array.from(
      { length: Math.min(SAMPLE, bySize.length) },
      (_, index) => bySize[Math.floor(index * step)],
    ).filter(image => image !== undefined)
    this.baseBytes = this.save(new Map()).bytes.length
  }

  /** Warnings about images. */
  get warnings(): ReadonlySet<Warning> {
    return this.document.warnings
  }

  /** Finds the best settings whose estimated size is not larger than the goal. */
  async find(goal: number): Promise<ImageSettings> {
    if ((await this.estimate(BEST)) <= goal) return BEST
    const [strength, next] = await this.bisect([0, 1], settingsOfStrength, goal)
    const settings = settingsOfStrength(strength)
    const size = await this.estimate(settings)
    if (size >= goal * NEAR) return settings
    // Sizes jump between two qualities. A better one at a lower resolution may be closer to the goal.
    let best = { settings, size }
    for (const bonus of BONUSES) {
      const correct = (correction: number): ImageSettings => settingsOfStrength(Math.min(1, next + bonus), correction)
      const corrected = correct((await this.bisect([LEAST_CORRECTION, 1], correct, goal))[0])
      const otherSize = await this.estimate(corrected)
      if (otherSize <= goal && otherSize > best.size) best = { settings: corrected, size: otherSize }
      if (best.size >= goal * NEAR) break
    }
    return best.settings
  }

  /**
   * Halves a range of values several times. The settings of larger values are better and take more space. Returns the
   * part of the range in which they start to be larger than the goal, in bytes.
   */
  private async bisect(
    [low, high]: [number, number],
    settingsOf: (value: number) => ImageSettings,
    goal: number,
  ): Promise<[number, number]> {
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2
      if ((await this.estimate(settingsOf(middle))) <= goal) low = middle
      else high = middle
    }
    return [low, high]
  }

  /** Corrects estimates with the real sizes. */
  async learn(settings: ImageSettings, coded: Coded): Promise<void> {
    const real = this.images.reduce((sum, request) => sum + (coded.get(request) ?? request.image).contents.length, 0)
    this.correction = real / (await this.estimateImages(settings))
  }

  /** Codes all images. The result lacks images that didn't get smaller. */
  async codeAll(settings: ImageSettings): Promise<Coded> {
    const coded = new Map<CompressibleImage, PDFRawStream>()
    for (const request of this.images) {
      const smaller = await shrinkImage(this.document, request, settings, this.decoded.read)
      if (smaller) coded.set(request, smaller)
    }
    return coded
  }

  /** Writes the file with these images. */
  save(coded: Coded): CompressedFile {
    const document = this.open()
    for (const [{ ref }, image] of coded) replaceImage(document, ref, image)
    if (coded.size > 0) document.saving.addedFeatures.addUnchecked()
    return saveTightly(document, this.createDeflate())
  }

  private open(): PdfDocument {
    const document = openDocument(this.bytes, this.source.limits)
    dropExtras(document)
    return document
  }

  /** Estimates the size of the file. */
  private async estimate(settings: ImageSettings): Promise<number> {
    return this.baseBytes - sumOf(this.images) + (await this.estimateImages(settings)) * this.correction
  }

  /** Estimates the size of all images from the sample. */
  private async estimateImages(settings: ImageSettings): Promise<number> {
    const key = `${settings.scale.toFixed(4)} ${settings.quality}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    let size = 0
    for (const request of this.sample) {
      const estimate =
        this.estimates.get(request) ?? (await openEstimate(this.document, request, settings, this.decoded.read))
      this.estimates.set(request, estimate)
      size += await estimate(settings)
    }
    const all = size === 0 ? 0 : (size * sumOf(this.images)) / sumOf(this.sample)
    this.known.set(key, all)
    return all
  }

  /** The size of the file with these images. */
  private sizeOf(coded: Coded): number {
    let size = this.baseBytes
    for (const [{ image }, { contents }] of coded) size += contents.length - image.contents.length
    return size
  }

  /** Keeps images without loss as long as the goal allows it, the largest gain first. */
  keepExact(coded: Coded, goal: number): Coded {
    const kept = new Map(coded)
    let size = this.sizeOf(coded)
    const gains = [...coded].map(([request, { contents }]) => ({
      request,
      bytes: request.image.contents.length - contents.length,
    }))
    for (const { request, bytes } of gains.sort((one, other) => other.bytes - one.bytes)) {
      if (size + bytes > goal) continue
      size += bytes
      kept.delete(request)
    }
    return kept
  }
}

function sumOf(images: readonly CompressibleImage[]): number {
  return images.reduce((sum, { image }) => sum + image.contents.length, 0)
}
