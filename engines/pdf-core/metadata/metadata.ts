import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { normalizeIso, readPdfDate, writePdfDate } from './dates'
import type { PdfDocument } from '../document/document'
import { decodeStream } from '../filters/filters'
import { readText, writeText } from '../syntax/text-string'
import { versionOf } from '../document/version'
import { FIELDS, PDFA, readXmp, writeXmp } from './xmp'
import type { Metadata, MetadataField, XmpPacket } from './xmp'
import * as Name from '../syntax/names'

/** The key of each field in the information dictionary (ISO 32000-2, table 349). */
const KEYS: Record<MetadataField, string> = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  creationDate: 'CreationDate',
  modDate: 'ModDate',
}

/** Keys of the information dictionary that have a meaning of their own, so that no custom entry may use them. */
export const STANDARD_KEYS: readonly string[] = [...Object.values(KEYS), 'Trapped']

/** What to change: an empty text, or null, removes; what is not named stays. Dates are ISO 8601. */
export interface MetadataChanges {
  fields: Map<MetadataField, string>
  custom: Map<string, string | null>
}

/**
 * Changes the document's metadata. The information dictionary and the XMP packet say the same afterwards: where they
 * contradicted each other, the dictionary is right. A packet that can't be read safely is replaced; a file older than
 * PDF
 * 1.4, which knows no XMP, gets none.
 */
export function changeMetadata(document: PdfDocument, changes: MetadataChanges): void {
  if (changes.fields.get('title') === '') document.addedFeatures.add('lost-title')
  const isBroken = breaksPdfa(document, readXmpPacket(document), changes)
  if (isBroken) document.warnings.add('conformance-dropped')
  writeMetadata(document, changes, new Set(isBroken ? [PDFA] : []))
}

/** Removes claims of conformance, by their namespaces, from the XMP packet; all else that the document says stays. */
export function dropClaims(document: PdfDocument, namespaces: readonly string[]): void {
  writeMetadata(document, { fields: new Map(), custom: new Map() }, new Set(namespaces))
}

/** The document's XMP packet; undefined if it has none that can be read. */
export function readXmpPacket(document: PdfDocument): XmpPacket | undefined {
  const source = readPacket(document)
  return source === undefined ? undefined : readXmp(source)
}

function writeMetadata(document: PdfDocument, changes: MetadataChanges, droppedClaims: ReadonlySet<string>): void {
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
  if (source === undefined && !knowsXmp(document)) return
  const gone = goneValues([info, ...(xmp ? [xmp] : [])], metadata)
  writePacket(
    document,
    writeXmp({ metadata, packet: packet && xmp && { ...packet, metadata: xmp }, gone, droppedClaims }),
  )
}

/**
 * What the document says of itself: its information dictionary, and its XMP packet where that says nothing. Dates are
 * ISO 8601.
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
  const byKey = new Map(FIELDS.map(field => [KEYS[field], field]))
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

/** The packet's values with dates written in one way; a date that is none counts as missing. */
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
    // What a damaged entry says stays as it is while nobody asks for something else.
    if (value === before.fields.get(field) && !changes.fields.has(field)) continue
    set(KEYS[field], value !== undefined && isDate(field) ? writePdfDate(value) : value)
  }
  for (const [name, value] of after.custom) if (before.custom.get(name) !== value) set(name, value)
  for (const name of changes.custom.keys()) if (!after.custom.has(name)) set(name, undefined)
  if (info.keys().length === 0) document.infoRef = undefined
}

/** Names are UTF-8 (ISO 32000-2, 7.3.5). */
function nameText(key: PDFName): string {
  return Buffer.from(key.asBytes()).toString('utf8')
}

function nameOf(text: string): PDFName {
  // pdf-lib takes a number sign for the start of an escape.
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
    return bytes ? decodePacket(bytes) : ''
  } catch (error) {
    // Neither a packet of that size nor one in a broken encoding can be read: it is replaced.
    if (error instanceof TypeError || (isEngineError(error) && error.reason === 'too-large')) return ''
    throw error
  }
}

/** UTF-8, or UTF-16 by its first bytes. Throws TypeError where the bytes are neither. */
function decodePacket(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
      ? 'utf-16be'
      : (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
        ? 'utf-16le'
        : 'utf-8'
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}

function writePacket(document: PdfDocument, text: string | undefined): void {
  const given = document.catalog.get(Name.Metadata)
  if (text === undefined) {
    if (given !== undefined) document.editCatalog().delete(Name.Metadata)
    return
  }
  // In the clear, as PDF/A wants it and as tools that know no PDF find it.
  const stream = PDFRawStream.of(document.context.obj({ Type: 'Metadata', Subtype: 'XML' }), Buffer.from(text, 'utf8'))
  if (given instanceof PDFRef && document.peek(given) instanceof PDFRawStream) document.store.set(given, stream)
  else document.editCatalog().set(Name.Metadata, document.register(stream))
}

/** PDF 1.4 brought XMP. */
function knowsXmp(document: PdfDocument): boolean {
  return versionOf(document) >= '1.4'
}

/** Values that the document said and no longer says, long enough to mean something. */
function goneValues(before: Metadata[], after: Metadata): Set<string> {
  const gone = new Set<string>()
  for (const { fields, custom } of before) {
    for (const [field, value] of fields) if (after.fields.get(field) !== value && !isDate(field)) gone.add(value.trim())
    for (const [name, value] of custom) if (after.custom.get(name) !== value) gone.add(value.trim())
  }
  for (const value of [...after.fields.values(), ...after.custom.values()]) gone.delete(value.trim())
  gone.delete('')
  return gone
}

/** PDF/A allows no custom entries that its packet does not describe, and from part 4 on no information dictionary. */
function breaksPdfa(document: PdfDocument, packet: XmpPacket | undefined, changes: MetadataChanges): boolean {
  if (packet?.pdfaPart === undefined) return false
  const addsCustom = [...changes.custom.values()].some(Boolean)
  return addsCustom || (Number(packet.pdfaPart) >= 4 && document.infoRef !== undefined)
}
