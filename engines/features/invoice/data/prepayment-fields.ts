import * as z from 'zod'
import { inForm } from '../../../options/form-hints'
import { dateField, fractionField, lineField, numberField } from './fields'

const MAX_PREPAYMENTS = 100

const prepayment = z.object({
  reference: lineField('Number of the prepayment invoice.').optional(),
  date: dateField('Date of the prepayment invoice.').optional(),
  amount: numberField('Amount paid, with tax.'),
  taxRate: fractionField('taxRate', "Tax rate. Default: the invoice's `taxRate`.").optional(),
  tax: numberField('Tax in `amount`, as the prepayment invoice states it. Default: the tax at `taxRate`.').optional(),
})

/** Prepayments that a final invoice deducts. */
export const prepaymentsField = z
  .array(prepayment)
  .max(MAX_PREPAYMENTS)
  .optional()
  .describe(
    'Prepayments that a final invoice deducts. The page shows the net amount and the tax of each, as § 14 (5) of the ' +
      'German UStG requires. For several tax rates, send one entry for each. In electronic invoices, the paid amount ' +
      '(BT-113) contains the prepayments. A note has their net amounts and taxes, and each `reference` is a preceding ' +
      'invoice (BG-3).',
  )

/** Whether the whole amount was paid. */
export const paidField = z
  .union([
    z.boolean().meta(inForm({ title: 'Paid' })),
    dateField('Day of the payment.').meta(inForm({ title: 'Day of the payment' })),
  ])
  .optional()
  .describe(
    'Marks the document as paid. Send `true`, or the day of the payment as YYYY-MM-DD. The amount due is then 0, and ' +
      'the page has no payment details. Electronic invoices keep the payment details, because their rules require them.',
  )
