import * as z from 'zod'
import { boundedText } from '../../../options/bounded-text'
import { inForm } from '../../../options/form-hints'
import { lineField, nameField } from './fields'
import { bankCodeFields } from './bank-codes'
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

/** Means of payment by name, with their codes of UNTDID 4461. */
export const PAYMENT_MEANS = {
  cash: '10',
  check: '20',
  'credit-transfer': '30',
  card: '48',
  'direct-debit': '49',
  'credit-card': '54',
  'debit-card': '55',
  'sepa-credit-transfer': '58',
  'sepa-direct-debit': '59',
  online: '68',
  clearing: '97',
} as const

const LABELS_OF_MEANS: Readonly<Record<keyof typeof PAYMENT_MEANS, string>> = {
  cash: 'Cash',
  check: 'Check',
  'credit-transfer': 'Credit transfer',
  card: 'Card',
  'direct-debit': 'Direct debit',
  'credit-card': 'Credit card',
  'debit-card': 'Debit card',
  'sepa-credit-transfer': 'SEPA credit transfer',
  'sepa-direct-debit': 'SEPA direct debit',
  online: 'Online payment',
  clearing: 'Clearing between partners',
}

/** A means of payment: a name, or a code. Returns the code. */
const means = boundedText(40)
  .transform((value, context) => {
    const text = value.trim()
    if (Object.hasOwn(PAYMENT_MEANS, text)) return PAYMENT_MEANS[text as keyof typeof PAYMENT_MEANS] // `hasOwn` checked the key.
    if (!/^[0-9A-Z]{1,3}$/.test(text))
      context.addIssue({
        code: 'custom',
        message:
          `must be one of ${Object.keys(PAYMENT_MEANS).join(', ')}, or a code of UNTDID 4461. Got ` +
          `${JSON.stringify(value.slice(0, 40))}.`,
      })
    return text
  })
  .meta(inForm({ choices: LABELS_OF_MEANS, otherText: 'Code of UNTDID 4461' }))

const NAMES_OF_MEANS = Object.keys(PAYMENT_MEANS)
  .map(name => `\`${name}\``)
  .join(', ')

const MAX_ACCOUNTS = 10

const account = z.object({
  iban: iban.optional(),
  accountNumber: lineField('Account number, if there is no IBAN.').optional(),
  ...bankCodeFields,
  bic: bic.optional(),
  accountName: lineField('Name of the account holder.').optional(),
})

/** Payment details. */
export const paymentFields = z
  .object({
    iban: iban.optional(),
    bic: bic.optional(),
    bankName: lineField('Name of the bank.').optional(),
    reference: lineField('Payment reference for the payer to quote.').optional(),
    link: link.optional(),
    means: means
      .optional()
      .describe(
        `Means of payment: ${NAMES_OF_MEANS}. A code of UNTDID 4461 is allowed too. Default for an IBAN: ` +
          '`sepa-credit-transfer` in EUR, otherwise `credit-transfer`.',
      ),
    meansText: lineField('Means of payment in words.').optional(),
    accountName: lineField('Name of the account holder.').optional(),
    accountNumber: lineField('Account number, if there is no IBAN.').optional(),
    ...bankCodeFields,
    furtherAccounts: z.array(account).max(MAX_ACCOUNTS).optional().describe('Further accounts to pay to.'),
    card: z
      .object({
        lastDigits: nameField('Last 4 to 6 digits of the card number.'),
        holder: lineField('Name on the card.').optional(),
      })
      .optional()
      .describe('Card that was charged.'),
    mandate: lineField('Mandate reference of the direct debit.').optional(),
    creditorId: lineField('Creditor identifier of the direct debit.').optional(),
    debitedIban: iban.optional().describe('IBAN of the account to debit.'),
  })
  .describe('Payment details.')

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
