import type { Big } from 'big.js'
import { parseDecimal } from '../decimal'
import type { ElectronicInvoice, InvoiceLine, TaxBreakdown } from '../model'
import { CATEGORIES, listUses, reportBase, sumUses } from '../rules/categories'
import type { Category, Use, UseSum } from '../rules/categories'
import { forEachItem } from '../rules/items'
import { orZero, roundCents, sumOf } from '../rules/numbers'
import type { Report, Rule } from '../rules/rule'
import { addTo, findOrAdd } from '../../../map-entries'

/** What EXTENDED allows to be off for each line, allowance and charge. */
const SLACK = 0.01

/** Rules of EN 16931 that EXTENDED has with another ID. They only concern lines that are billed. */
const RENAMED: Readonly<Record<string, string>> = {
  'BR-22': 'BR-FXEXT-BR-22',
  'BR-23': 'BR-FXEXT-BR-23',
  'BR-24': 'BR-FXEXT-BR-24',
  'BR-26': 'BR-FXEXT-BR-26',
  'BR-38': 'BR-FXEXT-BR-38',
  'BR-44': 'BR-FXEXT-BR-44',
  'BR-CO-04': 'BR-FXEXT-CO-04',
}

/** Rules of EN 16931 that EXTENDED lacks, or replaces with rules that allow more. */
const REPLACED =
  /^BR-(?:27|28|54|CO-(?:1[0-35-7]|2[24])|(?:S|Z|E|AE|IC|G|O|AF|AG)-0[18]|S-09|AF-09|AG-09|(?:S|Z|AF|AG)-10|O-(?:0[2-4]|1[1-4]))$/

/** The rules of the profile EXTENDED of Factur-X 1.09.2: those of EN 16931, as far as they hold, and its own. */
export function listExtendedRules(rules: readonly Rule[]): readonly Rule[] {
  return [
    ...rules.filter(({ id }) => !REPLACED.test(id)).map(rule => ({ ...rule, id: RENAMED[rule.id] ?? rule.id })),
    {
      id: 'BR-FXEXT-01',
      check({ notes }, report) {
        for (const [index, { text }] of notes.entries())
          if (text === undefined) report(`codedNotes[${index}].text`, 'is required if subjectCode is sent.')
      },
    },
    ...TOTAL_RULES,
    ...CATEGORIES.flatMap(listCategoryRules),
    ...LINE_RULES,
    forEachItem('BR-FXEXT-BR-54-1', ({ attributes }, report) => {
      for (const [index, { name }] of attributes.entries())
        if (!name) report(`attributes[${index}].name`, 'is required.')
    }),
    forEachItem('BR-FXEXT-BR-54-2', ({ attributes }, report) => {
      for (const [index, { value }] of attributes.entries())
        if (!value) report(`attributes[${index}].value`, 'is required.')
    }),
  ]
}

/** Rules on totals. */
const TOTAL_RULES: readonly Rule[] = [
  {
    id: 'BR-CO-25',
    check({ totals: { due }, dueDate, paymentTerms }, report) {
      if (orZero(due).gt(0) && dueDate === undefined && paymentTerms === undefined)
        report('dueDate', 'is required if an amount is due, unless paymentTerms is sent.')
    },
  },
  total('BR-FXEXT-CO-10', 'totals.subtotal', invoice => ({
    stated: invoice.totals.lines,
    computed: sumLines(invoice),
    count: (invoice.lines ?? invoice.items).length,
  })),
  total('BR-FXEXT-CO-11', 'totals', ({ totals, allowances }) => ({
    stated: totals.allowances,
    computed: sumAmounts(allowances),
    count: allowances.length,
  })),
  total('BR-FXEXT-CO-12', 'totals', ({ totals, charges }) => ({
    stated: totals.charges,
    computed: sumAmounts(charges),
    count: charges.length,
  })),
  total('BR-FXEXT-CO-13', 'totals', invoice => ({
    stated: invoice.totals.withoutTax,
    computed: sumLines(invoice).minus(sumAmounts(invoice.allowances)).plus(sumAmounts(invoice.charges)),
    count: countParts(invoice),
  })),
  total('BR-FXEXT-CO-15', 'totals.total', invoice => ({
    stated: invoice.totals.withTax,
    computed: orZero(invoice.totals.withoutTax).plus(orZero(invoice.totals.tax)),
    count: countParts(invoice),
  })),
  total('BR-FXEXT-CO-16', 'totals.amountDue', ({ totals: { due, withTax, paid, rounding }, collected }) => ({
    stated: due,
    computed: orZero(withTax).minus(orZero(paid)).plus(orZero(rounding)).plus(orZero(collected)),
    count: 0,
  })),
]

/** An amount that must fit its parts, give or take 0.01 for each of `count` parts. */
function total(
  id: string,
  param: string,
  read: (invoice: ElectronicInvoice) => { stated: string | undefined; computed: Big; count: number },
): Rule {
  return {
    id,
    check(invoice, report) {
      const { stated, computed, count } = read(invoice)
      if (!areNear(orZero(stated), computed, count))
        report(param, `must be ${computed.toFixed(2)}, give or take 0.01 for each part. Got ${stated ?? 'nothing'}.`)
    },
  }
}

function areNear(one: Big, other: Big, count: number): boolean {
  return one
    .minus(other)
    .abs()
    .lte(count * SLACK)
}

