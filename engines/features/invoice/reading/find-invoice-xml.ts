import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { EngineError, isEngineError } from '../../../errors'
import { annotationsOf, subtypeOf } from '../../../pdf/annotations'
import { decodeContent, decodeStream, readNameTree } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { readXmpPacket } from '../../../pdf/metadata'
import * as Name from '../../../pdf/names'
import { readText } from '../../../pdf/syntax'

/** An attached file that may be an invoice. */
export interface AttachedXml {
  name: string
  /** An error if the file can't be decoded or is too large. */
  bytes: Uint8Array | EngineError
}

/**
 * Names of invoices in PDFs: Factur-X and ZUGFeRD 2.1, ZUGFeRD 2.0, ZUGFeRD 1.0, XRechnung, and those that Sheaf gives
 * to UBL. In order of preference.
 */
const USUAL_NAMES = ['factur-x.xml', 'zugferd-invoice.xml', 'xrechnung.xml', 'peppol.xml']

/** Relationships of the invoice to the pages (Factur-X 1.0, 6.2.3). Other files are supplements. */
const RELATIONSHIPS: ReadonlySet<string> = new Set(['Alternative', 'Data', 'Source'])

/** The property of XMP with the name of the file, in any version of Factur-X and ZUGFeRD. */
const XMP_NAME = /^\{urn:[^{}]{1,100}#\}DocumentFileName$/

const XML_NAME = /\.xml$/i

/** The start of a file, and the root of an invoice in it. Zero bytes of UTF-16 are left out. */
const START = 4000
const ROOT = /<(?:[\w.-]{1,100}:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>]/

/** Maximum number of attached files that are looked at, and the maximum size of one that is not known to be XML. */
const MAX_FILES = 20
const MAX_OTHER_BYTES = 10_000_000

interface Candidate {
  name: string
  stream: PDFRawStream
  /** Whether its name or type says that the file is XML. */
  isXml: boolean
  /** Lower ranks come first. */
  rank: number
}

/**
 * The attached files that may be invoices: XML by name, type or content. The file that the XMP packet names comes first.
 * Then come those that stand for the pages, and usual names.
 */
export function* findInvoiceXml(document: PdfDocument): Generator<AttachedXml> {
  const candidates = listCandidates(document).toSorted((one, other) => one.rank - other.rank)
  for (const { name, stream, isXml } of candidates.slice(0, MAX_FILES)) {
    const bytes = decodeAttachment(document, stream, isXml)
    if (bytes instanceof EngineError ? isXml : isInvoice(bytes) || XML_NAME.test(name)) yield { name, bytes }
  }
}

/** Returns whether a file starts as an invoice in XML. */
export function isInvoice(bytes: Uint8Array): boolean {
  return ROOT.test(Buffer.from(bytes.subarray(0, START)).toString('latin1').replaceAll('\0', ''))
}

function listCandidates(document: PdfDocument): Candidate[] {
  const namedByXmp = readXmpName(document)
  const found = new Map<PDFRawStream, Candidate>()
  for (const specification of listSpecifications(document)) {
    const embedded = document.peekDict(specification.get(Name.EF))
    const file = embedded?.get(Name.F) ?? embedded?.get(Name.UF) ?? embedded?.values()[0]
    const stream = document.peek(file)
    if (!(stream instanceof PDFRawStream) || found.has(stream)) continue
    const name = readText(document.peek(specification.get(Name.UF) ?? specification.get(Name.F))) ?? ''
    found.set(stream, {
      name: name.trim() || 'without a name',
      stream,
      isXml: XML_NAME.test(name) || /xml/i.test(readName(document, stream.dict.get(Name.Subtype))),
      rank: rankOf(name.toLowerCase(), {
        isNamedByXmp: namedByXmp !== undefined && name === namedByXmp,
        isRelated: RELATIONSHIPS.has(readName(document, specification.get(Name.AFRelationship))),
      }),
    })
  }
  return [...found.values()]
}

/** The file specifications of the document, and of annotations that attach a file. */
function listSpecifications(document: PdfDocument): PDFDict[] {
  const names = document.peekDict(document.catalog.get(Name.Names))
  const attached = document.pages.flatMap(page =>
    annotationsOf(document, page).flatMap(value => {
      const annotation = document.peekDict(value)
      return annotation && subtypeOf(document, annotation) === 'FileAttachment' ? (annotation.get(Name.FS) ?? []) : []
    }),
  )
  const files: (PDFObject | undefined)[] = [
    ...readNameTree(document, names?.get(Name.EmbeddedFiles)).map(({ value }) => value),
    ...document.peekItems(document.catalog.get(Name.AF)),
    ...attached,
  ]
  return files.flatMap(file => document.peekDict(file) ?? [])
}

function rankOf(name: string, { isNamedByXmp, isRelated }: { isNamedByXmp: boolean; isRelated: boolean }): number {
  const usual = USUAL_NAMES.indexOf(name)
  const order = usual === -1 ? USUAL_NAMES.length : usual
  return order + (isRelated ? 0 : 10) + (isNamedByXmp ? 0 : 100)
}

function readName(document: PdfDocument, value: PDFObject | undefined): string {
  const name = document.peek(value)
  return name instanceof PDFName ? name.decodeText() : ''
}

function readXmpName(document: PdfDocument): string | undefined {
  return readXmpPacket(document)?.properties.find(({ name }) => XMP_NAME.test(name))?.value
}

/** Returns the bytes of an attached file, or why they can't be read. A file that may not be XML has a lower limit. */
function decodeAttachment(document: PdfDocument, stream: PDFRawStream, isXml: boolean): Uint8Array | EngineError {
  try {
    const bytes = isXml
      ? decodeContent(document, stream)
      : decodeStream(stream.dict, stream.contents, item => document.peek(item), MAX_OTHER_BYTES)
    return bytes ?? new EngineError('damaged', 'Its data is damaged, or has an unknown filter.')
  } catch (error) {
    if (isEngineError(error)) return error
    throw error
  }
}
