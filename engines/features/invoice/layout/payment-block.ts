import { heightOfColumns, placeColumns } from './columns'
import type { Column } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import { listBankCodes } from '../data/bank-codes'
import { groupIban } from '../data/payment-codes'
import { hasLongTerms } from './details'
import { hidesPayment, nameMeans, writeCard } from './payment-means'
import { drawQrCode, openQrCode } from './qr-code'
import type { QrCode } from './qr-code'
import { writeQrPayload } from '../data/qr-payload'
import type { Tag } from './tag-tree'
import type { TailPart } from './tail'
import { HEADING_GAP } from './theme'

/** Size of codes, and minimum module size, in points. All phones can scan a code of this size. */
const USUAL_SIZE = 84
const LEAST_MODULE = 1.15

/** Distance between the code and the text beside it, in points. */
const GAP = 20

/** Maximum width of the details, so that values stay near their labels, in points. */
const MOST_WIDTH = 300

/** Distance below the payment details, as a share of the distance between parts of the invoice. */
const BELOW = 0.8

/** Maximum width of labels, as a share of the details. */
const MOST_LABEL = 0.4

/** Distance between a label and its value, and between a long label and its value, in points. */
const LABEL_GAP = 14
const LEAST_LABEL_GAP = 8

/** Distance between two accounts, as a share of the text size. */
const ACCOUNT_GAP = 0.5

/** Lays out the payment details: the account, a link, and a QR code. */
export async function setPayment(draft: Draft, parent: Tag): Promise<TailPart[]> {
  const { sheet, invoice, totals } = draft
  const { theme } = sheet
  if (hidesPayment(invoice)) return []
  const code = hasCode(invoice) ? openQrCode(writeQrPayload(invoice, totals.due)) : undefined
  const size = code ? Math.max(USUAL_SIZE, code.count * LEAST_MODULE) : 0
  const section = sheet.tags.add('Sect', parent)
  const shift = size === 0 ? 0 : size + GAP
  const width = Math.min(sheet.width - shift, MOST_WIDTH)
  const lines = await setDetails(draft, section, width)
  if (lines.length === 0 && size === 0) return []
  const column: Column = { x: theme.margin + shift, width, lines }
  const height = Math.max(size, heightOfColumns([column]))
  return [
    {
      heightPt: height,
      gapPt: theme.gap * BELOW,
      place(tailPt) {
        if (height + tailPt > sheet.remaining && !sheet.isFresh) sheet.newPage()
        if (code) drawCode(draft, { code, size, section })
        const top = sheet.y
        const pages = sheet.pageCount
        placeColumns(sheet, [column])
        if (sheet.pageCount === pages) sheet.y = Math.max(sheet.y, top + size)
      },
    },
  ]
}

function drawCode(
  { sheet, labels }: Draft,
  { code, size, section }: { code: QrCode; size: number; section: Tag },
): void {
  const area = { x: sheet.theme.margin, y: sheet.y, width: size, height: size }
  const { x, y, width, height } = sheet.boxOf(area)
  const operators = drawQrCode(code, { x, y, width, height })
  sheet.mark(sheet.tags.addFigure(labels.scan, [x, y, x + width, y + height], section), operators)
}

async function setDetails(draft: Draft, section: Tag, width: number): Promise<Line[]> {
  const { sheet, setter, invoice, labels } = draft
  const { looks } = sheet.theme
  const onSlip = invoice.qr === 'swiss' ? ON_SLIP : undefined
  const groups = listRows(draft)
    .map(rows => rows.filter((row): row is FilledRow => Boolean(row[1]?.trim()) && !onSlip?.has(row[2])))
    .filter(rows => rows.length > 0)
  if (groups.length === 0 && !hasCode(invoice)) return []
  const lines = [
    ...(await setter.lines(
      hasCode(invoice) ? `${labels.payment} · ${labels.scan}` : labels.payment,
      looks.heading,
      width,
      { tag: sheet.tags.add('H2', section) },
    )),
    setter.gap(looks.heading.sizePt * HEADING_GAP),
  ]
  const labelLook = { ...looks.label, sizePt: looks.body.sizePt, leadingPt: looks.body.leadingPt }
  const widestLabel = Math.max(0, ...groups.flat().map(([label]) => setter.widthOf(label, labelLook)))
  const labelWidth = Math.min(width * MOST_LABEL, widestLabel) + LABEL_GAP
  const list = sheet.tags.add('L', section)
  for (const [index, rows] of groups.entries()) {
    if (index > 0) lines.push(setter.gap(looks.body.sizePt * ACCOUNT_GAP))
    for (const [label, value, field] of rows) {
      const tags = sheet.tags.addPair(list)
      const isLink = field === 'payment.link'
      const link = isLink ? sheet.tags.add('Link', tags.value) : tags.value
      const values = await setter.lines(
        value,
        isLink ? { ...looks.body, color: sheet.theme.accentText } : looks.body,
        width - labelWidth,
        { tag: link, param: field, ...(isLink && { uri: value }) },
      )
      const labelLines = await setter.lines(label, labelLook, labelWidth - LEAST_LABEL_GAP, { tag: tags.label })
      lines.push(...combineColumns(labelLines, values, labelWidth))
    }
  }
  return lines
}

