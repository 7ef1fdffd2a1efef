import type { Invoice } from './invoice'
import type { Formats } from './formats'
import type { Labels } from './labels'
import type { Totals } from './totals'

/** A prepayment as it is printed. */
interface PrepaymentText {
  /** Such as `Prepayment R-1`. */
  label: string
  amount: string
  /** The date, and the net amount and tax, as far as there are any. */
  detail: string
  param: string
}

interface Context {
  invoice: Pick<Invoice, 'prepayments'>
  totals: Pick<Totals, 'prepayments'>
  labels: Labels
  formats: Formats
  /** Keeps a part in its order in a line from right to left. */
  isolate?: (part: string) => string
}

/** Writes the prepayments that the invoice deducts. */
export function listPrepayments({
  invoice,
  totals,
  labels,
  formats,
  isolate = part => part,
}: Context): PrepaymentText[] {
  return totals.prepayments.map(({ amount, net, tax, rate }, index) => {
    const { reference, date } = invoice.prepayments?.[index] ?? {}
    const percent = rate === undefined ? '' : ` (${formats.percent(rate)})`
    const split =
      tax && `${labels.net} ${isolate(formats.money(net))} + ${labels.tax}${percent} ${isolate(formats.money(tax))}`
    return {
      label: [labels.prepayment, reference?.trim() && isolate(reference.trim())].filter(Boolean).join(' '),
      amount: formats.money(amount.times(-1)),
      detail: [date && isolate(formats.day(date)), split].filter(Boolean).join(' · '),
      param: `prepayments[${index}].reference`,
    }
  })
}
