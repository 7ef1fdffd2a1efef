import type { Account, Payment } from '../../einvoice/model'
import type { Invoice } from '../request/invoice'
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

function convertAccount({
  iban,
  accountNumber,
  accountName,
  bic,
}: Pick<PaymentDetails, 'iban' | 'accountNumber' | 'accountName' | 'bic'>): Account[] {
  const id = iban ?? filled(accountNumber)
  const name = filled(accountName)
  return id === undefined && name === undefined && bic === undefined
    ? []
    : [{ id, isIban: iban !== undefined, name, bic }]
}
