import type { Draft } from './draft'
import { titleOf } from './masthead'
import { labelTaxNumber } from './tax-numbers'

/** Distance of the footer from the last line of the body. */
export const FOOTER_GAP = 22

/** Distance between the sender and the page number. */
const GAP = 20

/** Distance below the header, as a share of the distance between parts of the invoice. */
const BELOW_HEADER = 0.7

/** The line above the footer: its height above the baseline, as a share of the text size, and its width in points. */
const RULE = { above: 1.9, width: 0.5 }

/** Draws the header of every page except for the first. */
export function drawContinuationHeader(draft: Draft): void {
  const { sheet, setter, labels, invoice } = draft
  const { looks, margin, gap } = sheet.theme
  const shaped = setter.clip(
    `${titleOf(draft)} ${invoice.invoiceNumber} · ${labels.continued}`,
    looks.soft,
    sheet.width,
  )
  const area = { x: margin, y: sheet.y + looks.soft.sizePt, width: sheet.width }
  sheet.decorate(
    sheet.pageCount - 1,
    'Header',
    sheet.textOperators({ shaped, look: looks.soft, align: 'start', tag: undefined }, area),
  )
  sheet.y += looks.soft.leadingPt + gap * BELOW_HEADER
}

/**
 * Draws the sender and the page number at the bottom of every page. Called last, because the number of pages must be
 * known.
 */
export function drawFooters(draft: Draft): void {
  const { sheet, setter, labels, invoice, formats } = draft
  const { looks, margin, line } = sheet.theme
  const look = looks.footer
  const { name, taxId, vatId, taxNumber, email, contact } = invoice.from
  const numbers = [
    labelTaxNumber(draft, 'taxId', taxId),
    labelTaxNumber(draft, 'vatId', vatId),
    labelTaxNumber(draft, 'taxNumber', taxNumber),
  ]
  const sender = [name, ...numbers, email ?? contact?.email].filter(text => text?.trim()).join(' · ')
  for (let index = 0; index < sheet.pageCount; index++) {
    const y = sheet.bottomOf(index) + FOOTER_GAP
    const page = setter.clip(
      labels.page.replace('{page}', formats.whole(index + 1)).replace('{pages}', formats.whole(sheet.pageCount)),
      look,
      sheet.width / 3,
    )
    const pageWidth = (page.width * look.sizePt) / 1000
    const shaped = setter.clip(sender, look, sheet.width - pageWidth - GAP)
    const operators = [
      sheet.fillOperators({ x: margin, y: y - look.sizePt * RULE.above, width: sheet.width, height: RULE.width }, line),
      sheet.textOperators({ shaped, look, align: 'start', tag: undefined }, { x: margin, y, width: sheet.width }),
      sheet.textOperators({ shaped: page, look, align: 'end', tag: undefined }, { x: margin, y, width: sheet.width }),
    ]
    sheet.decorate(index, 'Footer', operators.join('\n'))
  }
}
