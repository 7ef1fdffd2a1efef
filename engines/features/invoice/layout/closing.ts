import { SPLIT_FROM, heightOf, heightOfColumns, placeColumns } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import type { TailPart } from './tail'
import { HEADING_GAP } from './theme'
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

/** Width of the totals, as a share of the width between the margins. */
const TOTALS_WIDTH = 0.46

/** Distances above the totals, below them, and below paragraphs, as shares of the distance between parts. */
const ABOVE_TOTALS = 0.6
const BELOW_TOTALS = 0.8
const BELOW_PARAGRAPHS = 0.7

/** Distance between paragraphs, and between the rows of the totals, as shares of the text size. */
const PARAGRAPH_GAP = 0.3
const ROW_GAP = 0.45

/** Multiples of the distance between rows: around the total, between groups of rows, above and between notes. */
const TOTAL_PAD = 1.4
const SECTION_GAP = 1.6
const NOTES_GAP = 2
const NOTE_GAP = 0.7

/** Widths of the lines above the total and above the amount due, in points. */
const TOTAL_RULE = 0.9
const DUE_RULE = 0.5

/** Returns the widths of the totals and the notes. */
function widthsOf({ sheet }: Draft): { totals: number; notes: number } {
  const totals = sheet.width * TOTALS_WIDTH
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
  const heightPt = theme.gap * ABOVE_TOTALS + heightOfColumns(columns)
  return [
    {
      heightPt,
      gapPt: theme.gap * BELOW_TOTALS,
      place(tailPt) {
        if (heightPt + tailPt > sheet.remaining && !sheet.isFresh && heightPt <= sheet.bodyHeight) sheet.newPage()
        sheet.y += theme.gap * ABOVE_TOTALS
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
      gapPt: sheet.theme.gap * BELOW_PARAGRAPHS,
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
      setter.gap(index === 0 ? looks.heading.sizePt * HEADING_GAP : looks.body.sizePt * PARAGRAPH_GAP),
      ...(await setter.lines(text, looks.body, width, { tag: sheet.tags.add('P', parent), param })),
    )
  return lines
}

/** How the label and the amount of a row look, if not as usual, and what follows below the label. */
interface RowSetting {
  name?: Look
  figure?: Look
  /** The parameter to which the label belongs, for errors. */
  param?: string
  detail?: string | undefined
}

/** Sets the totals row by row, `width` points wide. */
class TotalsTable {
  readonly lines: Line[] = []
  private readonly table: Tag
  /** Distance between two rows, in points. */
  readonly spacePt: number
  private readonly insetPt: number

  constructor(
    private readonly draft: Draft,
    section: Tag,
    private readonly width: number,
  ) {
    const { looks, isTotalFilled } = draft.sheet.theme
    this.table = draft.sheet.tags.add('Table', section)
    this.spacePt = looks.body.sizePt * ROW_GAP
    this.insetPt = isTotalFilled ? INSET : 0
  }

  /** Adds a row and the distance to the next one. */
  async add(label: string, value: string, setting: RowSetting = {}): Promise<void> {
    this.lines.push(...(await this.setRow(label, value, setting)))
    this.addGap()
  }

  /** Adds a distance, as a multiple of the distance between two rows. */
  addGap(share = 1): void {
    this.lines.push(this.draft.setter.gap(this.spacePt * share))
  }

  /** Returns the lines of a row: a label, its amount at the other side, and details below. */
  async setRow(label: string, value: string, setting: RowSetting): Promise<Line[]> {
    const { sheet, setter } = this.draft
    const { looks } = sheet.theme
    const { name = looks.label, figure = looks.figure, param = 'labels', detail } = setting
    const tr = sheet.tags.add('TR', this.table)
    const sizePt = name === looks.label ? looks.body.sizePt : name.sizePt
    const look = { ...name, sizePt, leadingPt: figure.leadingPt }
    const tag = sheet.tags.addHeading('Row', tr)
    const part = { shaped: setter.shape(label, look, param), look, align: 'start' as const, tag }
    const width = this.width - 2 * this.insetPt
    const details = detail ? await setter.lines(detail, looks.soft, width, { tag }) : []
    const pair = await setter.pair(part, { text: value, look: figure, tag: sheet.tags.add('TD', tr) }, width)
    return this.inset([...pair, ...details])
  }

  /** Adds the total: on the accent color, or below a line if other rows precede it. */
  async addTotal(hasRule: boolean): Promise<void> {
    const { sheet, setter, labels, formats, totals } = this.draft
    const { looks, ink, accent, isTotalFilled } = sheet.theme
    const setting = { name: looks.total, figure: looks.totalFigure }
    const total = await this.setRow(labels.total, formats.money(totals.total), setting)
    if (isTotalFilled) {
      const pad = setter.gap(this.spacePt * TOTAL_PAD)
      for (const line of [pad, ...total, pad]) this.lines.push({ ...line, fill: accent, insetPt: INSET })
      return
    }
    if (hasRule) {
      this.lines.push(setter.rule(ink, TOTAL_RULE))
      this.addGap(SECTION_GAP)
    }
    this.lines.push(...total)
  }

  /** Adds what was withheld or paid before, and the amount that remains due. */
  async addDue(): Promise<void> {
    const { draft } = this
    const { sheet, setter, labels, formats, totals } = draft
    const { looks, line } = sheet.theme
    const { paid, prepayments, rounding } = totals
    this.addGap(SECTION_GAP)
    for (const { label, amount, param } of listWithheld(draft)) await this.add(label, amount, { param })
    for (const { label, amount, detail, param } of listPrepayments({ ...draft, isolate: part => setter.isolate(part) }))
      await this.add(label, amount, { param, detail })
    const rest = paid?.minus(prepayments.reduce((sum, { amount }) => sum.plus(amount), exact(0)))
    if (rest && (prepayments.length === 0 || !rest.eq(0)))
      await this.add(withDetail(labels.paid, dayPaid(draft)), formats.money(rest.times(-1)))
    if (rounding) await this.add(labels.rounding, formats.money(rounding))
    this.lines.push(setter.rule(line, DUE_RULE))
    this.addGap(TOTAL_PAD)
    const due = await this.setRow(labels.amountDue, formats.money(totals.due), {
      name: looks.strong,
      figure: looks.due,
    })
    this.lines.push(...due)
  }

  /** Adds why taxes are missing or who owes them. */
  async addTaxNotes(section: Tag): Promise<void> {
    const { sheet, setter } = this.draft
    const { soft } = sheet.theme.looks
    for (const [index, { text, param }] of listTaxNotes(this.draft).entries()) {
      this.addGap(index === 0 ? NOTES_GAP : NOTE_GAP)
      const tag = sheet.tags.add('P', section)
      this.lines.push(...this.inset(await setter.lines(text, soft, this.width - 2 * this.insetPt, { tag, param })))
    }
  }

  private inset(lines: readonly Line[]): Line[] {
    return lines.map(line => ({ ...line, insetPt: this.insetPt }))
  }
}

async function setTotals(draft: Draft, section: Tag, width: number): Promise<Line[]> {
  const { totals, labels, formats, invoice } = draft
  const rows = new TotalsTable(draft, section, width)
  const { discount, shipping, allowances, charges } = totals
  const taxes = totals.taxes.filter(tax => isShown(draft, tax))
  const isAdjusted = discount !== undefined || shipping !== undefined || allowances.length > 0 || charges.length > 0
  const isPlain = !isAdjusted && (taxes.length === 0 || invoice.pricesIncludeTax)
  if (!isPlain) await rows.add(labels.subtotal, formats.money(totals.subtotal))
  if (discount) {
    const rate = invoice.discount && 'rate' in invoice.discount ? invoice.discount.rate : undefined
    const percent = rate === undefined ? undefined : formats.percent(rate)
    await rows.add(withDetail(labels.discount, percent), formats.money(discount.times(-1)))
  }
  for (const { label, amount, param } of listAdjustments(draft, 'allowances')) await rows.add(label, amount, { param })
  if (shipping) await rows.add(labels.shipping, formats.money(shipping))
  for (const { label, amount, param } of listAdjustments(draft, 'charges')) await rows.add(label, amount, { param })
  const taxRows = taxes.map(writeTaxRow(draft, taxes.length > 1 || isAdjusted))
  if (!invoice.pricesIncludeTax) {
    if (isAdjusted && taxes.length > 0) await rows.add(labels.totalWithoutTax, formats.money(totals.withoutTax))
    for (const { label, amount, param } of taxRows) await rows.add(label, amount, { param })
  }
  await rows.addTotal(!isPlain)
  if (invoice.pricesIncludeTax) {
    rows.addGap()
    for (const { label, amount, param } of taxRows) await rows.add(label, amount, { param })
  }
  if (totals.taxInTaxCurrency && invoice.taxCurrency) {
    rows.addGap()
    await rows.add(
      labels.taxInCurrency.replace('{currency}', invoice.taxCurrency),
      openFormats(invoice.locale, invoice.taxCurrency).money(totals.taxInTaxCurrency),
    )
  }
  if (hasOwnDue(totals)) await rows.addDue()
  await rows.addTaxNotes(section)
  return rows.lines
}

/** Returns a function that writes the row of a tax, such as `VAT (20 % × €100.00)` and `€20.00`. */
function writeTaxRow(
  draft: Draft,
  showsBase: boolean,
): (tax: TaxLine) => { label: string; amount: string; param: string } {
  const { setter, labels, formats, invoice } = draft
  const writeRate = openRateWriter(draft)
  const [label, namedLabel] = invoice.pricesIncludeTax
    ? [labels.includedTax, labels.includedNamedTax]
    : [labels.tax, '{tax}']
  return tax => {
    const { name } = tax
    const text = name === undefined ? label : namedLabel.replace('{tax}', () => setter.isolate(name))
    const detail = [writeRate(tax), showsBase ? formats.money(tax.base) : ''].filter(Boolean).join(' × ')
    return { label: withDetail(text, detail), amount: formats.money(tax.tax), param: findTaxParam(invoice, name) }
  }
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
