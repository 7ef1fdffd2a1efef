import { collectContent } from '../../engines/output-content'
import { INVOICE_JOB } from '../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../engines/features/invoice/input/invoice-schema'
import { findPurchase, type PurchaseRow } from '../../db/queries/purchases'
import { AccountRefusal } from '../accounts/account/account-refusal'
import { type Config, getConfig } from '../config'
import { getDatabase } from '../database'
import { getEngines } from '../running-engines'
import { writeContentDisposition } from '../content-disposition'
import { readBilling } from './billing'
import { isPurchaseId } from './purchases'

type Seller = Pick<Config, 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_TAX_ID' | 'OPERATOR_EMAIL'>

/**
 * Responds with the invoice of a purchase as a PDF. Throws AccountRefusal 404 if the account has no such paid purchase.
 */
export async function respondWithInvoice(accountId: string, purchaseId: string): Promise<Response> {
  const purchase = isPurchaseId(purchaseId) ? await findPurchase(getDatabase(), accountId, purchaseId) : undefined
  if (purchase === undefined || purchase.paidAt === null)
    throw new AccountRefusal(404, 'not_found', 'Your account has no invoice with this ID.')
  const { limits, OPEN_TIMEOUT_MS, TOOL_TIMEOUT_MS, ...seller } = getConfig()
  const options = invoiceSchema.parse(describeInvoice({ ...purchase, paidAt: purchase.paidAt }, seller))
  const job = { tool: INVOICE_JOB, options, files: [], limits }
  const { name, contentType, content } = await getEngines().run(job, {
    openTimeoutMs: OPEN_TIMEOUT_MS,
    toolTimeoutMs: TOOL_TIMEOUT_MS,
  })
  return new Response(new Uint8Array(await collectContent(content)), {
    headers: { 'content-type': contentType, 'content-disposition': writeContentDisposition(name) },
  })
}

/** A later refund doesn't change the invoice. */
function describeInvoice(purchase: PurchaseRow & { paidAt: Date }, seller: Seller) {
  const { amountCents, credits, currency, paidAt, receiptNumber, billing } = purchase
  const { name, ...buyer } = readBilling(billing)
  const amount = amountCents / 100
  return {
    invoiceNumber: `SHEAF-${String(receiptNumber).padStart(6, '0')}`,
    issueDate: paidAt.toISOString().slice(0, 10),
    currency,
    from: {
      name: seller.SELLER_NAME ?? 'Sheaf',
      addressLines: (seller.SELLER_ADDRESS ?? '')
        .split(';')
        .map(line => line.trim())
        .filter(line => line !== ''),
      ...(seller.SELLER_TAX_ID === undefined ? {} : { taxId: seller.SELLER_TAX_ID }),
      ...(seller.OPERATOR_EMAIL === undefined ? {} : { email: seller.OPERATOR_EMAIL }),
    },
    billTo: { name: name === '' ? 'Buyer' : name, ...buyer },
    items: [
      {
        description: `${credits.toLocaleString('en')} API credits`,
        details: '1,000 credits cost $1.',
        quantity: 1,
        rate: amount,
      },
    ],
    amountPaid: amount,
    paymentTerms: 'Paid through Stripe',
    template: 'modern',
  }
}
