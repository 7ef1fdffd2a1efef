import type { Draft } from './draft'
import { exact } from '../data/totals'
import type { Adjusted } from '../data/totals'

type Kind = 'allowances' | 'charges'

interface Stated {
  rate?: number | undefined
  base?: number | undefined
  reason?: string | undefined
}

/** An allowance or charge as it is printed. */
interface AdjustmentText {
  label: string
  amount: string
  param: string
}

/** Lists the allowances or charges of the whole invoice with their reasons. */
export function listAdjustments(draft: Draft, kind: Kind): AdjustmentText[] {
  return (draft.invoice[kind] ?? []).map((stated, index) => ({
    ...writeAdjustment(draft, kind, { stated, adjusted: draft.totals[kind][index] }),
    param: `${kind}[${index}].reason`,
  }))
}

/** Lists the taxes that the buyer withholds, such as "IRPF (15% × €1,200.00)". */
export function listWithheld({ invoice, totals, labels, formats, setter }: Draft): AdjustmentText[] {
  return (invoice.withholding ?? []).flatMap(({ name, rate }, index) => {
    const { amount, base } = totals.withheld[index] ?? {}
    if (!amount || !base) return []
    return [
      {
        label: `${setter.isolate(name ?? labels.withholding)} (${formats.percent(rate)} × ${formats.money(base)})`,
        amount: formats.money(amount.times(-1)),
        param: `withholding[${index}].name`,
      },
    ]
  })
}

/** Writes the allowances and charges of an item, such as "Volume discount (5%): -€12.00". */
export function listItemAdjustments(draft: Draft, index: number): { text: string; field: string }[] {
  const item = draft.invoice.items[index]
  return (['allowances', 'charges'] as const).flatMap(kind =>
    (item?.[kind] ?? []).map((stated, at) => {
      const adjusted = draft.totals.lineParts[index]?.[kind][at]
      const { label, amount } = writeAdjustment(draft, kind, { stated, adjusted })
      return { text: `${label}: ${draft.setter.isolate(amount)}`, field: `${kind}[${at}].reason` }
    }),
  )
}

/** The rate is followed by the amount that it refers to if the request names this amount. */
function writeAdjustment(
  { labels, formats }: Draft,
  kind: Kind,
  { stated: { reason, rate, base }, adjusted }: { stated: Stated; adjusted: Adjusted | undefined },
): { label: string; amount: string } {
  const amount = adjusted?.amount ?? exact(0)
  const name = reason?.trim() || (kind === 'allowances' ? labels.allowance : labels.charge)
  const detail = [
    rate === undefined ? '' : formats.percent(rate),
    rate === undefined || base === undefined || !adjusted?.base ? '' : formats.money(adjusted.base),
  ].filter(part => part !== '')
  return {
    label: detail.length === 0 ? name : `${name} (${detail.join(' × ')})`,
    amount: formats.money(kind === 'allowances' ? amount.times(-1) : amount),
  }
}
