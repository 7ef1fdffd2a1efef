import { listDetails } from './details'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import { hasOwnDue } from '../data/totals'
import type { Invoice } from '../data/invoice'

/** Padding of the box with the amount due, in points, and its part above and below the text. */
const BOX_PAD = 9
const BOX_PAD_ABOVE = BOX_PAD * 0.8

/** Distance above the box, as a share of the text size. */
const BOX_GAP = 0.8

/** Distance between the lines of details, as a share of the usual one. */
const LOOSE = 1.12

/** Returns the lines of the column with dates, numbers and the amount due, `width` points wide. */
export async function setDetails(draft: Draft, width: number): Promise<Line[]> {
  const { sheet } = draft
  const list = sheet.tags.add('L')
  const lines: Line[] = []
  for (const { label, value, param } of listDetails(draft))
    lines.push(...(await setDetail(draft, { label, value, field: param, list, width })))
  return [...lines, ...(await setDueBox(draft, list, width))]
}

/** Returns the lines of one detail: its label, and its value at the other side of the column. */
async function setDetail(
  { sheet, setter }: Draft,
  { label, value, field, list, width }: { label: string; value: string; field: string; list: Tag; width: number },
): Promise<Line[]> {
  const { looks } = sheet.theme
  const tags = sheet.tags.addPair(list)
  const leadingPt = looks.body.leadingPt * LOOSE
  const part = {
    shaped: setter.shape(label, looks.label, field),
    look: { ...looks.label, sizePt: looks.body.sizePt, leadingPt },
    align: 'start' as const,
    tag: tags.label,
  }
  const valuePart = { text: value, look: { ...looks.body, leadingPt }, tag: tags.value, param: field }
  return setter.pair(part, valuePart, width)
}

/** Documents without a demand for payment. Their amount is a total, unless the amount due differs from it. */
const TOTAL_IS_DUE: ReadonlySet<Invoice['type']> = new Set(['quote', 'proforma', 'receipt', 'credit-note'])

/** Returns the amount due in a tinted box. */
async function setDueBox(draft: Draft, list: Tag, width: number): Promise<Line[]> {
  const { sheet, setter, labels, formats, totals, invoice } = draft
  const { looks, tint } = sheet.theme
  const tags = sheet.tags.addPair(list)
  const isTotal = TOTAL_IS_DUE.has(invoice.type) && !hasOwnDue(totals)
  const label = isTotal ? labels.total : labels.amountDue
  const part = {
    shaped: setter.shape(label, looks.label),
    look: { ...looks.label, sizePt: looks.body.sizePt },
    align: 'start' as const,
    tag: tags.label,
  }
  const inner = width - 2 * BOX_PAD
  const lines = await setter.pair(part, { text: formats.money(totals.due), look: looks.due, tag: tags.value }, inner)
  const boxed = [setter.gap(BOX_PAD_ABOVE), ...lines, setter.gap(BOX_PAD_ABOVE)].map(line => ({
    ...line,
    fill: tint,
    insetPt: BOX_PAD,
  }))
  return [setter.gap(looks.body.sizePt * BOX_GAP), ...boxed]
}
