import { nameCountry, writeAddressLines } from './address-lines'
import { alignFirstLines, placeColumns } from './columns'
import type { Draft } from './draft'
import { listFacts } from './details'
import type { Line } from './line-setter'
import type { Tag } from './tag-tree'
import { labelTaxNumber } from './tax-numbers'
import type { Look } from './theme'
import { nameScheme } from '../data/scheme-names'
import { hasOwnDue } from '../data/totals'
import type { Invoice } from '../data/invoice'

/** Distance between the three columns. */
const GAP = 20

/** Padding of the box with the amount due. */
const BOX_PAD = 9

type Party = Partial<Invoice['from']>

type Heading = 'from' | 'billTo' | 'shipTo' | 'payee' | 'taxRepresentative'

/** Draws sender, recipient, and the column with dates, numbers and the amount due. */
export async function placeParties(draft: Draft): Promise<void> {
  const { sheet, invoice, setter } = draft
  const { theme } = sheet
  const factsWidth = sheet.width * 0.36
  const width = (sheet.width - factsWidth - 2 * GAP) / 2
  const from = await setParty(draft, { label: 'from', party: invoice.from, width })
  const billTo = await setParty(draft, { label: 'billTo', party: invoice.billTo, width })
  const { payee, taxRepresentative, shipTo } = invoice
  const append = async (lines: Line[], label: Heading, party: Party): Promise<void> => {
    lines.push(setter.gap(theme.gap / 2), ...(await setParty(draft, { label, party, width })))
  }
  if (taxRepresentative) await append(from, 'taxRepresentative', taxRepresentative)
  if (payee)
    await append(from, 'payee', {
      name: payee.name,
      legalId: payee.legalId,
      ...(payee.id && { ids: [payee.id] }),
    })
  if (shipTo) await append(billTo, 'shipTo', { ...shipTo, ...(shipTo.id && { ids: [shipTo.id] }) })
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
  { label, party, width }: { label: Heading; party: Party; width: number },
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
        ...(await setter.lines(text, look, width, { tag: tags.add('P', section), param: `${label}.${field}` })),
      )
  }
  const labeled = (name: string, text: string | undefined): string | undefined => text?.trim() && `${name} ${text}`
  await add(party.name, looks.strong, 'name')
  await add(party.tradingName, looks.body, 'tradingName')
  for (const [index, line] of (party.addressLines ?? []).entries())
    await add(line, looks.body, `addressLines[${index}]`)
  for (const line of writeAddressLines(party.address, countryOf(draft, party))) await add(line, looks.body, 'address')
  await add(labeled(labels.contact, party.contact?.name), looks.soft, 'contact.name')
  await add(party.email ?? party.contact?.email, looks.soft, party.email ? 'email' : 'contact.email')
  await add(party.phone ?? party.contact?.phone, looks.soft, party.phone ? 'phone' : 'contact.phone')
  if (party.email) await add(party.contact?.email, looks.soft, 'contact.email')
  if (party.phone) await add(party.contact?.phone, looks.soft, 'contact.phone')
  await add(labelTaxNumber(draft, 'taxId', party.taxId), looks.soft, 'taxId')
  await add(labelTaxNumber(draft, 'vatId', party.vatId), looks.soft, 'vatId')
  await add(labelTaxNumber(draft, 'taxNumber', party.taxNumber), looks.soft, 'taxNumber')
  await add(labeled(nameScheme(party.legalId?.scheme) ?? labels.legalId, party.legalId?.id), looks.soft, 'legalId.id')
  for (const [index, { id, scheme }] of (party.ids ?? []).entries())
    await add(
      labeled(nameScheme(scheme) ?? 'ID', id),
      looks.soft,
      label === 'from' || label === 'billTo' ? `ids[${index}].id` : 'id.id',
    )
  await add(party.legalInfo, looks.soft, 'legalInfo')
  return lines
}

/** The name of a country is printed if the invoice leaves the country. */
function countryOf({ invoice }: Draft, { address }: Party): string | undefined {
  const countries = [invoice.from, invoice.billTo, invoice.shipTo, invoice.taxRepresentative].flatMap(
    party => party?.address?.country ?? [],
  )
  return new Set(countries).size > 1 ? nameCountry(address?.country, invoice.locale) : undefined
}

async function setFacts(draft: Draft, width: number): Promise<Line[]> {
  const { sheet } = draft
  const list = sheet.tags.add('L')
  const lines: Line[] = []
  for (const { label, value, param } of listFacts(draft))
    lines.push(...(await setFact(draft, { label, value, field: param, list, width })))
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
  const boxed = [setter.gap(BOX_PAD * 0.8), ...lines, setter.gap(BOX_PAD * 0.8)].map(line => ({
    ...line,
    fill: tint,
    insetPt: BOX_PAD,
  }))
  return [setter.gap(looks.body.sizePt * 0.8), ...boxed]
}
