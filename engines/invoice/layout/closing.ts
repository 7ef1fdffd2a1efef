import { heightOf, heightOfColumns, placeColumns } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import type { Look } from './theme'
import { reasonOf } from '../electronic/taxes'
import { openFormats } from '../data/formats'
import type { LabelName } from '../data/label-texts'
import type { TaxCategory } from '../data/tax-fields'
import { exact } from '../data/totals'
import type { Invoice } from '../request/invoice'

/** Totals, and notes beside them or below if they are long. */
export interface Closing {
  totals: Line[]
  notes: Line[]
  /** Height of the content that must stay on one page. */
  heightPt: number
}

/** Distance between notes and totals. */
const GAP = 28

/** Padding of a filled total. */
const INSET = 8

/** Maximum height by which notes beside the totals may exceed them. */
const NOTES_MORE = 40

/** Returns the widths of the totals and the notes. */
function widthsOf({ sheet }: Draft): { totals: number; notes: number } {
  const totals = sheet.width * 0.46
  return { totals, notes: sheet.width - totals - GAP }
}

/**
 * Lays out the content after the table before the table is drawn, because the last rows must stay on the same page. The
 * structure elements are children of `section`, which follows the table.
 */
export async function setClosing(draft: Draft, section: Tag): Promise<Closing> {
  const { sheet, invoice } = draft
  const widths = widthsOf(draft)
  const totals = await setTotals(draft, section, widths.totals)
  const text = notesOf(invoice)
  const notes = text === undefined ? [] : await setNotes(draft, { text, width: widths.notes, parent: section })
  const height = heightOf(totals)
  const isBeside = heightOf(notes) <= height + NOTES_MORE
  return {
    totals,
    notes: isBeside ? notes : [],
    heightPt: sheet.theme.gap * 0.6 + Math.max(height, isBeside ? heightOf(notes) : 0),
  }
}

/** Draws the content that `setClosing` laid out, and notes that are too long for the space beside the totals. */
export async function placeClosing(draft: Draft, { totals, notes }: Closing, section: Tag): Promise<void> {
  const { sheet, invoice } = draft
  const { theme } = sheet
  const widths = widthsOf(draft)
  sheet.y += theme.gap * 0.6
  const columns = [
    { x: theme.margin, width: widths.notes, lines: notes },
    { x: theme.margin + widths.notes + GAP, width: widths.totals, lines: totals },
  ]
  if (heightOfColumns(columns) > sheet.remaining && !sheet.isFresh && heightOfColumns(columns) <= sheet.bodyHeight)
    sheet.newPage()
  placeColumns(sheet, columns)
  sheet.y += theme.gap * 0.8
  const text = notesOf(invoice)
  if (text !== undefined && notes.length === 0)
    await placeText(draft, { heading: draft.labels.notes, text, param: 'notes', parent: section })
}

