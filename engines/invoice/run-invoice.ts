import { EngineError, isEngineError } from '../errors'
import { publishConforming } from '../archival/publish-conforming'
import { readConformance } from '../options/conformance'
import { partName } from '../pdf-tools/file-name'
import type { RunnableJob, ToolResult } from '../pdf-tools/run-tool'
import { drawInvoice } from './layout/draw-invoice'
import type { Invoice } from './data/invoice'

/** Standards that invoices conform to unless the request names others. */
const USUAL_PROFILES = ['pdfa-3b', 'pdfua-1'] as const

/**
 * Draws the invoice of a job. The options are the invoice, the optional file is the logo. Throws EngineError
 * `bad-options` if a text or the logo can't be drawn, and `crashed` if drawing fails because of our own error.
 */
export async function runInvoice(job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
  const invoice = job.options as Invoice // The operation has parsed the options with the schema.
  const started = performance.now()
  onOpened()
  try {
    const document = await drawInvoice(invoice, {
      logo: job.files[0]?.bytes,
      limits: job.limits,
      now: job.now ?? new Date(),
    })
    const worked = performance.now()
    const requested = readConformance(invoice.conformance)
    const { chunks } = publishConforming(document, requested ?? USUAL_PROFILES, requested !== undefined)
    return {
      name: `${partName(invoice.invoiceNumber)}.pdf`,
      contentType: 'application/pdf',
      chunks: [...chunks],
      warnings: [],
      headers: {},
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
