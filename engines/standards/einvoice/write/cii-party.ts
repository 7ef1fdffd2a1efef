import type { ElectronicInvoice, Identifier, Party, PostalAddress } from '../model'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** Writes the seller or the buyer. */
export function writeParty(name: string, party: Party): Xml {
  const { contact, electronicAddress } = party
  return group(
    name,
    writeIds(party.ids),
    leaf('ram:Name', party.name),
    leaf('ram:Description', party.legalInfo),
    group(
      'ram:SpecifiedLegalOrganization',
      writeId('ram:ID', party.legalId),
      leaf('ram:TradingBusinessName', party.tradingName),
    ),
    group(
      'ram:DefinedTradeContact',
      leaf('ram:PersonName', contact?.name),
      group('ram:TelephoneUniversalCommunication', leaf('ram:CompleteNumber', contact?.phone)),
      group('ram:EmailURIUniversalCommunication', leaf('ram:URIID', contact?.email)),
    ),
    writeAddress(party.address),
    group('ram:URIUniversalCommunication', writeId('ram:URIID', electronicAddress)),
    writeTaxId(party.vatId, 'VA'),
    writeTaxId(party.taxNumber, 'FC'),
  )
}

/** Writes the tax representative. */
export function writeRepresentative(representative: ElectronicInvoice['taxRepresentative']): Xml {
  return group(
    'ram:SellerTaxRepresentativeTradeParty',
    leaf('ram:Name', representative?.name),
    writeAddress(representative?.address),
    writeTaxId(representative?.vatId, 'VA'),
  )
}

/** Writes the place of delivery. */
export function writeShipTo(shipTo: ElectronicInvoice['shipTo']): Xml {
  return group(
    'ram:ShipToTradeParty',
    writeIds(shipTo?.id ? [shipTo.id] : []),
    leaf('ram:Name', shipTo?.name),
    writeAddress(shipTo?.address),
  )
}

/** Writes the recipient of the payment. */
export function writePayee(payee: ElectronicInvoice['payee']): Xml {
  return group(
    'ram:PayeeTradeParty',
    writeIds(payee?.id ? [payee.id] : []),
    leaf('ram:Name', payee?.name),
    group('ram:SpecifiedLegalOrganization', writeId('ram:ID', payee?.legalId)),
  )
}

/** Identifiers with a scheme are global. */
function writeIds(ids: readonly Identifier[]): Xml {
  return (
    each(ids, ({ id, scheme }) => (scheme === undefined ? leaf('ram:ID', id) : '')) +
    each(ids, ({ id, scheme }) => (scheme === undefined ? '' : leaf('ram:GlobalID', id, { schemeID: scheme })))
  )
}

function writeId(name: string, id: Identifier | undefined): Xml {
  return leaf(name, id?.id, { schemeID: id?.scheme })
}

function writeTaxId(id: string | undefined, scheme: 'VA' | 'FC'): Xml {
  return group('ram:SpecifiedTaxRegistration', leaf('ram:ID', id, { schemeID: scheme }))
}

function writeAddress(address: PostalAddress | undefined): Xml {
  return group(
    'ram:PostalTradeAddress',
    leaf('ram:PostcodeCode', address?.postCode),
    leaf('ram:LineOne', address?.street),
    leaf('ram:LineTwo', address?.street2),
    leaf('ram:LineThree', address?.street3),
    leaf('ram:CityName', address?.city),
    leaf('ram:CountryID', address?.country),
    leaf('ram:CountrySubDivisionName', address?.region),
  )
}
