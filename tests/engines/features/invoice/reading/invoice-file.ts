import { invoiceSchema } from '../../../../../engines/features/invoice/input/invoice-schema'
import { runInvoice } from '../../../../../engines/features/invoice/run-invoice'
import type { InvoiceBody } from '../../../../../lib/docs/electronic-bodies'
import { LIMITS } from '../../../../support/run-on'

/** The response of the invoice endpoint: a PDF or XML. */
export async function invoiceFile(body: InvoiceBody): Promise<Buffer> {
  const { logo: _, ...options } = invoiceSchema.parse(body)
  const job = { tool: 'invoice', options, files: [], limits: LIMITS, now: new Date(0) }
  const { chunks } = await runInvoice(job, () => undefined)
  return Buffer.concat(chunks)
}