/** Returns whether the payment details have a code. A Swiss code is on the payment slip. */
function hasCode({ qr }: Draft['invoice']): boolean {
  return qr !== 'none' && qr !== 'swiss'
}

/** The rows that a Swiss payment slip has. */
const ON_SLIP: ReadonlySet<string> = new Set(['payment.iban', 'payment.reference'])

type Row = [label: string, value: string | undefined, field: string]
type FilledRow = [label: string, value: string, field: string]

/** Lists the rows in groups. Only several accounts need groups, to show what belongs together. */
function listRows({ invoice, labels }: Draft): Row[][] {
  const codesOf = (account: Parameters<typeof listBankCodes>[0], param: string): Row[] =>
    listBankCodes(account).map(({ name, printed }) => [labels[name], printed, `${param}.${name}`])
  const { payment, paymentTerms } = invoice
  const { furtherAccounts = [], card } = payment ?? {}
  const account: Row[] = [
    [labels.paymentMeans, nameMeans(payment, labels), 'payment.means'],
    [labels.accountHolder, payment?.accountName, 'payment.accountName'],
    [labels.bank, payment?.bankName, 'payment.bankName'],
    [labels.iban, payment?.iban && groupIban(payment.iban), 'payment.iban'],
    ...codesOf(payment ?? {}, 'payment'),
    [labels.account, payment?.accountNumber, 'payment.accountNumber'],
    [labels.bic, payment?.bic, 'payment.bic'],
  ]
  const further = furtherAccounts.map(({ iban, accountNumber, accountName, bic, ...codes }, index): Row[] => [
    [labels.accountHolder, accountName, `payment.furtherAccounts[${index}].accountName`],
    [labels.iban, iban && groupIban(iban), `payment.furtherAccounts[${index}].iban`],
    ...codesOf(codes, `payment.furtherAccounts[${index}]`),
    [labels.account, accountNumber, `payment.furtherAccounts[${index}].accountNumber`],
    [labels.bic, bic, `payment.furtherAccounts[${index}].bic`],
  ])
  const rest: Row[] = [
    [labels.mandate, payment?.mandate, 'payment.mandate'],
    [labels.creditorId, payment?.creditorId, 'payment.creditorId'],
    [labels.debitedAccount, payment?.debitedIban && groupIban(payment.debitedIban), 'payment.debitedIban'],
    [labels.card, card && writeCard(card), 'payment.card'],
    [labels.reference, payment?.reference, 'payment.reference'],
    [labels.link, payment?.link, 'payment.link'],
    [labels.paymentTerms, hasLongTerms(invoice) ? paymentTerms?.trim() : undefined, 'paymentTerms'],
  ]
  return further.length === 0 ? [[...account, ...rest]] : [account, ...further, rest]
}

/** Combines two columns into lines. The values are indented by `shift`. */
function combineColumns(labels: Line[], values: Line[], shift: number): Line[] {
  return Array.from({ length: Math.max(labels.length, values.length) }, (_, index) => {
    const [label, value] = [labels[index], values[index]]
    const baselinePt = Math.max(label?.baselinePt ?? 0, value?.baselinePt ?? 0)
    const parts = [...(label?.parts ?? []), ...(value?.parts ?? []).map(part => ({ ...part, shiftPt: shift }))]
    return { parts, baselinePt, heightPt: Math.max(label?.heightPt ?? 0, value?.heightPt ?? 0) }
  })
}
