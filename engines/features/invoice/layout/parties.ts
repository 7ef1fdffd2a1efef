import { nameCountry, writeAddressLines } from './address-lines'
import { alignFirstLines, placeColumns } from './columns'
import type { Draft } from './draft'
import { setDetails } from './draw-details'
import type { Line } from './line-setter'
import { labelTaxNumber } from './tax-numbers'
import { HEADING_GAP } from './theme'
import type { Look } from './theme'
import { nameScheme } from '../data/scheme-names'
import type { Invoice } from '../data/invoice'

/** Distance between the three columns, in points. */
const GAP = 20

/** Width of the column with dates and numbers, as a share of the width between the margins. */
const DETAILS_WIDTH = 0.36

type Party = Partial<Invoice['from']>

type Heading = 'from' | 'billTo' | 'shipTo' | 'payee' | 'taxRepresentative'

/** Draws sender, recipient, and the column with dates, numbers and the amount due. */
export async function placeParties(draft: Draft): Promise<void> {
  const { sheet, invoice, setter } = draft
  const { theme } = sheet
  const detailsWidth = sheet.width * DETAILS_WIDTH
  const width = (sheet.width - detailsWidth - 2 * GAP) / 2
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
  const details = await setDetails(draft, detailsWidth)
  const columnX = (index: number): number => theme.margin + index * (width + GAP)
  const columns = [
    { x: columnX(0), width, lines: from },
    { x: columnX(1), width, lines: billTo },
    { x: columnX(2), width: detailsWidth, lines: details },
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
  lines.push(setter.gap(looks.heading.sizePt * HEADING_GAP))
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
