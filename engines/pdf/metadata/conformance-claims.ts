import type { PDFDict } from 'pdf-lib'
import type { AddedFeature } from '../document/added-features'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { dropClaims, readXmpPacket } from './metadata'
import { asBuffer } from '../syntax/syntax'
import { PDFA, PDFUA } from './xmp-claims'
import type { XmpPacket } from './xmp'
import * as Name from '../syntax/names'

/** Conformance levels of PDF/A, from the least to the most demanding (ISO 19005-2, 5). */
const LEVELS = ['B', 'U', 'A']

/** Conformance claims of a document's XMP packet. */
interface ConformanceClaims {
  /** `level` is B, U or A. Empty for PDF/A-4. */
  pdfa: { part: string; level: string } | undefined
  pdfua: { part: string } | undefined
}

/** Reads the document's conformance claims. Undefined if there are none. */
function readClaims(document: PdfDocument): ConformanceClaims | undefined {
  const packet = readXmpPacket(document)
  if (!packet) return undefined
  const part = claimOf(packet, PDFA, 'part')
  const pdfuaPart = claimOf(packet, PDFUA, 'part')
  const pdfa =
    part === undefined ? undefined : { part, level: claimOf(packet, PDFA, 'conformance')?.toUpperCase() ?? '' }
  if (!pdfa && pdfuaPart === undefined) return undefined
  return { pdfa, pdfua: pdfuaPart === undefined ? undefined : { part: pdfuaPart } }
}

function claimOf({ properties }: XmpPacket, namespace: string, name: string): string | undefined {
  return properties.find(property => property.name === `{${namespace}}${name}`)?.value?.trim()
}

/** Warns if removing the metadata will remove a conformance claim. Call it before removing the metadata. */
export function recordRemovedClaims(document: PdfDocument): void {
  if (readClaims(document)) document.warnings.add('conformance-dropped')
}

/**
 * Records which claims of `document` don't hold for the pages of another document. A claim holds if the other document
 * makes it for the same part, with at least the same level and with the same output profile.
 */
export function compareClaims(document: PdfDocument, other: PdfDocument): void {
  for (const feature of other.saving.addedFeatures) document.saving.addedFeatures.add(feature)
  const claims = readClaims(document)
  if (!claims) return
  const otherClaims = readClaims(other)
  if (claims.pdfua && otherClaims?.pdfua?.part !== claims.pdfua.part)
    document.saving.addedFeatures.add('unchecked-pdfua')
  const { pdfa } = claims
  if (!pdfa) return
  const reaches = LEVELS.indexOf(otherClaims?.pdfa?.level ?? '') >= LEVELS.indexOf(pdfa.level)
  const isSame = otherClaims?.pdfa?.part === pdfa.part && reaches && readProfile(document) === readProfile(other)
  if (!isSame) document.saving.addedFeatures.add('unchecked-pdfa')
}

/**
 * Removes claims from the XMP packet that edits broke or may have broken (warning `conformance-dropped`). The document
 * isn't validated. A claim stays if no recorded feature can break it.
 */
export function dropBrokenClaims(document: PdfDocument): void {
  const broken = findDoubtfulClaims(document)
  if (broken.length === 0) return
  dropClaims(document, broken)
  document.warnings.add('conformance-dropped')
}

/** Removes a claim of PDF/A, which the caller's edit breaks for certain (warning `conformance-dropped`). */
export function dropPdfaClaim(document: PdfDocument): void {
  if (!readClaims(document)?.pdfa) return
  dropClaims(document, [PDFA])
  document.warnings.add('conformance-dropped')
}

/** Returns whether edits broke a requirement of level A, which Sheaf doesn't validate. */
export function breaksLevelA(document: PdfDocument): boolean {
  const { addedFeatures } = document.saving
  const isBroken = addedFeatures.has('lost-language') || addedFeatures.has('untagged-content')
  return isBroken && readClaims(document)?.pdfa?.level === 'A'
}

/** The claims that edits broke or may have broken, as namespaces of XMP. */
export function findDoubtfulClaims(document: PdfDocument): string[] {
  const { addedFeatures } = document.saving
  if (addedFeatures.size === 0) return []
  const claims = readClaims(document)
  if (!claims) return []
  const broken: string[] = []
  const { pdfa, pdfua } = claims
  if (pdfa) {
    const intent = findIntent(document)
    const context = { ...pdfa, hasIntent: intent !== undefined, components: componentsOf(document, intent) }
    if ([...addedFeatures].some(feature => PDFA_RULES[feature]?.(context))) broken.push(PDFA)
  }
  if (pdfua && [...addedFeatures].some(feature => PDFUA_FEATURES.has(feature))) broken.push(PDFUA)
  return broken
}

interface PdfaContext {
  part: string
  level: string
  hasIntent: boolean
  /** Components of the output intent's profile: 1 for gray, 3 for RGB, 4 for CMYK. */
  components: number | undefined
}

/** For each feature, returns whether it breaks or may break PDF/A. */
const PDFA_RULES: Partial<Record<AddedFeature, (context: PdfaContext) => boolean>> = {
  // The output intent's profile must match device color spaces (ISO 19005-2, 6.2.4.3).
  'device-cmyk': ({ components }) => components !== 4,
  'device-gray': ({ hasIntent }) => !hasIntent,
  'device-rgb': ({ components }) => components !== 3,
  // PDF/A-1 is based on PDF 1.4.
  'images-of-16-bits': ({ part }) => part === '1',
  'lost-language': ({ level }) => level === 'A',
  // Layers that change with the event (view, print) need /AS, which PDF/A doesn't allow (ISO 19005-2, 6.9).
  'optional-content': () => true,
  // PDF/A-1 doesn't allow transparency (6.4). Later parts need a blending color space, which the output intent provides
  // (ISO 19005-2, 6.2.10).
  transparency: ({ part, hasIntent }) => part === '1' || !hasIntent,
  'unchecked-pdfa': () => true,
  'untagged-content': ({ level }) => level === 'A',
}

/** Features that break or may break PDF/UA (ISO 14289-1, 7.1, 7.2 and 7.10). */
const PDFUA_FEATURES: ReadonlySet<AddedFeature> = new Set([
  'lost-language',
  'lost-title',
  'optional-content',
  'unchecked-pdfua',
  'untagged-content',
])

/** The output intent that applies to PDF/A (ISO 19005-2, 6.2.3). */
function findIntent(document: PdfDocument): PDFDict | undefined {
  const intents = document.peekItems(document.catalog.get(Name.OutputIntents))
  return intents
    .map(intent => document.peekDict(intent))
    .find(intent => intent && document.peek(intent.get(Name.S)) === Name.GTS_PDFA1)
}

function componentsOf(document: PdfDocument, intent: PDFDict | undefined): number | undefined {
  return document.peekNumber(document.peekDict(intent?.get(Name.DestOutputProfile))?.get(Name.N))
}

/** The bytes of the output profile as text, for comparison. Undefined if there is none. */
function readProfile(document: PdfDocument): string | undefined {
  const profile = decodeUpToLimit(document, findIntent(document)?.get(Name.DestOutputProfile))
  return profile && asBuffer(profile).toString('latin1')
}