/** The notes, and those with a code. Undefined if there are none. */
function notesOf({ notes, codedNotes = [] }: Invoice): string | undefined {
  const texts = [notes, ...codedNotes.map(({ text }) => text)].filter(text => text?.trim())
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** Draws a text under a heading in the width of the page, on as many pages as necessary. */
export async function placeText(
  draft: Draft,
  { heading, text, param, parent }: { heading: string; text: string; param: string; parent: Tag },
): Promise<void> {
  const { sheet } = draft
  const lines = await setText(draft, { heading, text, param, width: sheet.width, parent })
  placeColumns(sheet, [{ x: sheet.theme.margin, width: sheet.width, lines }])
  sheet.y += sheet.theme.gap * 0.7
}

function setNotes(
  draft: Draft,
  { text, width, parent }: { text: string; width: number; parent: Tag },
): Promise<Line[]> {
  return setText(draft, { heading: draft.labels.notes, text, param: 'notes', width, parent })
}

async function setText(
  { sheet, setter }: Draft,
  { heading, text, param, width, parent }: { heading: string; text: string; param: string; width: number; parent: Tag },
): Promise<Line[]> {
  const { looks } = sheet.theme
  const title = await setter.lines(heading, looks.heading, width, { tag: sheet.tags.add('H2', parent) })
  return [
    ...title,
    setter.gap(looks.heading.sizePt * 0.35),
    ...(await setter.lines(text, looks.body, width, { tag: sheet.tags.add('P', parent), param })),
  ]
}

async function setTotals(draft: Draft, section: Tag, width: number): Promise<Line[]> {
  const { sheet, setter, totals, labels, formats, invoice } = draft
  const { looks, line, ink, isTotalFilled, accent } = sheet.theme
  const table = sheet.tags.add('Table', section)
  const lines: Line[] = []
  const inset = isTotalFilled ? INSET : 0
  const row = async (
    label: string,
    value: string,
    { name = looks.label, figure = looks.figure }: { name?: Look; figure?: Look } = {},
  ): Promise<Line[]> => {
    const tr = sheet.tags.add('TR', table)
    const look = {
      ...name,
      sizePt: name === looks.label ? looks.body.sizePt : name.sizePt,
      leadingPt: figure.leadingPt,
    }
    const part = {
      shaped: setter.shape(label, look),
      look,
      align: 'start' as const,
      tag: sheet.tags.addHeading('Row', tr),
    }
    const spaced = await setter.pair(
      part,
      { text: value, look: figure, tag: sheet.tags.add('TD', tr) },
      width - 2 * inset,
    )
    return spaced.map(rowLine => ({ ...rowLine, insetPt: inset }))
  }
  const space = looks.body.sizePt * 0.45
  const add = async (label: string, value: string): Promise<void> => {
    lines.push(...(await row(label, value)), setter.gap(space))
  }
  const { discount, shipping, allowances, charges, taxes, paid, rounding } = totals
  const isAdjusted = discount !== undefined || shipping !== undefined || allowances.length > 0 || charges.length > 0
  const isPlain = !isAdjusted && (taxes.length === 0 || invoice.pricesIncludeTax)
  if (!isPlain) await add(labels.subtotal, formats.money(totals.subtotal))
  if (discount)
    await add(
      withDetail(
        labels.discount,
        invoice.discount && 'rate' in invoice.discount ? formats.percent(invoice.discount.rate) : undefined,
      ),
      formats.money(discount.times(-1)),
    )
  for (const { label, amount } of listAdjustments(draft, 'allowances')) await add(label, amount)
  if (shipping) await add(labels.shipping, formats.money(shipping))
  for (const { label, amount } of listAdjustments(draft, 'charges')) await add(label, amount)
  const showsBase = taxes.length > 1 || isAdjusted
  const hasCategories = taxes.length > 1 && taxes.some(({ category }) => nameCategory(draft, category) !== undefined)
  const nameTax = ({ category, rate, base }: (typeof taxes)[number], label: string): string => {
    const percent = category === 'O' ? undefined : formats.percent(rate)
    const name = [hasCategories ? category : undefined, percent].filter(Boolean).join(' ')
    return withDetail(label, [name, showsBase ? formats.money(base) : ''].filter(Boolean).join(' × '))
  }
  if (!invoice.pricesIncludeTax) for (const tax of taxes) await add(nameTax(tax, labels.tax), formats.money(tax.tax))
  const total = await row(labels.total, formats.money(totals.total), { name: looks.total, figure: looks.totalFigure })
  if (isTotalFilled)
    lines.push(
      ...[setter.gap(space * 1.4), ...total, setter.gap(space * 1.4)].map(rowLine => ({
        ...rowLine,
        fill: accent,
        insetPt: INSET,
      })),
    )
  else lines.push(...(isPlain ? [] : [setter.rule(ink, 0.9), setter.gap(space * 1.6)]), ...total)
  if (invoice.pricesIncludeTax) {
    lines.push(setter.gap(space))
    for (const tax of taxes) await add(nameTax(tax, labels.includedTax), formats.money(tax.tax))
  }
  if (totals.taxInTaxCurrency && invoice.taxCurrency) {
    lines.push(setter.gap(space))
    await add(
      labels.taxInCurrency.replace('{currency}', invoice.taxCurrency),
      openFormats(invoice.locale, invoice.taxCurrency).money(totals.taxInTaxCurrency),
    )
  }
  if (paid ?? rounding) {
    lines.push(setter.gap(space * 1.6))
    if (paid) await add(labels.paid, formats.money(paid.times(-1)))
    if (rounding) await add(labels.rounding, formats.money(rounding))
    lines.push(
      setter.rule(line, 0.5),
      setter.gap(space * 1.4),
      ...(await row(labels.amountDue, formats.money(totals.due), {
        name: looks.strong,
        figure: { ...looks.due, leadingPt: looks.due.leadingPt },
      })),
    )
  }
  for (const text of listTaxNotes(draft))
    lines.push(
      setter.gap(space * 2),
      ...(
        await setter.lines(text, looks.soft, width - 2 * inset, {
          tag: sheet.tags.add('P', section),
          param: 'taxExemptions',
        })
      ).map(noteLine => ({ ...noteLine, insetPt: inset })),
    )
  return lines
}

const CATEGORY_LABELS: Readonly<Partial<Record<TaxCategory, LabelName>>> = {
  Z: 'zeroRate',
  E: 'exempt',
  AE: 'reverseChargeReason',
  K: 'intraCommunity',
  G: 'exportReason',
  O: 'notSubject',
}

/** The name of a VAT category. Undefined for the usual one, and for `reverseCharge`, which has its own sentence. */
function nameCategory({ invoice, labels }: Draft, category: TaxCategory | undefined): string | undefined {
  const label = category && CATEGORY_LABELS[category]
  return label === undefined || (invoice.reverseCharge && !invoice.eInvoice) ? undefined : labels[label]
}

/** Sentences about taxes below the totals: reverse charge, and why categories have no tax. */
function listTaxNotes(draft: Draft): string[] {
  const { invoice, labels, totals } = draft
  const reasons = totals.taxes.flatMap(({ category }) => {
    const name = nameCategory(draft, category)
    if (name === undefined) return []
    const { reason, code } = reasonOf(invoice, category, labels)
    const text = reason ?? (code === undefined ? name : `${name} (${code})`)
    return [totals.taxes.length > 1 ? `${category}: ${text}` : text]
  })
  return [...(invoice.reverseCharge ? [labels.reverseCharge] : []), ...reasons]
}

/** The allowances or charges of the whole invoice with their reasons. */
function listAdjustments(
  { invoice, labels, formats, totals }: Draft,
  kind: 'allowances' | 'charges',
): { label: string; amount: string }[] {
  return (invoice[kind] ?? []).map(({ reason, rate }, index) => {
    const amount = totals[kind][index]?.amount ?? exact(0)
    const name = reason?.trim() || (kind === 'allowances' ? labels.allowance : labels.charge)
    return {
      label: rate === undefined ? name : `${name} (${formats.percent(rate)})`,
      amount: formats.money(kind === 'allowances' ? amount.times(-1) : amount),
    }
  })
}

function withDetail(label: string, detail: string | undefined): string {
  return !detail ? label : `${label} (${detail})`
}
