import { deflateSync } from 'node:zlib'
import { PDFRawStream, PDFString } from 'pdf-lib'
import type { RuleSet } from '../../standards/einvoice/formats'
import type { PdfDocument } from '../../pdf/document'
import type { DescribedProperties } from '../../pdf/metadata'
import { replaceNames } from '../../pdf/document'
import * as Name from '../../pdf/names'

/** The file in the PDF, and how readers find it. */
interface XmlAttachment {
  fileName: string
  /** What XMP says about it. Undefined if it isn't CII, which Factur-X requires. */
  properties: DescribedProperties | undefined
}

/** `fx:ConformanceLevel` of each rule set (Factur-X 1.0, 6.2.2). */
const LEVELS: Readonly<Partial<Record<RuleSet, string>>> = {
  'facturx-basic': 'BASIC',
  'facturx-en16931': 'EN 16931',
  'facturx-extended': 'EXTENDED',
  xrechnung: 'XRECHNUNG',
}

const PROPERTIES = {
  DocumentFileName: 'Name of the embedded XML file',
  DocumentType: 'Type of the document: INVOICE',
  Version: 'Version of the XML schema',
  ConformanceLevel: 'Profile of the XML data',
}

/** Returns the name and the XMP properties of an invoice in a PDF. */
export function describeAttachment(ruleSet: RuleSet, syntax: 'cii' | 'ubl'): XmlAttachment {
  const level = LEVELS[ruleSet]
  if (level === undefined || syntax !== 'cii')
    return { fileName: ruleSet === 'peppol' ? 'peppol.xml' : 'xrechnung.xml', properties: undefined }
  const fileName = 'factur-x.xml'
  return {
    fileName,
    properties: {
      schema: {
        title: 'Factur-X PDFA Extension Schema',
        namespace: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
        prefix: 'fx',
        properties: Object.entries(PROPERTIES).map(([name, description]) => ({
          name,
          type: 'Text',
          category: 'external',
          description,
        })),
      },
      values: {
        DocumentType: 'INVOICE',
        DocumentFileName: fileName,
        Version: ruleSet === 'xrechnung' ? '3.0' : '1.0',
        ConformanceLevel: level,
      },
    },
  }
}

/**
 * Attaches the XML of an invoice to its page as an alternative of it (ISO 19005-3, 6.8; ISO 32000-2, 7.11.3 and
 * 14.13). `date` is the date of the invoice, because the file has no other.
 */
export function attachXml(
  document: PdfDocument,
  xml: string,
  { fileName, date }: { fileName: string; date: string },
): void {
  const { context } = document
  const bytes = Buffer.from(xml, 'utf8')
  const data = deflateSync(bytes)
  const stream = PDFRawStream.of(
    context.obj({
      Type: 'EmbeddedFile',
      Subtype: 'text/xml',
      Filter: 'FlateDecode',
      Length: data.byteLength,
      Params: { Size: bytes.byteLength, ModDate: PDFString.of(`D:${date.replaceAll('-', '')}000000Z`) },
    }),
    data,
  )
  const file = document.register(stream)
  const specification = document.register(
    context.obj({
      Type: 'Filespec',
      F: PDFString.of(fileName),
      UF: PDFString.of(fileName),
      Desc: PDFString.of('Invoice data'),
      AFRelationship: 'Alternative',
      EF: { F: file, UF: file },
    }),
  )
  replaceNames(document, Name.EmbeddedFiles, [{ key: fileName, value: specification }])
  document.editCatalog().set(Name.AF, context.obj([specification]))
}