function sumAmounts(parts: readonly { amount: string | undefined }[]): Big {
  return roundCents(sumOf(parts.map(({ amount }) => amount)))
}

function sumLines({ items }: ElectronicInvoice): Big {
  return sumAmounts(items)
}

function countParts({ items, allowances, charges }: ElectronicInvoice): number {
  return items.length + allowances.length + charges.length
}

/** Rules on the taxes of a category. */
function listCategoryRules(category: Category): Rule[] {
  const { code, name, title, rate } = category
  const taxesOf = ({ taxes }: ElectronicInvoice): TaxBreakdown[] => taxes.filter(tax => tax.category === code)
  const sumOfUses = (invoice: ElectronicInvoice): ((percent: string | undefined) => UseSum) =>
    sumUses(listUses(invoice, code), rate !== 'none')
  const rules: Rule[] = [
    {
      id: `BR-FXEXT-${name}-01`,
      check(invoice, report) {
        const count = taxesOf(invoice).length
        if (listUses(invoice, code).length > 0 === count > 0) return
        report('taxCategory', `must have a tax for category ${title}, if an item uses it. Got ${count}.`)
      },
    },
    {
      // The official ID for category S lacks a hyphen.
      id: code === 'S' ? 'BR-FXEXT-S08b' : `BR-FXEXT-${name}-08b`,
      check(invoice, report) {
        const usesAt = sumOfUses(invoice)
        // Several taxes with one rate differ in their reasons, and are taken together.
        const baseAt = sumUses(taxesOf(invoice).map(asUse), rate !== 'none')
        for (const { base, percent } of taxesOf(invoice)) {
          const { sum, count } = usesAt(percent)
          if (!areNear(orZero(base), sum, count) && !areNear(baseAt(percent).sum, sum, count))
            reportBase(category, { base, sum }, report)
        }
      },
    },
    {
      id: 'BR-FXEXT-S-09b',
      check(invoice, report) {
        const usesAt = sumOfUses(invoice)
        for (const { base, percent, tax } of taxesOf(invoice)) {
          const computed = roundCents(orZero(base).times(orZero(percent)).div(100))
          if (!areNear(orZero(tax), computed, usesAt(percent).count))
            report('totals.tax', `must be ${computed.toFixed(2)} for category ${title}. Got ${tax ?? 'nothing'}.`)
        }
      },
    },
  ]
  return code === 'S' ? rules : rules.slice(0, 2)
}

function asUse({ base, percent }: TaxBreakdown): Pick<Use, 'amount' | 'percent'> {
  return { amount: orZero(base), percent }
}

/** Rules on groups of lines. */
const LINE_RULES: readonly Rule[] = [
  forEachLine('BR-21', ({ lineId, isBilled }, report) => {
    if (!isBilled && !lineId) report('lineId', 'is required.')
  }),
  forEachLine('BR-25', ({ item, isBilled }, report) => {
    if (!isBilled && !item.description) report('description', 'is required.')
  }),
  forEachLine('BR-FXEXT-06', ({ parentLineId, type }, report) => {
    if (parentLineId && !type) report('type', 'is required if parentLineId is sent.')
  }),
  forEachLine('BR-FXEXT-11', ({ parentLineId }, report, { ids }) => {
    if (parentLineId && !ids.has(parentLineId))
      report('parentLineId', `must be the lineId of a line. Got ${JSON.stringify(parentLineId.slice(0, 40))}.`)
  }),
  forEachLine('BR-FXEXT-08', ({ lineId, type, item }, report, { children }) => {
    if (type !== 'GROUP' || item.amount === undefined) return
    const parts = children.get(lineId ?? '') ?? []
    const sum = sumAmounts(parts.map(part => part.item))
    if (parts.some(part => parseDecimal(part.item.amount) === undefined) || !orZero(item.amount).eq(sum))
      report('amount', `must be ${sum.toFixed(2)}, the sum of the lines of the group. Got ${item.amount}.`)
  }),
  forEachLine('BR-FXEXT-12', ({ lineId, type, item }, report, { children }) => {
    if (type !== 'GROUP' || item.amount === undefined) return
    const parts = children.get(lineId ?? '') ?? []
    if (parts.some(part => part.type === 'GROUP' && part.item.amount === undefined))
      report('amount', 'must be omitted, because a group in this group has no amount.')
  }),
]

/** What the rules on a line need to know about the others. */
interface Family {
  ids: ReadonlySet<string | undefined>
  /** Details and groups by the line that they belong to. */
  children: ReadonlyMap<string, readonly InvoiceLine[]>
}

/** The families of lines that were checked, because several rules need them. */
const families = new WeakMap<readonly InvoiceLine[], Family>()

function familyOf(lines: readonly InvoiceLine[]): Family {
  return findOrAdd(families, lines, () => {
    const children = new Map<string, InvoiceLine[]>()
    for (const line of lines)
      if (line.parentLineId && (line.type === 'DETAIL' || line.type === 'GROUP'))
        addTo(children, line.parentLineId, line)
    return { ids: new Set(lines.map(({ lineId }) => lineId)), children }
  })
}

function forEachLine(id: string, check: (line: InvoiceLine, report: Report, family: Family) => void): Rule {
  return {
    id,
    check({ lines = [] }, report) {
      for (const [index, line] of lines.entries())
        check(line, (field, message) => report(`lines[${index}].${field}`, message), familyOf(lines))
    },
  }
}
