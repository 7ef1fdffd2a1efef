import { saveTruthfully } from '../../standards/archival/save-truthfully'
import { claimsOf } from '../../standards/conformance/xmp/claims'
import { cutUnusedGlyphs } from '../../pdf/fonts'
import { decodeUpToLimit, deflate, findReachable } from '../../pdf/document'
import type { Deflate, PdfDocument } from '../../pdf/document'
import { findDoubtfulClaims } from '../../pdf/metadata'
import { openDocument } from '../../pdf/open'
import type { EngineLimits, Warning } from '../../types'
import { compactMetadata } from './compact-metadata'
import { compressImages, hasImages, listImages } from './recoding/compress-images'
import { measureImageUses } from './recoding/image-uses'
import { dropUndrawnImages } from './recoding/undrawn-images'
import { compactObjects } from './compact-objects'
import { deduplicate } from './deduplicate'
import { openDeflate } from './deflate-tightly'
import { dropPrivateData } from './private-data'
import { recompressStreams, withData } from './recompress-streams'
import type { ImageSettings } from './recoding/settings'
import { PDFRawStream } from 'pdf-lib'
import { writeSrgbProfile } from '../../standards/archival/profiles/icc-profile'
import * as Name from '../../pdf/names'
import { isSrgbProfile } from './recoding/srgb-profile'

/** A compressed file, and the warnings about it. */
export interface CompressedFile {
  bytes: Uint8Array
  warnings: Set<Warning>
}

/** A PDF and the limits for working on it. */
export interface CompressionSource {
  bytes: Uint8Array
  limits: EngineLimits
}

/**
 * Compresses a PDF. Claims of PDF/A and PDF/UA stay: if the compressed file broke one, only what can't break it is
 * compressed. Throws EngineError like `openDocument` and `saveDocument`.
 */
export async function compressFile(source: CompressionSource, settings: ImageSettings): Promise<CompressedFile> {
  const file = await compressOnce(source, settings)
  if (!file.warnings.has('conformance-dropped')) return file
  const careful = await compressOnce(source, settings, { isCareful: true })
  return careful.warnings.has('conformance-dropped') ? file : careful
}

async function compressOnce(
  { bytes, limits }: CompressionSource,
  settings: ImageSettings,
  { isCareful } = { isCareful: false },
): Promise<CompressedFile> {
  const document = openDocument(bytes, limits)
  const deflate = (await openDeflate())()
  if (settings.isLossy) dropExtras(document)
  else compactMetadata(document, { dropsPreviews: false })
  deduplicate(document)
  if (!isCareful) {
    const areCut = cutUnusedGlyphs(document)
    const sizes = settings.isLossy && hasImages(document) ? measureImageUses(document) : undefined
    if (sizes) dropUndrawnImages(document, sizes)
    const images = listImages(document, { mayUseGray: mayUseGray(document), sizes })
    const areCoded = await compressImages(document, images, settings)
    if (areCut || areCoded) document.saving.addedFeatures.addUnchecked()
  }
  recompressStreams(document, { deflate, keepsMetadata: claimsOf(document).includes('pdfa-1b') })
  deduplicate(document)
  if (mayPack(document)) compactObjects(document)
  return saveTightly(document, deflate)
}

/** Removes or shrinks what viewers don't show. Only for lossy levels. */
export function dropExtras(document: PdfDocument): void {
  dropPrivateData(document)
  compactProfiles(document)
  compactMetadata(document, { dropsPreviews: true })
}

/** Returns whether a document may have object streams. PDF/A-1 is based on PDF 1.4, which doesn't have them. */
function mayPack(document: PdfDocument): boolean {
  return !claimsOf(document).includes('pdfa-1b')
}

/** Writes a document with object streams, which `deflate` deflates, if it may have them. */
export function saveTightly(document: PdfDocument, deflate: Deflate): CompressedFile {
  if (mayPack(document)) {
    document.saving.packsObjects = true
    document.saving.deflate = deflate
  }
  const bytes = saveTruthfully(document).join()
  return { bytes, warnings: new Set(document.warnings) }
}

/** Returns whether DeviceGray breaks no claim of conformance. */
export function mayUseGray(document: PdfDocument): boolean {
  const isKnown = document.saving.addedFeatures.has('device-gray')
  document.saving.addedFeatures.add('device-gray')
  const isAllowed = findDoubtfulClaims(document).length === 0
  if (!isKnown) document.saving.addedFeatures.delete('device-gray')
  return isAllowed
}

/** Points of the curve. Lines between them differ from the curve of sRGB by less than an eighth of a level of 8 bits. */
const CURVE_POINTS = 64

/** Size from which a profile isn't a simple profile of sRGB, in bytes. */
const MOST_BYTES = 100_000

/** Replaces ICC profiles of sRGB by a smaller profile with the same colors. */
function compactProfiles(document: PdfDocument): void {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  let compact: Uint8Array | undefined
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || stream.contents.length > MOST_BYTES) continue
    // Only streams of profiles have /Name.N and no type (ISO 32000-2, table 65).
    if (document.peekNumber(stream.dict.get(Name.N)) !== 3 || stream.dict.has(Name.Type)) continue
    const profile = decodeUpToLimit(document, stream)
    if (!profile || !isSrgbProfile(profile)) continue
    compact ??= deflate(writeSrgbProfile(CURVE_POINTS))
    if (compact.length >= stream.contents.length) continue
    document.store.set(ref, withData(document, stream.dict, compact, Name.FlateDecode))
  }
}
