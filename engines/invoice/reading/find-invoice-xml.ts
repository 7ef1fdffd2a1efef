import { PDFName } from 'pdf-lib'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readNameTree } from '../../pdf-core/document/name-tree'
import * as Name from '../../pdf-core/syntax/names'
import { readText } from '../../pdf-core/syntax/text-string'

/** An XML file in a PDF. */
export interface AttachedXml {
  name: string
  bytes: Uint8Array
}

/**
 * Names of invoices in PDFs: Factur-X and ZUGFeRD 2.1, ZUGFeRD 2.0, ZUGFeRD 1.0, XRechnung, and those that Sheaf gives
 * to UBL. In order of preference.
 */
const USUAL_NAMES = ['factur-x.xml', 'zugferd-invoice.xml', 'xrechnung.xml', 'peppol.xml']

/** Maximum number of attached XML files that are looked at. */
const MAX_FILES = 20

/** The attached XML files of a document, those with a usual name first. */
export function* findInvoiceXml(document: PdfDocument): Generator<AttachedXml> {
  const names = document.peekDict(document.catalog.get(Name.Names))
  const files = [
    ...readNameTree(document, names?.get(Name.EmbeddedFiles)).map(({ value }) => value),
    ...(document.peekArray(document.catalog.get(Name.AF))?.asArray() ?? []),
  ]
  const specifications = [...new Set(files.map(file => document.peekDict(file)))]
  const found = specifications.flatMap(specification => {
    const name = readText(document.peek(specification?.get(PDFName.of('UF')) ?? specification?.get(Name.F))) ?? ''
    const embedded = document.peekDict(specification?.get(Name.EF))
    const stream = embedded?.get(Name.F) ?? embedded?.get(PDFName.of('UF'))
    return stream && /\.xml$/i.test(name) ? [{ name, stream }] : []
  })
  const rankOf = (name: string): number => {
    const rank = USUAL_NAMES.indexOf(name.toLowerCase())
    return rank === -1 ? USUAL_NAMES.length : rank
  }
  const sorted = found.toSorted((one, other) => rankOf(one.name) - rankOf(other.name))
  for (const { name, stream } of sorted.slice(0, MAX_FILES)) {
    const bytes = decodeUpToLimit(document, stream)
    if (bytes) yield { name, bytes }
  }
}
