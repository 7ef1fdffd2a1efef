import { PDFArray, PDFName, PDFRawStream, PDFStream } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { findContentStreams } from '../../../pdf/rewrite-content'
import { decodeUpToLimit, findReachable, walkDictionaries } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { dropXfa } from '../../../pdf/forms'
import * as Name from '../../../pdf/names'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { textsOfBytes } from '../matching/byte-texts'
import { decodeXmlBytes, looksLikeXml, withoutEncoding } from './xml-encoding'
import { rewritePacket } from './rewrite-packet'
import { cutMarkup } from './xml-text'

/** Types of streams that aren't text. */
const OTHER_TYPES: readonly (PDFObject | undefined)[] = [
  'XObject',
  'Pattern',
  'ObjStm',
  'XRef',
  'CMap',
  'EmbeddedFile',
  'Halftone',
].map(name => PDFName.of(name))

/** Keys that only images, fonts, functions and shadings have. */
const OTHER_KEYS = [
  'Width',
  'Length1',
  'Length2',
  'FunctionType',
  'ShadingType',
  'PatternType',
  'HalftoneType',
  'N',
].map(name => PDFName.of(name))

/**
 * Removes matches from XMP packets of the document and of objects, and from all other XML streams. If a packet can't be
 * parsed safely, all of it is removed. XFA with a match is removed. Private data of programs (/PieceInfo of the
 * catalog) is removed in any case.
 */
export function redactPackets(document: PdfDocument, rules: readonly Rule[]): void {
  if (rules.length === 0) return
  if (document.catalog.has(Name.PieceInfo)) document.editCatalog().delete(Name.PieceInfo)
  if (readXfa(document, rules).some(text => hasMatch(text, rules))) dropXfa(document)
  for (const { ref, isPacket, text } of findPackets(document)) {
    const cut = text === undefined ? '' : cutMarkup(text, rules)
    if (cut !== undefined) writePacket(document, ref, { text: cut, isPacket })
  }
}

/**
 * Writes all XMP packets of the document and of objects anew, from their properties with texts, and removes matches that
 * only show then. Images of pages are gone. A packet that can't be parsed becomes empty.
 */
export function rewritePackets(document: PdfDocument, rules: readonly Rule[]): void {
  const general = rules.filter(rule => rule.isForAll)
  for (const { ref, isPacket, text } of findPackets(document)) {
    if (!isPacket) continue
    const written = rewritePacket(text ?? '') ?? ''
    writePacket(document, ref, { text: cutMarkup(written, general) ?? written, isPacket })
  }
}

function writePacket(
  document: PdfDocument,
  ref: PDFRef,
  { text, isPacket }: { text: string; isPacket: boolean },
): void {
  const dict: PDFDict = document.context.obj({})
  if (isPacket) dict.set(Name.Type, Name.Metadata)
  if (isPacket) dict.set(Name.Subtype, Name.XML)
  document.store.set(ref, PDFRawStream.of(dict, Buffer.from(withoutEncoding(text), 'utf8')))
}

interface Packet {
  ref: PDFRef
  /** Whether the stream is XMP, and not any other XML. */
  isPacket: boolean
  /** Undefined if the stream can't be decoded. */
  text: string | undefined
}

function findPackets(document: PdfDocument): Packet[] {
  const { rootRef, infoRef } = document
  const reached = findReachable(
    document,
    infoRef ? [rootRef.objectNumber, infoRef.objectNumber] : [rootRef.objectNumber],
  )
  const [named, files] = collectNamed(
    document,
    [...reached.inOrder()].map(slot => reached.refOf(slot)),
  )
  const content = new Set(findContentStreams(document))
  return [...reached.inOrder()].flatMap((slot): Packet[] => {
    const ref = reached.refOf(slot)
    const stream = reached.isStream(slot) ? document.peek(ref) : undefined
    if (!(stream instanceof PDFRawStream) || content.has(ref) || files.has(ref)) return []
    const { dict } = stream
    const type = document.peek(dict.get(Name.Type))
    const isPacket = type === Name.Metadata || document.peek(dict.get(Name.Subtype)) === Name.XML || named.has(ref)
    if (!isPacket && (OTHER_TYPES.includes(type) || OTHER_KEYS.some(key => dict.has(key)))) return []
    const bytes = decodeUpToLimit(document, stream)
    if (!isPacket && !(bytes && looksLikeXml(bytes))) return []
    return [{ ref, isPacket, text: bytes && decodeXmlBytes(bytes) }]
  })
}

/** Returns metadata streams and streams of attached files, as determined by the keys that refer to them. */
function collectNamed(document: PdfDocument, refs: readonly PDFRef[]): [named: Set<PDFObject>, files: Set<PDFObject>] {
  const [named, files] = [new Set<PDFObject>(), new Set<PDFObject>()]
  for (const ref of refs) {
    const object = document.peek(ref)
    for (const dict of object ? walkDictionaries(object) : []) {
      const packet = dict.get(Name.Metadata)
      // A resource may also be named "Metadata".
      const target = document.peek(packet)
      if (
        packet &&
        target instanceof PDFStream &&
        !OTHER_KEYS.some(key => target.dict.has(key)) &&
        !OTHER_TYPES.includes(document.peek(target.dict.get(Name.Type)))
      )
        named.add(packet)
      for (const file of document.peekDict(dict.get(Name.EF))?.values() ?? []) files.add(file)
    }
  }
  return [named, files]
}

/** Returns the concatenated parts of the XFA form, which are one XML document, in every encoding that it may have. */
function readXfa(document: PdfDocument, rules: readonly Rule[]): string[] {
  const form: PDFDict | undefined = document.peekDict(document.catalog.get(Name.AcroForm))
  const value = document.peek(form?.get(Name.XFA))
  const parts: (PDFObject | undefined)[] =
    value instanceof PDFArray ? value.asArray().map(item => document.peek(item)) : [value]
  const bytes = parts.flatMap(part => (part instanceof PDFRawStream ? (decodeUpToLimit(document, part) ?? []) : []))
  const isForeign = rules.some(rule => rule.isForeign)
  return [
    bytes.map(part => decodeXmlBytes(part)).join(''),
    ...(isForeign ? textsOfBytes(Buffer.concat(bytes), { isForeign }) : []),
  ]
}

/** Returns whether a rule matches text in an XFA form, or an element name in its data, which is a field name. */
function hasMatch(xfa: string, rules: readonly Rule[]): boolean {
  if (xfa === '') return false
  const [start, end] = [xfa.search(/<(?:\w{1,20}:)?data\b/), xfa.lastIndexOf('data')]
  const names = start < 0 ? [] : (xfa.slice(start, end).match(/<[^\s<>/!?]+/g) ?? [])
  const isNamed = cutMatches(names.map(name => name.slice(1).replaceAll('_', ' ')).join('\n'), rules) !== undefined
  return cutMarkup(xfa, rules) !== undefined || isNamed
}
