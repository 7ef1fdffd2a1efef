import type { Draft } from './draft'
import type { Align } from './line-setter'
import type { Invoice } from '../data/invoice'
import { findSymbol } from '../../../standards/einvoice/codes/units'
import { groupOf, keyOf } from '../data/totals'
import { openTaxWriter } from './tax-categories'

/** The possible columns of the table, in order. */
export type ColumnKey =
  | 'position'
  | 'date'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'rate'
  | 'discount'
  | 'tax'
  | 'amount'

interface TableColumn {
  key: ColumnKey
  label: string
  align: Align
  /** Words are wrapped, figures are not. */
  isText: boolean
  /** Points from the edge where lines begin. */
  x: number
  width: number
}

/** The columns of the table, their texts except for descriptions, and the scale of figures. */
export interface TableLayout {
  columns: TableColumn[]
  cells: Partial<Record<ColumnKey, string[]>>
  scale: number
}

/** Distance between two columns, and between a quantity and its unit. */
const GAP = 18
const UNIT_GAP = 8

/** Padding of a tinted header at both ends of a row. */
const INSET = 8

/** Maximum width of a column due to its heading or a word. */
const WIDEST_WORD = 74

/** Minimum width of the descriptions, as a share of the table. */
const DESCRIPTION = 0.3

/** Minimum scale of figures that would otherwise overlap. */
const LEAST_SCALE = 0.5

/** Additional width of columns in points, so that rounding doesn't wrap their texts. */
const ROUNDING = 0.01

/** Measures the content of the columns. Figures are never wrapped. Descriptions get the remaining width. */
export function layOutTable(draft: Draft): TableLayout {
  const { sheet, setter, labels, invoice } = draft
  const { looks, margin, isHeaderTinted } = sheet.theme
  const cells = writeCells(draft)
  // The keys are those of ORDER.
  const keys = Object.keys(ORDER).filter(key => key === 'description' || cells[key as ColumnKey]) as ColumnKey[]
  const inset = isHeaderTinted ? INSET : 0
  const room = sheet.width - 2 * inset
  const hasTaxNames = invoice.taxes !== undefined || invoice.items.some(({ taxes }) => taxes !== undefined)
  const measured = keys.map(key => {
    const isText = ORDER[key] === 'start' || (key === 'tax' && hasTaxNames)
    const look = key === 'amount' ? looks.strongFigure : isText ? looks.body : looks.figure
    const widest = Math.max(
      0,
      ...(cells[key] ?? [])
        .flatMap(text => text.split('\n'))
        .map(line => (line.length > MOST_CHARACTERS ? WIDEST_WORD : setter.widthOf(line, look))),
    )
    const heading = Math.min(WIDEST_WORD, setter.widthOf(labels[key], looks.heading))
    return { key, isText, heading, figures: isText ? Math.min(WIDEST_WORD, widest) : widest }
  })
  const otherColumns = measured.filter(({ key }) => key !== 'description')
  const gapBefore = (key: ColumnKey): number => (key === 'unit' ? UNIT_GAP : GAP)
  const gaps = keys.slice(1).reduce((sum, key) => sum + gapBefore(key), 0)
  const allowedWidth = room * (1 - DESCRIPTION) - gaps
  const neededWidth = otherColumns.reduce((sum, { heading, figures }) => sum + Math.max(heading, figures), 0)
  const scale = Math.max(LEAST_SCALE, Math.min(1, allowedWidth / neededWidth))
  const widthOf = ({ heading, figures }: (typeof measured)[number]): number =>
    Math.max(Math.min(heading, heading * scale + HEADING_SLACK), figures * scale) + ROUNDING
  const takenWidth = otherColumns.reduce((sum, column) => sum + widthOf(column), 0)
  let x = margin + inset
  const columns = measured.map((one, index) => {
    if (index > 0) x += gapBefore(one.key)
    const width = one.key === 'description' ? room - gaps - takenWidth : widthOf(one)
    const column = { key: one.key, label: labels[one.key], align: ORDER[one.key], isText: one.isText, x, width }
    x += width
    return column
  })
  return { columns, cells, scale }
}

/** Longer texts are wrapped in any case. */
const MOST_CHARACTERS = 100

const HEADING_SLACK = 6

/** Alignment by column: words at the edge where lines begin, figures at the other edge. */
const ORDER: Record<ColumnKey, Align> = {
  position: 'start',
  date: 'start',
  description: 'start',
  quantity: 'end',
  unit: 'start',
  rate: 'end',
  discount: 'end',
  tax: 'end',
  amount: 'end',
}

/** Returns the texts of all columns that the invoice needs. */
function writeCells(draft: Draft): TableLayout['cells'] {
  const { invoice, formats, totals } = draft
  const { items } = invoice
  const groups = items.map(item => groupOf(item, invoice))
  const hasTaxes = new Set(groups.map(keyOf)).size > 1
  const units = items.map(nameUnit)
  return {
    ...(invoice.positionNumbers && {
      position: items.map(({ lineId }, index) => (lineId?.trim() ? lineId : String(index + 1))),
    }),
    ...(items.some(item => item.date !== undefined) && {
      date: items.map(({ date }) => (date === undefined ? '' : formats.day(date))),
    }),
    quantity: items.map(({ quantity }) => formats.quantity(quantity)),
    ...(units.some(unit => unit !== '') && { unit: units }),
    rate: items.map(({ rate }) => formats.price(rate)),
    ...(items.some(item => item.discount) && {
      discount: items.map(({ discount }) =>
        !discount ? '' : 'rate' in discount ? formats.percent(discount.rate) : formats.price(discount.amount),
      ),
    }),
    ...(hasTaxes && { tax: groups.map(openTaxWriter(draft)) }),
    amount: totals.lines.map(line => formats.money(line)),
  }
}

/** The unit of an item: its text, or the symbol of its code. */
export function nameUnit({ unit, unitCode }: Pick<Invoice['items'][number], 'unit' | 'unitCode'>): string {
  return unit?.trim() ? unit : (findSymbol(unitCode) ?? '')
}
