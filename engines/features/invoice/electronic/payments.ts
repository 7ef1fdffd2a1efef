import type { Account, Payment } from '../../../standards/einvoice/model'
import type { Invoice } from '../data/invoice'
import { listBankCodes } from '../data/bank-codes'
import { PAYMENT_MEANS } from '../data/payment-fields'
import { filled } from './texts'

type PaymentDetails = NonNullable<Invoice['payment']>

/** Converts the payment details. Empty if nothing says how to pay. */
export function convertPayment({ payment, currency }: Pick<Invoice, 'payment' | 'currency'>): Payment[] {
  if (!payment) return []
  const accounts = [payment, ...(payment.furtherAccounts ?? [])].flatMap(convertAccount)
  const meansCode = payment.means ?? usualMeans(payment, currency)
  if (meansCode === undefined) return []
  const { mandate, creditorId, debitedIban, card } = payment
  return [
    {
      meansCode,
      meansText: filled(payment.meansText),
      reference: filled(payment.reference),
      accounts,
      card: card && { lastDigits: filled(card.lastDigits), holder: filled(card.holder) },
      directDebit:
        mandate || creditorId || debitedIban
          ? { mandate: filled(mandate), creditorId: filled(creditorId), debitedIban }
          : undefined,
    },
  ]
}

function usualMeans({ iban, accountNumber, card, mandate }: PaymentDetails, currency: string): string | undefined {
  if (mandate) return PAYMENT_MEANS[currency === 'EUR' ? 'sepa-direct-debit' : 'direct-debit']
  if (card) return PAYMENT_MEANS.card
  if (iban) return PAYMENT_MEANS[currency === 'EUR' ? 'sepa-credit-transfer' : 'credit-transfer']
  return accountNumber ? PAYMENT_MEANS['credit-transfer'] : undefined
}

function convertAccount(account: PaymentDetails | NonNullable<PaymentDetails['furtherAccounts']>[number]): Account[] {
  const id = account.iban ?? filled(account.accountNumber)
  const name = filled(account.accountName)
  const bic = account.bic ?? listBankCodes(account)[0]?.code
  return id === undefined && name === undefined && bic === undefined
    ? []
    : [{ id, isIban: account.iban !== undefined, name, bic }]
}
