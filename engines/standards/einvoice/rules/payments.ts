import type { Payment } from '../model'
import type { Report, Rule } from './rule'

/** Means of payment that need an account of the payee (UNTDID 4461): credit transfers. */
const TRANSFERS: ReadonlySet<string> = new Set(['30', '58'])

/** Rules on payment (EN 16931-1, 6.4.1). */
export const PAYMENT_RULES: readonly Rule[] = [
  forEachPayment('BR-49', ({ meansCode }, report) => {
    if (!meansCode) report('payment.means', 'is required, such as sepa-credit-transfer.')
  }),
  forEachPayment('BR-50', ({ meansCode, accounts }, report) => {
    if (TRANSFERS.has(meansCode ?? '') && accounts.some(({ id }) => !id))
      report('payment.iban', 'is required for the account. Or send accountNumber.')
  }),
  forEachPayment('BR-51', ({ card }, report, { syntax }) => {
    if (syntax === 'cii' && (card?.lastDigits?.length ?? 0) > 10)
      report('payment.card.lastDigits', 'must have at most 10 characters. Send only the last 4 to 6 digits.')
  }),
  forEachPayment('BR-61', ({ meansCode, accounts }, report, { syntax }) => {
    if (!TRANSFERS.has(meansCode ?? '')) return
    if (syntax === 'cii' ? accounts.some(({ id }) => !id) : !accounts.some(({ id }) => id))
      report('payment.iban', 'is required for a credit transfer. Or send accountNumber.')
  }),
]

function forEachPayment(
  id: string,
  check: (payment: Payment, report: Report, context: Parameters<Rule['check']>[2]) => void,
): Rule {
  return {
    id,
    check({ payments }, report, context) {
      for (const payment of payments) check(payment, report, context)
    },
  }
}
