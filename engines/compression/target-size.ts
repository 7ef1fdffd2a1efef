import type { PDFRawStream } from 'pdf-lib'
import { EngineError } from '../errors'
import { openDocument } from '../pdf-core/pages/open'
import type { PdfDocument } from '../pdf-core/document/document'
import { compressFile, dropExtras, mayUseGray, saveTightly } from './compress-document'
import type { CompressedFile, CompressionSource } from './compress-document'
import { listImages, replaceImage } from './images/compress-images'
import type { CompressibleImage } from './images/compress-images'
import { DecodedImages } from './images/read-image'
import { LEVEL_SETTINGS, settingsOfStrength } from './images/settings'
import type { ImageSettings } from './images/settings'
import { shrinkImage } from './images/shrink-image'

/** The share of the target that a result reaches, so that the next better one would be too large. */
const CLOSE = 0.96

/** Number of images on which settings are tried first. Coding all images of a long scan takes minutes. */
const SAMPLE = 8

/** Number of images up to which results are kept for the next step. */
const MOST_KNOWN = 32

/** Maximum size of decoded images that are kept for the next step, in bytes. */
const MOST_DECODED = 100_000_000

/** Steps of each search, and attempts to correct what the sample or the estimate got wrong. */
const STEPS = 7
const ATTEMPTS = 4

/** The scale at which the search for the last percent begins. */
const LEAST_CORRECTION = 0.75

/**
 * Gains of strength with which the search for the last percent is repeated. Sizes jump between some scales, at other
 * places for each quality.
 */
const BONUSES = [0, 0.04, 0.08]

/** The images of a trial that changed. */
type Coded = ReadonlyMap<CompressibleImage, PDFRawStream>

/**
 * Compresses a PDF to at most `targetBytes`, and to at least 95 % of it if images allow that. If the result without
 * loss is small enough, returns it. Throws EngineError `bad-options` that names the smallest possible size.
 */
export async function compressToTarget(source: CompressionSource, targetBytes: number): Promise<CompressedFile> {
  const exact = await compressFile(source, LEVEL_SETTINGS.lossless)
  if (exact.bytes.length <= targetBytes) return exact
  const search = new TargetSearch(exact.bytes, source)
  const least = await search.codeAll(settingsOfStrength(0))
  const smallest = search.save(least)
  if (smallest.bytes.length > targetBytes) throw tooSmall(targetBytes, smallest.bytes.length)
  let best = smallest
  let goal = targetBytes
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const coded = await search.find(goal)
    const file = search.save(coded)
    if (file.bytes.length <= targetBytes && file.bytes.length > best.bytes.length) best = file
    if (best.bytes.length >= targetBytes * CLOSE || search.isBest) break
    // The file and its estimate differ by a few bytes, and a sample by more.
    goal *= targetBytes / file.bytes.length
    if (file.bytes.length > targetBytes) goal *= 0.995
  }
  for (const warning of exact.warnings) best.warnings.add(warning)
  return best
}

function tooSmall(targetBytes: number, smallestBytes: number): EngineError {
  const count = (bytes: number): string => bytes.toLocaleString('en')
  return new EngineError(
    'bad-options',
    `options.targetBytes must be at least ${count(smallestBytes)} for this file. Got ${count(targetBytes)}. Send a ` +
      'larger value, or split the file.',
    { param: 'options.targetBytes' },
  )
}

class TargetSearch {
  /** Whether the last search found that the best settings are small enough. */
  isBest = false
  private readonly images: CompressibleImage[]
  private readonly sample: CompressibleImage[]
  private readonly document: PdfDocument
  /** Size of the file with its images unchanged, in bytes. */
  private readonly baseBytes: number
  private readonly decoded = new DecodedImages(MOST_DECODED)
  /** Results by image, resolution and quality. */
  private readonly known = new Map<string, PDFRawStream | undefined>()

