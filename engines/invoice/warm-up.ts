import { saveDocument } from '../pdf-core/pages/save'
import type { EngineLimits } from '../types'
import { computeTotals } from './data/totals'
import { drawInvoice } from './layout/draw-invoice'
import { invoiceSchema } from './request/invoice'

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
  items: Array.from({ length: 12 }, (_, index) => ({
    description: 'Binding of a book that is described in more than one line of text, so that lines are broken',
    quantity: index + 1,
    rate: 12.5,
  })),
  taxRate: 0.2,
  notes: 'Thank you',
}

/** Draws sample invoices, so that code and fonts are ready for the first request. */
export async function warmUpInvoice(): Promise<void> {
  const invoice = invoiceSchema.parse(SAMPLE)
  for (let round = 0; round < ROUNDS; round++)
    saveDocument(
      await drawInvoice(invoice, { totals: computeTotals(invoice), logo: undefined, limits: LIMITS, now: new Date(0) }),
    )
}

/** Number of rounds until the code is compiled. Each round takes tens of milliseconds. */
const ROUNDS = 3
