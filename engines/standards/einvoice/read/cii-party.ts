import type { ElectronicInvoice, Identifier, Party, PostalAddress } from '../model'
import { identifier, ifAny } from './values'
import type { XmlNode } from './xml-tree'

/** Reads the seller or the buyer. A buyer has no tax number and no legal information (EN 16931-1, BG-7). */
export function readParty(node: XmlNode | undefined, role: 'seller' | 'buyer'): Party {
  const isSeller = role === 'seller'
  const contact = node?.find('DefinedTradeContact')
  return {
    name: node?.text('Name'),
    tradingName: node?.text('SpecifiedLegalOrganization', 'TradingBusinessName'),
    ids: readIds(node),
    legalId: identifier(node?.find('SpecifiedLegalOrganization', 'ID')),
    vatId: readTaxId(node, 'VA'),
    taxNumber: isSeller ? readTaxId(node, 'FC') : undefined,
    legalInfo: isSeller ? node?.text('Description') : undefined,
    electronicAddress: identifier(node?.find('URIUniversalCommunication', 'URIID')),
    address: readAddress(node?.find('PostalTradeAddress')),
    contact: contact && {
      name: contact.text('PersonName') ?? contact.text('DepartmentName'),
      phone: contact.text('TelephoneUniversalCommunication', 'CompleteNumber'),
      email: contact.text('EmailURIUniversalCommunication', 'URIID'),
    },
  }
}

/** Reads the recipient of the payment. */
export function readPayee(node: XmlNode | undefined): ElectronicInvoice['payee'] {
  return (
    node && {
      name: node.text('Name'),
      id: identifier(node.find('ID') ?? node.find('GlobalID')),
      legalId: identifier(node.find('SpecifiedLegalOrganization', 'ID')),
    }
  )
}

/** Reads the tax representative. */
export function readRepresentative(node: XmlNode | undefined): ElectronicInvoice['taxRepresentative'] {
  return (
    node && {
      name: node.text('Name'),
      vatId: readTaxId(node, 'VA'),
      address: readAddress(node.find('PostalTradeAddress')),
    }
  )
}

/** Reads the place of delivery. */
export function readShipTo(node: XmlNode | undefined): ElectronicInvoice['shipTo'] {
  return (
    node &&
    ifAny({
      name: node.text('Name'),
      id: identifier(node.find('ID') ?? node.find('GlobalID')),
      address: readAddress(node.find('PostalTradeAddress')),
    })
  )
}

function readIds(node: XmlNode | undefined): Identifier[] {
  return [...(node?.all('ID') ?? []), ...(node?.all('GlobalID') ?? [])].flatMap(one => identifier(one) ?? [])
}

function readTaxId(node: XmlNode | undefined, scheme: string): string | undefined {
  const registration = node
    ?.all('SpecifiedTaxRegistration')
    .find(one => one.find('ID')?.attribute('schemeID') === scheme)
  return registration?.text('ID')
}

function readAddress(node: XmlNode | undefined): PostalAddress | undefined {
  return (
    node && {
      street: node.text('LineOne'),
      street2: node.text('LineTwo'),
      street3: node.text('LineThree'),
      postCode: node.text('PostcodeCode'),
      city: node.text('CityName'),
      region: node.text('CountrySubDivisionName'),
      country: node.text('CountryID'),
    }
  )
}