  constructor(
    private readonly bytes: Uint8Array,
    private readonly source: CompressionSource,
  ) {
    this.document = this.open()
    this.images = listImages(this.document, { mayUseGray: mayUseGray(this.document), isMeasured: false })
    const bySize = [...this.images].sort((one, other) => other.image.contents.length - one.image.contents.length)
    const step = Math.max(1, bySize.length / SAMPLE)
    this.sample = Array.from(
      { length: Math.min(SAMPLE, bySize.length) },
      (_, index) => bySize[Math.floor(index * step)],
    ).filter(image => image !== undefined)
    this.baseBytes = this.save(new Map()).bytes.length
  }

  /** Codes all images with settings so that the estimated size is as close to the goal as possible, and not larger. */
  async find(goal: number): Promise<Coded> {
    const whole = this.images.length <= SAMPLE
    const best = await this.codeAll(settingsOfStrength(1))
    this.isBest = this.estimate(best) <= goal
    if (this.isBest) return this.keepExact(best, goal)
    const fits = async (settings: ImageSettings): Promise<boolean> => (await this.estimateSample(settings)) <= goal
    let [low, high] = [0, 1]
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2
      if (await fits(settingsOfStrength(middle))) low = middle
      else high = middle
    }
    if (whole && this.estimate(await this.codeAll(settingsOfStrength(low))) >= goal * CLOSE)
      return this.codeAll(settingsOfStrength(low))
    let closest: Coded | undefined
    for (const bonus of BONUSES) {
      const strength = Math.min(1, high + bonus)
      let [small, large] = [LEAST_CORRECTION, 1]
      for (let step = 0; step < STEPS; step++) {
        const middle = (small + large) / 2
        if (await fits(settingsOfStrength(strength, middle))) small = middle
        else large = middle
      }
      const coded = await this.codeAll(settingsOfStrength(strength, small))
      const size = this.estimate(coded)
      if (!closest || (size <= goal && size > this.estimate(closest))) closest = coded
      if (!whole || this.estimate(closest) >= goal * CLOSE) break
    }
    return closest ?? best
  }

  async codeAll(settings: ImageSettings): Promise<Coded> {
    return this.code(this.images, settings)
  }

  /** Writes the file with these images. */
  save(coded: Coded): CompressedFile {
    const document = this.open()
    for (const [{ ref }, image] of coded) replaceImage(document, ref, image)
    if (coded.size > 0) document.addedFeatures.addUnchecked()
    return saveTightly(document)
  }

  private open(): PdfDocument {
    const document = openDocument(this.bytes, this.source.limits)
    dropExtras(document)
    return document
  }

  private async code(images: readonly CompressibleImage[], settings: ImageSettings): Promise<Coded> {
    const coded = new Map<CompressibleImage, PDFRawStream>()
    for (const request of images) {
      const key = `${request.ref.tag} ${settings.scale.toFixed(4)} ${settings.quality}`
      const smaller = this.known.has(key)
        ? this.known.get(key)
        : await shrinkImage(this.document, request, settings, this.decoded.read)
      if (this.images.length <= MOST_KNOWN) this.known.set(key, smaller)
      if (smaller) coded.set(request, smaller)
    }
    return coded
  }

  private estimate(coded: Coded): number {
    let size = this.baseBytes
    for (const [{ image }, { contents }] of coded) size += contents.length - image.contents.length
    return size
  }

  /** Estimates the size of the file from a sample of its images. */
  private async estimateSample(settings: ImageSettings): Promise<number> {
    const coded = await this.code(this.sample, settings)
    const [all, sampled] = [sumOf(this.images), sumOf(this.sample)]
    const saved = this.baseBytes - this.estimate(coded)
    return this.baseBytes - (sampled > 0 ? (saved * all) / sampled : 0)
  }

  /** Keeps images without loss as long as the goal allows it, the largest gain first. */
  private keepExact(coded: Coded, goal: number): Coded {
    const kept = new Map(coded)
    let size = this.estimate(coded)
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
