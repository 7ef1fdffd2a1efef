import { publishConforming } from '../../standards/archival/publish-conforming'
import type { GuaranteedProfile } from '../../standards/archival/publish-conforming'
import type { ElectronicInvoice } from '../../standards/einvoice/model'
import { writeCii } from '../../standards/einvoice/write/write-cii'
import { writeUbl } from '../../standards/einvoice/write/write-ubl'
import { EngineError, isEngineError } from '../../errors'
import { writeHexColor } from '../../options/colors'
import { readConformance } from '../../options/conformance'
import { partName } from '../../file-name'
import { PAGE_COUNT } from '../../types'
import type { RunnableJob, ToolResult } from '../../types'
import type { PdfDocument } from '../../pdf/document'
import { computeTotals } from './data/totals'
import { formatOf, toElectronic } from './electronic/to-electronic'
import type { ElectronicFormat } from './electronic/to-electronic'
import { attachXml, describeAttachment } from './attach-xml'
import { drawInvoice, listParts } from './layout/draw-invoice'
import { readableAccent } from './layout/theme'
import { findInvoiceProblems } from './input/check-invoice'
import type { Invoice } from './data/invoice'

/** Standards that invoices conform to unless the request names others. */
const USUAL_PROFILES: readonly GuaranteedProfile[] = ['pdfa-3b', 'pdfua-1']

/**
 * Draws the invoice of a job, or writes it as XML. The options are the invoice, the optional file is the logo. Throws
 * EngineError `options_invalid` if fields contradict each other, or if a text or the logo can't be drawn, and `crashed` if drawing fails because of our own
 * error.
 */
export async function runInvoice(job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
  const invoice = job.options as Invoice // The operation has parsed the options with the schema.
  const started = performance.now()
  onOpened()
  try {
    assertConsistent(invoice)
    const name = partName(invoice.invoiceNumber)
    const format = formatOf(invoice)
    const now = job.now ?? new Date()
    const totals = computeTotals(invoice)
    const model =
      format && toElectronic(invoice, { ruleSet: format.ruleSet, issueDate: now.toISOString().slice(0, 10), totals })
    const xml = format && model && writeXml(model, format)
    if (xml !== undefined && format?.output === 'xml')
      return {
        warnings: [],
        headers: {},
        name: `${name}.xml`,
        contentType: 'application/xml',
        chunks: [Buffer.from(xml, 'utf8')],
        timings: { work: performance.now() - started },
      }
    const document = await drawInvoice(invoice, { totals, logo: job.files[0]?.bytes, limits: job.limits, now })
    const worked = performance.now()
    const accent = describeAccent(invoice)
    const chunks = publish(
      document,
      invoice,
      xml !== undefined && format && model && { xml, format, date: model.issueDate ?? '' },
    )
    return {
      warnings: accent.warnings,
      name: `${name}.pdf`,
      contentType: 'application/pdf',
      headers: { [PAGE_COUNT]: String(document.pageCount), ...accent.headers },
      chunks: [...chunks],
      timings: { work: worked - started, save: performance.now() - worked },
    }
  } catch (error) {
    if (isEngineError(error)) throw error
    throw new EngineError(
      'crashed',
      'The invoice could not be rendered. You were not charged. Try again. If the error remains, contact support ' +
        'with the requestId.',
      { cause: error },
    )
  }
}

/** Says which color text has, if it isn't the accent color. */
function describeAccent({ accentColor }: Invoice): Pick<ToolResult, 'warnings' | 'headers'> {
  const used = writeHexColor(readableAccent(accentColor))
  if (used === writeHexColor(accentColor)) return { warnings: [], headers: {} }
  return { warnings: ['accent-text-darkened'], headers: { 'X-Accent-Text-Color': used } }
}

/** Throws EngineError `options_invalid` with every constraint between fields that the invoice breaks. */
function assertConsistent(invoice: Invoice): void {
  const problems = findInvoiceProblems(invoice)
  if (problems.length > 0) throw new EngineError('options_invalid', 'The invoice has errors.', { problems })
}

function writeXml(model: ElectronicInvoice, { syntax, ruleSet }: ElectronicFormat): string {
  return syntax === 'cii' ? writeCii(model, ruleSet) : writeUbl(model, ruleSet)
}

/** Writes the PDF with its claims. One with an invoice inside must be PDF/A-3 (Factur-X 1.0, 6.1). */
function publish(
  document: PdfDocument,
  invoice: Invoice,
  electronic: { xml: string; format: ElectronicFormat; date: string } | false | undefined,
): readonly Uint8Array[] {
  const requested = readConformance(invoice.conformance)
  const wanted = requested ?? USUAL_PROFILES
  const parts = listParts(document, invoice)
  if (!electronic) return publishConforming(document, { profiles: wanted, required: requested ?? [], parts }).chunks
  const { fileName, properties } = describeAttachment(electronic.format.ruleSet, electronic.format.syntax)
  attachXml(document, electronic.xml, { fileName, date: electronic.date })
  const profiles = [...new Set<GuaranteedProfile>(['pdfa-3b', ...wanted])]
  return publishConforming(document, {
    profiles,
    required: requested ? profiles : ['pdfa-3b'],
    properties,
    parts: [...parts, electronic.format.ruleSet, fileName],
  }).chunks
}
