import type { EngineLimits } from '../../types'
import { INVOICE_JOB } from './data/invoice'
import { invoiceSchema } from './input/invoice-schema'
import { runInvoice } from './run-invoice'

const LIMITS: EngineLimits = {
  maxPagesIn: 10,
  maxPagesOut: 10,
  maxOutputBytes: 512 * 2 ** 20,
  maxObjects: 10_000,
  maxStreamBytes: 2 ** 20,
  maxInflateBytes: 2 ** 24,
  maxPixels: 1,
  ocrPageTimeoutMs: 1000,
}

const SAMPLE = {
  invoiceNumber: '0123456789',
  from: { name: 'Quill', addressLines: ['1 Paper Lane'], email: 'quill@example.com', taxId: 'X1' },
  billTo: { name: 'Ada', addressLines: ['Bristol'] },
  items: Array.from({ length: 3 }, (_, index) => ({
    description: 'Binding of a book that is described in more than one line of text, so that lines are broken',
    quantity: index + 1,
    rate: 12.5,
  })),
  taxRate: 0.2,
  notes: 'Thank you',
}

/**
 * Draws a sample invoice and checks its conformance as a request does, so that code and fonts are ready for the first
 * request.
 */
export async function warmUpInvoice(): Promise<void> {
  const options = invoiceSchema.parse(SAMPLE)
  await runInvoice({ tool: INVOICE_JOB, options, files: [], limits: LIMITS, now: new Date(0) }, () => undefined)
}
