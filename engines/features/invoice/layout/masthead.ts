import { heightOfColumns, placeColumns } from './columns'
import type { Column } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import { dayPaid } from './details'
import { isPaid } from '../data/totals'
import type { LabelName } from '../data/label-texts'
import type { Invoice } from '../data/invoice'

const TITLES: Record<Invoice['type'], LabelName> = {
  invoice: 'invoice',
  quote: 'quote',
  proforma: 'proforma',
  receipt: 'receipt',
  'credit-note': 'creditNote',
  'corrected-invoice': 'correctedInvoice',
  'prepayment-invoice': 'prepaymentInvoice',
}

/** Distance between the logo and the name beside it, and between the two sides, in points. */
const GAP = 14

/** Width of the heading, as a share of the width between the margins. */
const TITLE_WIDTH = 0.46

/** Maximum distance by which the sender's name moves down beside a higher heading, in points. */
const MOST_SHIFT = 4

/** Distance above the mark of a paid invoice, as a share of the text size. */
const MARK_GAP = 0.4

/** Returns the heading of an invoice. */
export function titleOf({ invoice, labels }: Pick<Draft, 'invoice' | 'labels'>): string {
  return labels[TITLES[invoice.type]]
}

/** Draws the sender with the logo on one side, and the heading with the number on the other. */
export async function placeMasthead(draft: Draft): Promise<void> {
  const { sheet, invoice, setter, logo } = draft
  const { theme } = sheet
  const logoArea = logo && fitLogo(logo, theme.logo)
  const titleWidth = sheet.width * TITLE_WIDTH
  const senderWidth = sheet.width * (1 - TITLE_WIDTH) - GAP
  const [senderX, titleX] = theme.hasTitleFirst
    ? [theme.margin + titleWidth + GAP, theme.margin]
    : [theme.margin, theme.margin + senderWidth + GAP]
  const sender = await setSender(draft, senderWidth - (logoArea ? logoArea.width + GAP : 0))
  const title = await setTitle(draft, titleWidth)
  if (logoArea && logo) {
    const x = theme.hasTitleFirst ? senderX + senderWidth - logoArea.width : senderX
    const area = { x, y: sheet.y, ...logoArea }
    const { x: left, y: bottom, width, height } = sheet.boxOf(area)
    sheet.image(
      logo,
      area,
      sheet.tags.addFigure(`${invoice.from.name}, logo`, [left, bottom, left + width, bottom + height]),
    )
  }
  // The sender's name is centered beside a logo. Otherwise, it moves down a little beside a higher heading.
  const senderHeight = heightOfColumns([sender])
  let shift = 0
  if (logoArea) shift = Math.max(0, (logoArea.height - senderHeight) / 2)
  else if (!theme.hasTitleFirst) shift = Math.min(Math.max(0, heightOfColumns([title]) - senderHeight), MOST_SHIFT)
  const senderOffset = !theme.hasTitleFirst && logoArea ? logoArea.width + GAP : 0
  const top = sheet.y
  const pages = sheet.pageCount
  placeColumns(sheet, [
    { ...sender, x: senderX + senderOffset, lines: [setter.gap(shift), ...sender.lines] },
    { ...title, x: titleX },
  ])
  if (logoArea && sheet.pageCount === pages) sheet.y = Math.max(sheet.y, top + logoArea.height)
  sheet.y += theme.gap
}

async function setSender({ sheet, invoice, setter }: Draft, width: number): Promise<Column> {
  const { theme, tags } = sheet
  const lines = await setter.lines(invoice.from.name, theme.looks.company, width, {
    align: theme.hasTitleFirst ? 'end' : 'start',
    tag: tags.add('P'),
    param: 'from.name',
  })
  return { x: 0, width, lines }
}

async function setTitle(draft: Draft, width: number): Promise<Column> {
  const { sheet, invoice, setter, labels } = draft
  const { theme, tags } = sheet
  const align = theme.hasTitleFirst ? 'start' : 'end'
  const title = titleOf(draft)
  const unscaledWidth = setter.widthOf(title, theme.looks.title)
  const scale = Math.max(LEAST_SCALE, Math.min(1, width / unscaledWidth))
  const look = {
    ...theme.looks.title,
    sizePt: theme.looks.title.sizePt * scale,
    leadingPt: theme.looks.title.leadingPt * scale,
  }
  const lines: Line[] = await setter.lines(title, look, width, { align, tag: tags.add('H1') })
  lines.push(
    ...(await setter.lines(invoice.invoiceNumber, theme.looks.number, width, {
      align,
      tag: tags.add('P'),
      param: 'invoiceNumber',
    })),
  )
  if (isPaid(invoice)) {
    const mark = [labels.paid, dayPaid(draft)].filter(Boolean).join(' · ')
    lines.push(
      setter.gap(theme.looks.body.sizePt * MARK_GAP),
      ...(await setter.lines(mark, { ...theme.looks.due, isTabular: false }, width, { align, tag: tags.add('P') })),
    )
  }
  return { x: 0, width, lines }
}

/** Minimum scale of a long heading before it is wrapped. */
const LEAST_SCALE = 0.6

/** Scales a logo to the available room. */
function fitLogo(
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
  room: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(room.width / widthPt, room.height / heightPt)
  return { width: widthPt * scale, height: heightPt * scale }
}
