import * as z from 'zod'
import { lineField } from './fields'
import { compact, isBic, isIban } from './payment-codes'

const iban = lineField('IBAN. Spaces are allowed.')
  .transform(compact)
  .refine(isIban, 'must be an IBAN with valid check digits.')

const bic = lineField('BIC with 8 or 11 letters and digits.')
  .transform(compact)
  .refine(isBic, 'must be a BIC with 8 or 11 letters and digits, such as COBADEFFXXX.')

const link = lineField('URL of a payment page, printed as a link.').refine(
  isWebAddress,
  'must be a URL that starts with https:// or http://.',
)

/** Payment details. */
export const paymentFields = z
  .object({
    iban: iban.optional(),
    bic: bic.optional(),
    bankName: lineField('Name of the bank.').optional(),
    reference: lineField('Payment reference for the payer to quote.').optional(),
    link: link.optional(),
  })
  .describe('Payment details.')

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
