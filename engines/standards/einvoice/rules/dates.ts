import type { ElectronicInvoice } from '../model'
import type { Rule } from './rule'

type Dated = readonly [param: string, date: string | undefined]

/** A date with a month and a day that can exist, as the official rules check it. */
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** The rule on dates, whose ID depends on the syntax and format. */
export function dateRule(id: string, onlyIn: 'cii' | 'ubl'): Rule {
  return {
    id,
    check(invoice, report, { syntax }) {
      if (syntax !== onlyIn) return
      for (const [param, date] of listDates(invoice))
        if (date !== undefined && !DATE.test(date.slice(0, 11)))
          report(param, `must be an existing date. Got ${JSON.stringify(date.slice(0, 40))}.`)
    },
  }
}

function listDates(invoice: ElectronicInvoice): Dated[] {
  const { issueDate, dueDate, taxPointDate, deliveryDate, period, precedingInvoices, items } = invoice
  return [
    ...Object.entries({ issueDate, dueDate, taxPointDate, deliveryDate }),
    ['period.start', period?.start],
    ['period.end', period?.end],
    ...precedingInvoices.map((one, index): Dated => [`precedingInvoice[${index}].date`, one.issueDate]),
    ...items.flatMap((item, index): Dated[] => [
      [`items[${index}].period.start`, item.period?.start],
      [`items[${index}].period.end`, item.period?.end],
    ]),
  ]
}
