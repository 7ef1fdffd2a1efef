import type { ElectronicInvoice, Party, PostalAddress } from '../model'
import { identifier, readCommon } from './values'
import type { XmlNode } from './xml-tree'

/** Scheme of identifiers of creditors (EN 16931-3-2, BT-90). */
const CREDITOR = 'SEPA'

/** Reads the seller or the buyer. A buyer has no tax number and no legal information (EN 16931-1, BG-7). */
export function readParty(node: XmlNode | undefined, role: 'seller' | 'buyer'): Party {
  const isSeller = role === 'seller'
  const party = node?.find('Party')
  const legal = party?.find('PartyLegalEntity')
  const contact = party?.find('Contact')
  return {
    name: legal?.text('RegistrationName'),
    tradingName: party?.text('PartyName', 'Name'),
    ids: listIds(party).flatMap(id => (isCreditor(id) ? [] : (identifier(id) ?? []))),
    legalId: identifier(legal?.find('CompanyID')),
    vatId: readTaxId(party, 'VAT'),
    taxNumber: isSeller ? readTaxId(party, 'other') : undefined,
    legalInfo: isSeller ? legal?.text('CompanyLegalForm') : undefined,
    electronicAddress: identifier(party?.find('EndpointID')),
    address: readAddress(party?.find('PostalAddress')),
    contact: contact && {
      name: contact.text('Name'),
      phone: contact.text('Telephone'),
      email: contact.text('ElectronicMail'),
    },
  }
}

/** The creditor identifier. The seller or the recipient of the payment may have it. */
export function readCreditorId(parties: readonly (XmlNode | undefined)[]): string | undefined {
  return readCommon(parties.flatMap(party => listIds(party).filter(isCreditor)))
}

/** Reads the recipient of the payment. */
export function readPayee(node: XmlNode | undefined): ElectronicInvoice['payee'] {
  return (
    node && {
      name: node.text('PartyName', 'Name'),
      id: identifier(listIds(node).find(id => !isCreditor(id))),
      legalId: identifier(node.find('PartyLegalEntity', 'CompanyID')),
    }
  )
}

/** Reads the tax representative. */
export function readRepresentative(node: XmlNode | undefined): ElectronicInvoice['taxRepresentative'] {
  return (
    node && {
      name: node.text('PartyName', 'Name'),
      vatId: readTaxId(node, 'VAT'),
      address: readAddress(node.find('PostalAddress')),
    }
  )
}

/** Reads an address. */
export function readAddress(node: XmlNode | undefined): PostalAddress | undefined {
  return (
    node && {
      street: node.text('StreetName'),
      street2: node.text('AdditionalStreetName'),
      street3: node.text('AddressLine', 'Line'),
      postCode: node.text('PostalZone'),
      city: node.text('CityName'),
      region: node.text('CountrySubentity'),
      country: node.text('Country', 'IdentificationCode'),
    }
  )
}

function listIds(party: XmlNode | undefined): XmlNode[] {
  return (party?.all('PartyIdentification') ?? []).flatMap(one => one.find('ID') ?? [])
}

function isCreditor(id: XmlNode): boolean {
  return id.attribute('schemeID') === CREDITOR
}

function readTaxId(party: XmlNode | undefined, kind: 'VAT' | 'other'): string | undefined {
  const scheme = (party?.all('PartyTaxScheme') ?? []).find(one => {
    const isVat = one.text('TaxScheme', 'ID')?.toUpperCase() === 'VAT'
    return isVat === (kind === 'VAT')
  })
  return scheme?.text('CompanyID')
}
