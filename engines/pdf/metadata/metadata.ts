import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { decodeText, detectUnicode } from '../../decode-text'
import { isEngineError } from '../../errors'
import { normalizeIso, readPdfDate, writePdfDate } from './dates'
import type { PdfDocument } from '../document/document'
import { decodeStream } from '../filters/filters'
import { readText, writeText } from '../syntax/text-string'
import { versionOf } from '../document/version'
import { FIELDS, readXmp, writeXmp } from './xmp'
import { PDFA } from './xmp-claims'
import type { Metadata, MetadataField, XmpPacket } from './xmp'
import type { NewClaims } from './xmp-claims'
import * as Name from '../syntax/names'

/** The key of each field in the information dictionary (ISO 32000-2, table 349). */
export const INFORMATION_KEYS: Record<MetadataField, string> = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  creationDate: 'CreationDate',
  modDate: 'ModDate',
}

/** Keys of the information dictionary with a defined meaning. Custom entries can't use them. */
export const STANDARD_KEYS: readonly string[] = [...Object.values(INFORMATION_KEYS), 'Trapped']

/**
 * Metadata to change. An empty text or null removes a value. Values that aren't listed don't change. Dates are ISO
 * 8601.
 */
export interface MetadataChanges {
  fields: Map<MetadataField, string>
  custom: Map<string, string | null>
}

/**
 * Changes the document's metadata. Afterwards, the information dictionary and the XMP packet agree. If they disagreed
 * before, the information dictionary wins. A packet that can't be read safely is replaced. A file with a version before
 * PDF 1.4 gets no packet, because XMP came with PDF 1.4.
 */
export function changeMetadata(document: PdfDocument, changes: MetadataChanges): void {
  if (changes.fields.get('title') === '') document.saving.addedFeatures.add('lost-title')
  const isBroken = breaksPdfa(document, readXmpPacket(document), changes)
  if (isBroken) document.warnings.add('conformance-dropped')
  writeMetadata(document, changes, new Set(isBroken ? [PDFA] : []))
}

/** Removes conformance claims, by namespace, from the XMP packet. All other metadata stays. */
export function dropClaims(document: PdfDocument, namespaces: readonly string[]): void {
  writeMetadata(document, { fields: new Map(), custom: new Map() }, new Set(namespaces))
}

/**
 * Claims conformance in the XMP packet. The information dictionary and the packet agree afterwards. The caller must
 * validate the result.
 */
export function claimConformance(document: PdfDocument, claims: NewClaims): void {
  writeMetadata(document, { fields: new Map(), custom: new Map() }, new Set(), claims)
}

/** The document's XMP packet. Undefined if there is none, or if it can't be read. */
export function readXmpPacket(document: PdfDocument): XmpPacket | undefined {
  const source = readPacket(document)
  return source === undefined ? undefined : readXmp(source)
}

function writeMetadata(
  document: PdfDocument,
  changes: MetadataChanges,
  droppedClaims: ReadonlySet<string>,
  claims?: NewClaims,
): void {
  const info = readInfo(document)
  const source = readPacket(document)
  const packet = source === undefined ? undefined : readXmp(source)
  const xmp = packet && normalized(packet)
  const metadata: Metadata = { fields: new Map(), custom: new Map([...(xmp?.custom ?? []), ...info.custom]) }
  for (const field of FIELDS) {
    const value = changes.fields.get(field) ?? info.fields.get(field) ?? xmp?.fields.get(field)
    if (value) metadata.fields.set(field, isDate(field) ? (normalizeIso(value) ?? value) : value)
  }
  for (const [name, value] of changes.custom) {
    if (value) metadata.custom.set(name, value)
    else metadata.custom.delete(name)
  }
  writeInfo(document, info, metadata, changes)
  if (source === undefined && !knowsXmp(document) && !claims) return
  const removedValues = listRemovedValues([info, ...(xmp ? [xmp] : [])], metadata)
  writePacket(
    document,
    writeXmp({
      metadata,
      packet: packet && xmp && { ...packet, metadata: xmp },
      removedValues,
      droppedClaims,
      claims,
    }),
  )
}

/**
 * The document's metadata. Values in the information dictionary take precedence over values in the XMP packet. Dates
 * are ISO 8601.
 */
export function readMetadata(document: PdfDocument): ReadonlyMap<MetadataField, string> {
  const packet = readXmpPacket(document)
  return new Map([...(packet ? normalized(packet).fields : []), ...readInfo(document).fields])
}

function isDate(field: MetadataField): boolean {
  return field === 'creationDate' || field === 'modDate'
}

function readInfo(document: PdfDocument): Metadata {
  const metadata: Metadata = { fields: new Map(), custom: new Map() }
  const byKey = new Map(FIELDS.map(field => [INFORMATION_KEYS[field], field]))
  for (const [key, entry] of document.peekDict(document.infoRef)?.entries() ?? []) {
    const value = readText(document.peek(entry))
    const name = nameText(key)
    const field = byKey.get(name)
    if (value === undefined || value === '') continue
    if (!field) {
      if (!STANDARD_KEYS.includes(name)) metadata.custom.set(name, value)
      continue
    }
    const read = isDate(field) ? readPdfDate(value) : value
    if (read !== undefined) metadata.fields.set(field, read)
  }
  return metadata
}

