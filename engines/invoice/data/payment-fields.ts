import { z } from 'zod'
import { lineField } from './fields'
import { compact, isBic, isIban } from './payment-codes'

const iban = lineField('International account number; spaces are allowed.')
  .transform(compact)
  .refine(isIban, 'is no IBAN, or its check digits are wrong')

const bic = lineField('Identifier of the bank, 8 or 11 letters and digits.')
  .transform(compact)
  .refine(isBic, 'is no BIC; it has 8 or 11 letters and digits, such as COBADEFFXXX')

const link = lineField('Address of a page to pay on; it can be clicked.').refine(
  isWebAddress,
  'is no web address; it has to begin with https:// or http://',
)

/** Payment details. */
export const paymentFields = z
  .object({
    iban: iban.optional(),
    bic: bic.optional(),
    bankName: lineField('Name of the bank.').optional(),
    reference: lineField('What the payer is to quote.').optional(),
    link: link.optional(),
  })
  .describe('How to pay.')

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
