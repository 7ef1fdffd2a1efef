import { SPLIT_FROM, heightOf, heightOfColumns, placeColumns } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import type { TailPart } from './tail'
import type { Look } from './theme'
import { listAdjustments, listWithheld } from './adjustment-texts'
import { dayPaid } from './details'
import { listPrepayments } from '../data/prepayment-texts'
import { exact, groupOf, hasOwnDue } from '../data/totals'
import type { TaxLine } from '../data/totals'
import { findTaxParam, listTaxNotes, openRateWriter } from './tax-categories'
import { openFormats } from '../data/formats'
import type { Invoice } from '../data/invoice'

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
 * Lays out the totals, with the notes beside them, or below if the notes are long. The structure elements are children of
 * `section`, which follows the table.
 */
export async function setClosing(draft: Draft, section: Tag): Promise<TailPart[]> {
  const { sheet, invoice, labels } = draft
  const { theme } = sheet
  const widths = widthsOf(draft)
  const totals = await setTotals(draft, section, widths.totals)
  const block = { heading: labels.notes, texts: notesOf(invoice), parent: section }
  const notes = block.texts.length === 0 ? [] : await setTexts(draft, { ...block, width: widths.notes })
  const isBeside = heightOf(notes) <= heightOf(totals) + NOTES_MORE
  const columns = [
    { x: theme.margin, width: widths.notes, lines: isBeside ? notes : [] },
    { x: theme.margin + widths.notes + GAP, width: widths.totals, lines: totals },
  ]
  const heightPt = theme.gap * 0.6 + heightOfColumns(columns)
  return [
    {
      heightPt,
      gapPt: theme.gap * 0.8,
      place(tailPt) {
        if (heightPt + tailPt > sheet.remaining && !sheet.isFresh && heightPt <= sheet.bodyHeight) sheet.newPage()
        sheet.y += theme.gap * 0.6
        placeColumns(sheet, columns)
      },
    },
    ...(isBeside ? [] : await setParagraphs(draft, block)),
  ]
}

/** A paragraph, and its parameter for errors. */
interface Paragraph {
  text: string
  param: string
}

/** Paragraphs under a heading. */
interface Block {
  heading: string
  texts: readonly Paragraph[]
  parent: Tag
}

/** The notes, and those with a code. */
function notesOf({ notes = '', codedNotes = [] }: Invoice): Paragraph[] {
  return [
    { text: notes, param: 'notes' },
    ...codedNotes.map(({ text }, index) => ({ text, param: `codedNotes[${index}].text` })),
  ].filter(({ text }) => text.trim() !== '')
}

/** Number of lines of long paragraphs that stay with their heading. */
const FIRST_LINES = 4

/** Lays out paragraphs under a heading in the width of the page, for as many pages as necessary. */
export async function setParagraphs(draft: Draft, block: Block): Promise<TailPart[]> {
  const { sheet } = draft
  if (block.texts.length === 0) return []
  const lines = await setTexts(draft, { ...block, width: sheet.width })
  const isLong = heightOf(lines) > sheet.bodyHeight * SPLIT_FROM
  return [
    {
      heightPt: heightOf(isLong ? lines.slice(0, FIRST_LINES) : lines),
      gapPt: sheet.theme.gap * 0.7,
      isLong,
      place: tailPt => placeColumns(sheet, [{ x: sheet.theme.margin, width: sheet.width, lines }], { tailPt }),
    },
  ]
}