/** The packet's values with normalized dates. Leaves out invalid dates. */
function normalized(packet: XmpPacket): Metadata {
  const fields = new Map(packet.metadata.fields)
  for (const field of FIELDS.filter(isDate)) {
    const date = normalizeIso(fields.get(field)?.trim() ?? '')
    if (date === undefined) fields.delete(field)
    else fields.set(field, date)
  }
  return { fields, custom: packet.metadata.custom }
}

function writeInfo(document: PdfDocument, before: Metadata, after: Metadata, changes: MetadataChanges): void {
  if (after.fields.size === 0 && after.custom.size === 0 && !document.infoRef) return
  document.infoRef ??= document.register(PDFDict.withContext(document.context))
  const info = document.edit(document.infoRef)
  const names = new Map(info.keys().map(key => [nameText(key), key]))
  const set = (name: string, value: string | undefined): void => {
    const key = names.get(name) ?? nameOf(name)
    if (value === undefined) info.delete(key)
    else info.set(key, writeText(value))
  }
  for (const field of FIELDS) {
    const value = after.fields.get(field)
    // Keep a damaged entry unless the caller changes it.
    if (value === before.fields.get(field) && !changes.fields.has(field)) continue
    set(INFORMATION_KEYS[field], value !== undefined && isDate(field) ? writePdfDate(value) : value)
  }
  for (const [name, value] of after.custom) if (before.custom.get(name) !== value) set(name, value)
  for (const name of changes.custom.keys()) if (!after.custom.has(name)) set(name, undefined)
  if (info.keys().length === 0) document.infoRef = undefined
}

/** Reads a name as UTF-8 (ISO 32000-2, 7.3.5). */
function nameText(key: PDFName): string {
  return Buffer.from(key.asBytes()).toString('utf8')
}

function nameOf(text: string): PDFName {
  // pdf-lib treats a number sign as the start of an escape sequence.
  return PDFName.of(Buffer.from(text.replaceAll('#', '#23'), 'utf8').toString('latin1'))
}

function readPacket(document: PdfDocument): string | undefined {
  const stream = document.peek(document.catalog.get(Name.Metadata))
  if (!(stream instanceof PDFRawStream)) return undefined
  try {
    const bytes = decodeStream(
      stream.dict,
      stream.contents,
      value => document.peek(value),
      document.limits.maxStreamBytes,
    )
    if (bytes) document.source.count(bytes.length)
    return bytes ? decodeText(bytes, detectUnicode(bytes), { isFatal: true }) : ''
  } catch (error) {
    // A packet of this size, or in a broken encoding, can't be read, so it gets replaced.
    if (error instanceof TypeError || (isEngineError(error) && error.reason === 'too_large')) return ''
    throw error
  }
}

function writePacket(document: PdfDocument, text: string | undefined): void {
  const current = document.catalog.get(Name.Metadata)
  if (text === undefined) {
    if (current !== undefined) document.editCatalog().delete(Name.Metadata)
    return
  }
  // Don't compress the packet. PDF/A requires this, and tools that don't support PDF can find the packet.
  const stream = PDFRawStream.of(document.context.obj({ Type: 'Metadata', Subtype: 'XML' }), Buffer.from(text, 'utf8'))
  if (current instanceof PDFRef && document.peek(current) instanceof PDFRawStream) document.store.set(current, stream)
  else document.editCatalog().set(Name.Metadata, document.register(stream))
}

/** Returns whether the file's version supports XMP, which came with PDF 1.4. */
function knowsXmp(document: PdfDocument): boolean {
  return versionOf(document) >= '1.4'
}

/** Values that the metadata had before and no longer has. */
function listRemovedValues(before: Metadata[], after: Metadata): Set<string> {
  const removedValues = new Set<string>()
  for (const { fields, custom } of before) {
    for (const [field, value] of fields)
      if (after.fields.get(field) !== value && !isDate(field)) removedValues.add(value.trim())
    for (const [name, value] of custom) if (after.custom.get(name) !== value) removedValues.add(value.trim())
  }
  for (const value of [...after.fields.values(), ...after.custom.values()]) removedValues.delete(value.trim())
  removedValues.delete('')
  return removedValues
}

/**
 * Returns whether changes break PDF/A. It allows custom entries only with a description in the packet, and from part 4
 * on no information dictionary.
 */
function breaksPdfa(document: PdfDocument, packet: XmpPacket | undefined, changes: MetadataChanges): boolean {
  if (packet?.pdfaPart === undefined) return false
  const addsCustom = [...changes.custom.values()].some(Boolean)
  return addsCustom || (Number(packet.pdfaPart) >= 4 && document.infoRef !== undefined)
}
