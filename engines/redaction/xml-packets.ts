import { PDFArray, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document'
import { decodeStream } from '../pdf-core/filters'
import { dropXfa } from '../pdf-core/form-fields'
import { findReachable } from '../pdf-core/reachable'
import { decodeXml, encodeXml } from '../pdf-core/xml'
import { cutMatches } from './cut-matches'
import type { Rule } from './search'

const ACRO_FORM = PDFName.of('AcroForm')
const XFA = PDFName.of('XFA')
const TYPE = PDFName.of('Type')
const METADATA = PDFName.of('Metadata')
const PIECE_INFO = PDFName.of('PieceInfo')

/** Tags and comments apart from the text between them. */
const PARTS = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>|[^<]+/g

/**
 * Takes what rules match out of XMP packets, the document's and those of objects. XFA that says it is dropped, as is what
 * programs keep of their own beside the pages of a document.
 */
export function redactPackets(document: PdfDocument, rules: readonly Rule[]): void {
  if (rules.length === 0) return
  if (document.catalog.has(PIECE_INFO)) document.editCatalog().delete(PIECE_INFO)
  for (const { ref, stream } of findPackets(document)) {
    const text = readUtf(document, stream)
    const cut = text === undefined ? '' : cutXml(text, rules)
    if (cut !== undefined) document.store.set(ref, PDFRawStream.of(document.context.obj({ Type: 'Metadata', Subtype: 'XML' }), Buffer.from(cut, 'utf8')))
  }
  if (readXfa(document).some(packet => cutXml(packet, rules) !== undefined)) dropXfa(document)
}

function findPackets(document: PdfDocument): { ref: PDFRef; stream: PDFRawStream }[] {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  return [...reached.inOrder()].flatMap(slot => {
    if (!reached.isStream(slot)) return []
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    return stream instanceof PDFRawStream && document.peek(stream.dict.get(TYPE)) === METADATA ? [{ ref, stream }] : []
  })
}

function readXfa(document: PdfDocument): string[] {
  const form: PDFDict | undefined = document.peekDict(document.catalog.get(ACRO_FORM))
  const value = document.peek(form?.get(XFA))
  const parts: (PDFObject | undefined)[] = value instanceof PDFArray ? value.asArray().map(item => document.peek(item)) : [value]
  return parts.flatMap(part => (part instanceof PDFRawStream ? [readUtf(document, part) ?? ''] : []))
}

/** Undefined for what can't be decoded. */
function readUtf(document: PdfDocument, { dict, contents }: PDFRawStream): string | undefined {
  const bytes = decodeStream(dict, contents, value => document.peek(value), document.limits.maxStreamBytes)
  if (!bytes) return undefined
  document.source.count(bytes.length)
  const [first, second] = bytes
  const encoding = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0) ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** Undefined when nothing in texts, attributes and comments matches. */
function cutXml(source: string, rules: readonly Rule[]): string | undefined {
  let isCut = false
  const cut = (text: string): string => {
    const left = cutMatches(text, rules)
    if (left === undefined) return text
    isCut = true
    return left
  }
  const cutText = (text: string): string => {
    const plain = decodeXml(text) ?? text
    const left = cut(plain)
    return left === plain ? text : encodeXml(left)
  }
  const result = source.replace(PARTS, part => {
    if (part.startsWith('<!--') || part.startsWith('<![CDATA[') || part.startsWith('<?')) return cut(part)
    if (!part.startsWith('<')) return cutText(part)
    return part.replace(/"[^"]*"|'[^']*'/g, value => `${value.slice(0, 1)}${cutText(value.slice(1, -1))}${value.slice(-1)}`)
  })
  return isCut ? result : undefined
}