async function setTexts(
  { sheet, setter }: Draft,
  { heading, texts, width, parent }: Block & { width: number },
): Promise<Line[]> {
  const { looks } = sheet.theme
  const lines = await setter.lines(heading, looks.heading, width, { tag: sheet.tags.add('H2', parent) })
  for (const [index, { text, param }] of texts.entries())
    lines.push(
      setter.gap(index === 0 ? looks.heading.sizePt * 0.35 : looks.body.sizePt * 0.3),
      ...(await setter.lines(text, looks.body, width, { tag: sheet.tags.add('P', parent), param })),
    )
  return lines
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
    {
      name = looks.label,
      figure = looks.figure,
      param = 'labels',
      detail,
    }: { name?: Look; figure?: Look; param?: string; detail?: string } = {},
  ): Promise<Line[]> => {
    const tr = sheet.tags.add('TR', table)
    const look = {
      ...name,
      sizePt: name === looks.label ? looks.body.sizePt : name.sizePt,
      leadingPt: figure.leadingPt,
    }
    const part = {
      shaped: setter.shape(label, look, param),
      look,
      align: 'start' as const,
      tag: sheet.tags.addHeading('Row', tr),
    }
    const details = detail ? await setter.lines(detail, looks.soft, width - 2 * inset, { tag: part.tag }) : []
    const spaced = await setter.pair(
      part,
      { text: value, look: figure, tag: sheet.tags.add('TD', tr) },
      width - 2 * inset,
    )
    return [...spaced, ...details].map(rowLine => ({ ...rowLine, insetPt: inset }))
  }
  const space = looks.body.sizePt * 0.45
  const add = async (label: string, value: string, param = 'labels'): Promise<void> => {
    lines.push(...(await row(label, value, { param })), setter.gap(space))
  }
  const { discount, shipping, allowances, charges, paid, rounding } = totals
  const taxes = totals.taxes.filter(tax => isShown(draft, tax))
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
  for (const { label, amount, param } of listAdjustments(draft, 'allowances')) await add(label, amount, param)
  if (shipping) await add(labels.shipping, formats.money(shipping))
  for (const { label, amount, param } of listAdjustments(draft, 'charges')) await add(label, amount, param)
  const showsBase = taxes.length > 1 || isAdjusted
  const writeRate = openRateWriter(draft)
  const addTax = async (tax: TaxLine): Promise<void> => {
    const [label, namedLabel] = invoice.pricesIncludeTax
      ? [labels.includedTax, labels.includedNamedTax]
      : [labels.tax, '{tax}']
    const { name } = tax
    const text = name === undefined ? label : namedLabel.replace('{tax}', () => setter.isolate(name))
    const detail = [writeRate(tax), showsBase ? formats.money(tax.base) : ''].filter(Boolean).join(' × ')
    await add(withDetail(text, detail), formats.money(tax.tax), findTaxParam(invoice, name))
  }
  if (!invoice.pricesIncludeTax && isAdjusted && taxes.length > 0)
    await add(labels.totalWithoutTax, formats.money(totals.withoutTax))
  if (!invoice.pricesIncludeTax) for (const tax of taxes) await addTax(tax)
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
    for (const tax of taxes) await addTax(tax)
  }
  if (totals.taxInTaxCurrency && invoice.taxCurrency) {
    lines.push(setter.gap(space))
    await add(
      labels.taxInCurrency.replace('{currency}', invoice.taxCurrency),
      openFormats(invoice.locale, invoice.taxCurrency).money(totals.taxInTaxCurrency),
    )
  }
  if (hasOwnDue(totals)) {
    lines.push(setter.gap(space * 1.6))
    for (const { label, amount, param } of listWithheld(draft)) await add(label, amount, param)
    for (const { label, amount, detail, param } of listPrepayments({ ...draft, isolate: part => setter.isolate(part) }))
      lines.push(...(await row(label, amount, { param, detail })), setter.gap(space))
    const rest = paid?.minus(totals.prepayments.reduce((sum, { amount }) => sum.plus(amount), exact(0)))
    if (rest && (totals.prepayments.length === 0 || !rest.eq(0)))
      await add(withDetail(labels.paid, dayPaid(draft)), formats.money(rest.times(-1)))
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
  for (const [index, { text, param }] of listTaxNotes(draft).entries())
    lines.push(
      setter.gap(index === 0 ? space * 2 : space * 0.7),
      ...(await setter.lines(text, looks.soft, width - 2 * inset, { tag: sheet.tags.add('P', section), param })).map(
        noteLine => ({ ...noteLine, insetPt: inset }),
      ),
    )
  return lines
}

/**
 * Returns whether a tax has a line. A line with 0 adds nothing if a note says why the only category has no tax. It adds
 * nothing either if, beside other taxes, only shipping, charges or allowances have that rate.
 */
function isShown({ invoice, totals }: Draft, { name, category, rate, tax }: TaxLine): boolean {
  if (!rate.eq(0) || !tax.eq(0)) return true
  if (totals.taxes.length === 1) return category !== 'E' && category !== 'O'
  return name !== undefined || category !== undefined || invoice.items.some(item => groupOf(item, invoice).rate === 0)
}

function withDetail(label: string, detail: string | undefined): string {
  return !detail ? label : `${label} (${detail})`
}
