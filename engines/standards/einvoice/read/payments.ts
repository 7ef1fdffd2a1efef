import type { Account, Payment } from '../model'

/** Means of payment by direct debit (UNTDID 4461). */
const DIRECT_DEBITS: ReadonlySet<string> = new Set(['49', '59'])

/** A means of payment with one account, as both syntaxes have them. */
export interface PaymentPart extends Omit<Payment, 'accounts'> {
  account: Account | undefined
}

/** Joins parts with the same means of payment and reference into one payment with several accounts. */
export function joinPayments(parts: readonly PaymentPart[]): Payment[] {
  const payments = new Map<string, Payment>()
  for (const [index, { account, ...payment }] of parts.entries()) {
    const key = `${payment.meansCode}\n${payment.reference}`
    const known = payments.get(key)
    const isOnlyAccount = account !== undefined && !payment.card && !payment.directDebit
    const hasText = payment.meansText !== undefined && payment.meansText !== known?.meansText
    if (known && isOnlyAccount && !hasText) known.accounts.push(account)
    else payments.set(known ? `${key}\n${index}` : key, { ...payment, accounts: account ? [account] : [] })
  }
  return [...payments.values()]
}

/** The payment that a mandate or creditor belongs to: a direct debit, or the first one. */
export function findDebit(payments: readonly Payment[]): Payment | undefined {
  return payments.find(({ meansCode }) => DIRECT_DEBITS.has(meansCode ?? '')) ?? payments[0]
}
