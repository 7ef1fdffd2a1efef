import { PDFDict, PDFArray, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { claimsOf } from '../conformance/xmp/claims'
import { PROFILES } from '../conformance/examination/profiles'
import type { ProfileId } from '../conformance/examination/profiles'
import type { Report } from '../conformance/examination/report'
import { validate } from '../conformance/validate'
import { drawMissingAppearances, dropSignatures, dropXfa, settleAppearances } from '../../pdf/forms'
import type { PdfDocument } from '../../pdf/document'
import { claimConformance, removeEmbeddedFiles } from '../../pdf/metadata'
import type { NewClaims } from '../../pdf/metadata'
import * as Name from '../../pdf/names'
import { openDocument } from '../../pdf/open'
import { saveDocument } from '../../pdf/save'
import { removeActiveContent } from './active-content'
import { listWritableObjects, walkValues } from './all-objects'
import type { WritableObject } from './all-objects'
import { settleAnnotations } from './annotations'
import { defineColors } from './colors'
import { embedMissingFonts } from './embed-fonts'
import { settleFiles } from './files'
import { settleObjects } from './objects'
import { listProblems } from './problems'
import { repairFonts } from './repair-fonts'
import { completeResources } from './own-resources'
import { readText, writeText } from '../../pdf/syntax'

/** The profiles that documents can be converted to. */
export type ArchivalProfile = Exclude<ProfileId, 'pdfua-1'>

/** Maximum number of times that a file is fixed by its report. A fix can show what it hid: replaced color spaces may need
 * another one. */
const MOST_ROUNDS = 3

/** What to convert to, and what happens to attached files. */
export interface Conversion {
  profile: ArchivalProfile
  attachments: 'keep' | 'remove'
}

/** Rules that attached files break (ISO 19005-1, 6.1.11; ISO 19005-2, 6.8). */
const FILE_RULES = new Set(['6.1.11-1', '6.1.11-2', '6.8-5'])

/**
 * Converts a document to PDF/A and returns the file. The result was validated: no rule of the profile is broken or
 * undecided. Throws EngineError `options_invalid` with one problem for each rule that the document can't be made to meet.
 */
export async function convertToPdfa(document: PdfDocument, { profile, attachments }: Conversion): Promise<Uint8Array> {
  const part = partOf(profile)
  if (attachments === 'remove') removeEmbeddedFiles(document)
  if (dropSignatures(document)) document.warnings.add('signatures-invalidated')
  dropXfa(document)
  await drawMissingAppearances(document, { usesOwnFonts: false })
  settleAppearances(document)
  if (await settleAnnotations(document, part)) document.warnings.add('annotation-dropped')
  const objects = listWritableObjects(document)
  if (removeActiveContent(document, objects, part)) document.warnings.add('active-content-removed')
  if (part > 1) settleFiles(document, objects, part === 2 ? 2 : 3)
  settleLayers(document)
  fixFonts(document, objects, part)
  settleObjects(document, objects)
  completeResources(document)
  if (embedMissingFonts(document, objects)) document.warnings.add('font-substituted')
  claimConformance(document, claimsFor(document, profile, { keepsOthers: true }))
  setVersion(document, profile)
  document.saving.addedFeatures.leaveToValidation()
  let version = publish(document, profile)
  for (let round = 0; round < MOST_ROUNDS && version.report.conforms !== true; round++) {
    if (!fixReported(version, profile)) break
    for (const warning of version.document.warnings) document.warnings.add(warning)
    version = publish(version.document, profile)
  }
  if (version.report.conforms !== true) throw refuse(version.report)
  return withTrueClaims(document, version, profile)
}

/** The file without its claim of PDF/UA, if it has one and doesn't conform to PDF/UA. */
function withTrueClaims(document: PdfDocument, version: Version, profile: ArchivalProfile): Uint8Array {
  const { document: result, bytes } = version
  const isTrue = !claimsOf(result).includes('pdfua-1') || validate(result, bytes, 'pdfua-1').conforms === true
  if (isTrue) return bytes
  document.warnings.add('conformance-dropped')
  claimConformance(result, { ...claimsFor(result, profile, { keepsOthers: true }), pdfua: false })
  setVersion(result, profile)
  const { report, bytes: plainBytes } = publish(result, profile)
  if (report.conforms !== true) throw refuse(report)
  return plainBytes
}

/** A file and the document that it contains. */
interface Version {
  bytes: Uint8Array
  document: PdfDocument
  report: Report
}

/** Writes the document, opens the result and validates it. */
function publish(document: PdfDocument, profile: ArchivalProfile): Version {
  const bytes = saveDocument(document).join()
  const result = openDocument(bytes, document.limits)
  return { bytes, document: result, report: validate(result, bytes, profile) }
}

/**
 * Fixes what only the report can tell: which device colors are undefined, and which metadata isn't allowed. Returns
 * whether there was anything to fix.
 */
function fixReported({ document, bytes, report }: Version, profile: ArchivalProfile): boolean {
  const hasColors = defineColors(document, report)
  const hasFonts = breaksFonts(report) && repairFonts(document, bytes, profile)
  const hasBadMetadata = breaksMetadata(report)
  if (hasBadMetadata) {
    dropObjectMetadata(document)
    claimConformance(document, claimsFor(document, profile, { keepsOthers: false }))
    document.warnings.add('metadata-dropped')
  }
  setVersion(document, profile)
  return hasColors || hasFonts || hasBadMetadata
}

/** Removes the XMP packets of images and other objects. */
function dropObjectMetadata(document: PdfDocument): void {
  for (const { object } of listWritableObjects(document))
    for (const value of walkValues(object))
      if (value instanceof PDFDict && value !== document.catalog) value.delete(Name.Metadata)
}

/** The claims of the result. A claim of PDF/UA stays if the document made one. `keepsOthers` is for other metadata. */
function claimsFor(
  document: PdfDocument,
  profile: ArchivalProfile,
  { keepsOthers }: Pick<NewClaims, 'keepsOthers'>,
): NewClaims {
  const pdfa = { part: partOf(profile), level: PROFILES[profile].level === 'u' ? 'U' : 'B' } as const
  return { pdfa, pdfua: claimsOf(document).includes('pdfua-1'), keepsOthers }
}

function partOf(profile: ArchivalProfile): 1 | 2 | 3 {
  return Number(PROFILES[profile].family.at(-1)) as 1 | 2 | 3 // the last character of these families
}

/** PDF/A-1 is based on PDF 1.4, and the later parts on PDF 1.7. */
function setVersion(document: PdfDocument, profile: ArchivalProfile): void {
  document.saving.fixedVersion = partOf(profile) === 1 ? '1.4' : '1.7'
  if (document.catalog.has(Name.Version)) document.editCatalog().delete(Name.Version)
}

/** Returns whether fonts break a rule (ISO 19005-1, 6.3; ISO 19005-2, 6.2.11). */
function breaksFonts({ failures }: Report): boolean {
  return failures.some(({ clause }) => /^6\.(3|2\.11)\./.test(clause))
}

/** Returns whether properties of XMP break a rule (ISO 19005-1, 6.7; ISO 19005-2, 6.6.2). */
function breaksMetadata({ failures }: Report): boolean {
  return failures.some(({ clause }) => /^6\.(7\.[89]|6\.2\.[13])/.test(clause))
}

function refuse(report: Report): EngineError {
  const { title } = PROFILES[report.profile]
  const problems = listProblems(report)
  const rules = (count: number): string => (count === 1 ? 'one rule' : `${count} rules`)
  const reason =
    report.failures.length > 0
      ? `it would break ${rules(report.failures.length)}`
      : `Sheaf couldn't decide ${rules(report.undecided.length)}`
  const hasFiles = problems.some(({ rule = '' }) => FILE_RULES.has(rule))
  const advice = hasFiles ? ' To keep attached files, set profile to pdfa-3b. Or set attachments to remove.' : ''
  return new EngineError(
    'not_conforming',
    `The file can't be converted to ${title}, because ${reason}. The problems name each rule.${advice}`,
    { problems },
  )
}

/**
 * Completes fonts. Sets the /Type that resources omit, and the /CIDToGIDMap that readers assume. Removes /CIDSet and
 * /CharSet, which are optional in PDF/A-2 and PDF/A-3 and often incomplete (ISO 19005-2, 6.2.11.4.2).
 */
function fixFonts(document: PdfDocument, objects: readonly WritableObject[], part: 1 | 2 | 3): void {
  for (const { object } of objects)
    for (const value of walkValues(object)) {
      if (!(value instanceof PDFDict)) continue
      for (const font of fontsOf(document, value)) if (!font.has(Name.Type)) font.set(Name.Type, Name.Font)
      if (document.peekName(value.get(Name.Subtype)) === 'CIDFontType2' && isEmbedded(document, value))
        if (!value.has(Name.CIDToGIDMap)) value.set(Name.CIDToGIDMap, Name.Identity)
      if (part > 1 && value.has(Name.FontName)) for (const key of [Name.CIDSet, Name.CharSet]) value.delete(key)
    }
}

/** The fonts of a resource dictionary. */
function fontsOf(document: PdfDocument, resources: PDFDict): PDFDict[] {
  const fonts = document.peek(resources.get(Name.Font))
  if (!(fonts instanceof PDFDict)) return []
  return fonts.values().flatMap(value => {
    const font = document.peek(value)
    return font instanceof PDFDict && font.has(Name.Subtype) ? [font] : []
  })
}

function isEmbedded(document: PdfDocument, font: PDFDict): boolean {
  return document.peekDict(font.get(Name.FontDescriptor))?.has(Name.FontFile2) === true
}

/**
 * Makes the configurations of layers conform (ISO 19005-2, 6.9): each has a name of its own, none changes layers
 * automatically, and each order lists all layers.
 */
function settleLayers(document: PdfDocument): void {
  const properties = document.peekDict(document.catalog.get(Name.OCProperties))
  if (!properties) return
  const groups = document.peekItems(properties.get(Name.OCGs))
  const configurations = [properties.get(Name.D), ...document.peekItems(properties.get(Name.Configs))]
  const names = new Set<string>()
  for (const value of configurations) {
    const configuration = document.peek(value)
    if (!(configuration instanceof PDFDict)) continue
    configuration.delete(Name.AS)
    nameConfiguration(document, configuration, names)
    const order = document.peek(configuration.get(Name.Order))
    if (order instanceof PDFArray) listAll(document, order, groups)
  }
}

function nameConfiguration(document: PdfDocument, configuration: PDFDict, names: Set<string>): void {
  const current = readText(document.peek(configuration.get(Name.Name))) || 'Layers'
  let name = current
  for (let count = 2; names.has(name); count++) name = `${current} ${count}`
  names.add(name)
  configuration.set(Name.Name, writeText(name))
}

function listAll(document: PdfDocument, order: PDFArray, groups: readonly PDFObject[]): void {
  const listed = new Set<PDFObject>()
  const seen = new Set<PDFArray>([order])
  for (const array of seen)
    for (const item of array.asArray()) {
      const value = document.peek(item)
      if (value instanceof PDFArray) seen.add(value)
      else listed.add(item)
    }
  for (const group of groups) if (group instanceof PDFRef && !listed.has(group)) order.push(group)
}
