import { alignFirstLines, placeColumns } from './columns'
import type { Draft } from './draft'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import type { Look } from './theme'

/** Distance between the three columns. */
const GAP = 20

/** Padding of the box with the amount due. */
const BOX_PAD = 9

interface Party {
  name: string
  addressLines?: readonly string[] | undefined
  email?: string | undefined
  phone?: string | undefined
  taxId?: string | undefined
}

/** Draws sender, recipient, and the column with dates, numbers and the amount due. */
export async function placeParties(draft: Draft): Promise<void> {
  const { sheet, invoice, setter } = draft
  const { theme } = sheet
  const factsWidth = sheet.width * 0.36
  const width = (sheet.width - factsWidth - 2 * GAP) / 2
  const from = await setParty(draft, { label: 'from', party: invoice.from, param: 'from', width })
  const billTo = await setParty(draft, { label: 'billTo', party: invoice.billTo, param: 'billTo', width })
  if (invoice.shipTo)
    billTo.push(
      setter.gap(theme.gap / 2),
      ...(await setParty(draft, { label: 'shipTo', party: invoice.shipTo, param: 'shipTo', width })),
    )
  const facts = await setFacts(draft, factsWidth)
  const columnX = (index: number): number => theme.margin + index * (width + GAP)
  const columns = [
    { x: columnX(0), width, lines: from },
    { x: columnX(1), width, lines: billTo },
    { x: columnX(2), width: factsWidth, lines: facts },
  ]
  placeColumns(sheet, alignFirstLines(columns))
  sheet.y += theme.gap
}

async function setParty(
  draft: Draft,
  { label, party, param, width }: { label: 'from' | 'billTo' | 'shipTo'; party: Party; param: string; width: number },
): Promise<Line[]> {
  const { sheet, setter, labels } = draft
  const { tags, theme } = sheet
  const { looks } = theme
  const section = tags.add('Sect')
  const lines = await setter.lines(labels[label], looks.heading, width, {
    tag: tags.add('H2', section),
    param: `labels.${label}`,
  })
  lines.push(setter.gap(looks.heading.sizePt * 0.35))
  const add = async (text: string | undefined, look: Look, field: string): Promise<void> => {
    if (text?.trim())
      lines.push(
        ...(await setter.lines(text, look, width, { tag: tags.add('P', section), param: `${param}.${field}` })),
      )
  }
  await add(party.name, looks.strong, 'name')
  for (const [index, line] of (party.addressLines ?? []).entries())
    await add(line, looks.body, `addressLines[${index}]`)
  await add(party.email, looks.soft, 'email')
  await add(party.phone, looks.soft, 'phone')
  await add(party.taxId && `${labels.taxId} ${party.taxId}`, looks.soft, 'taxId')
  return lines
}

async function setFacts(draft: Draft, width: number): Promise<Line[]> {
  const { sheet, invoice, labels, formats, issueDate } = draft
  const list = sheet.tags.add('L')
  const lines: Line[] = []
  const add = async (label: string, value: string | undefined, field: string): Promise<void> => {
    if (value?.trim()) lines.push(...(await setFact(draft, { label, value, field, list, width })))
  }
  await add(labels.issueDate, formats.day(issueDate), 'issueDate')
  await add(
    invoice.type === 'quote' ? labels.validUntil : labels.dueDate,
    invoice.dueDate && formats.day(invoice.dueDate),
    'dueDate',
  )
  await add(labels.precedingInvoice, invoice.precedingInvoice, 'precedingInvoice')
  await add(labels.purchaseOrder, invoice.purchaseOrder, 'purchaseOrder')
  await add(labels.paymentTerms, invoice.paymentTerms, 'paymentTerms')
  for (const [index, { name, value }] of (invoice.customFields ?? []).entries())
    await add(name, value, `customFields[${index}]`)
  return [...lines, ...(await setDueBox(draft, list, width))]
}

async function setFact(
  { sheet, setter }: Draft,
  { label, value, field, list, width }: { label: string; value: string; field: string; list: Tag; width: number },
): Promise<Line[]> {
  const { looks } = sheet.theme
  const tags = sheet.tags.addPair(list)
  const part = {
    shaped: setter.shape(label, looks.label, field),
    look: { ...looks.label, sizePt: looks.body.sizePt, leadingPt: looks.body.leadingPt * 1.12 },
    align: 'start' as const,
    tag: tags.label,
  }
  return setter.pair(
    part,
    { text: value, look: { ...looks.body, leadingPt: looks.body.leadingPt * 1.12 }, tag: tags.value, param: field },
    width,
  )
}

/** Returns the amount due in a tinted box. */
async function setDueBox(draft: Draft, list: Tag, width: number): Promise<Line[]> {
  const { sheet, setter, labels, formats, totals, invoice } = draft
  const { looks, tint } = sheet.theme
  const tags = sheet.tags.addPair(list)
  const label = invoice.type === 'invoice' || totals.paid ? labels.amountDue : labels.total
  const part = {
    shaped: setter.shape(label, looks.label),
    look: { ...looks.label, sizePt: looks.body.sizePt },
    align: 'start' as const,
    tag: tags.label,
  }
  const inner = width - 2 * BOX_PAD
  const lines = await setter.pair(part, { text: formats.money(totals.due), look: looks.due, tag: tags.value }, inner)
  const boxed = [setter.gap(BOX_PAD * 0.8), ...lines, setter.gap(BOX_PAD * 0.8)].map(line => ({
    ...line,
    fill: tint,
    insetPt: BOX_PAD,
  }))
  return [setter.gap(looks.body.sizePt * 0.8), ...boxed]
}
