import type { ElectronicInvoice, Identifier, Party, PostalAddress } from '../model'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** Scheme of identifiers of creditors (EN 16931-3-2, BT-90). */
const CREDITOR = 'SEPA'
/** Scheme of national tax numbers: anything but VAT (EN 16931-3-2, BT-32). */
const TAX_NUMBER = 'FC'

/** Writes the seller. A direct debit names the creditor among its identifiers. */
export function writeSupplier(party: Party, creditorId: string | undefined): Xml {
  return group(
    'cac:AccountingSupplierParty',
    writeParty(party, creditorId === undefined ? [] : [{ id: creditorId, scheme: CREDITOR }]),
  )
}

/** Writes the buyer. */
export function writeCustomer(party: Party): Xml {
  return group('cac:AccountingCustomerParty', writeParty(party, []))
}

function writeParty(party: Party, furtherIds: readonly Identifier[]): Xml {
  const { contact } = party
  return group(
    'cac:Party',
    writeId('cbc:EndpointID', party.electronicAddress),
    each([...party.ids, ...furtherIds], id => group('cac:PartyIdentification', writeId('cbc:ID', id))),
    group('cac:PartyName', leaf('cbc:Name', party.tradingName)),
    writeAddress('cac:PostalAddress', party.address),
    writeTaxId(party.vatId, 'VAT'),
    writeTaxId(party.taxNumber, TAX_NUMBER),
    group(
      'cac:PartyLegalEntity',
      leaf('cbc:RegistrationName', party.name),
      writeId('cbc:CompanyID', party.legalId),
      leaf('cbc:CompanyLegalForm', party.legalInfo),
    ),
    group(
      'cac:Contact',
      leaf('cbc:Name', contact?.name),
      leaf('cbc:Telephone', contact?.phone),
      leaf('cbc:ElectronicMail', contact?.email),
    ),
  )
}

/** Writes the recipient of the payment. */
export function writePayee(payee: ElectronicInvoice['payee']): Xml {
  return group(
    'cac:PayeeParty',
    group('cac:PartyIdentification', writeId('cbc:ID', payee?.id)),
    group('cac:PartyName', leaf('cbc:Name', payee?.name)),
    group('cac:PartyLegalEntity', writeId('cbc:CompanyID', payee?.legalId)),
  )
}

/** Writes the tax representative. */
export function writeRepresentative(representative: ElectronicInvoice['taxRepresentative']): Xml {
  return group(
    'cac:TaxRepresentativeParty',
    group('cac:PartyName', leaf('cbc:Name', representative?.name)),
    writeAddress('cac:PostalAddress', representative?.address),
    writeTaxId(representative?.vatId, 'VAT'),
  )
}

/** Writes the place and date of delivery. */
export function writeDelivery({ shipTo, deliveryDate }: ElectronicInvoice): Xml {
  return group(
    'cac:Delivery',
    leaf('cbc:ActualDeliveryDate', deliveryDate),
    group('cac:DeliveryLocation', writeId('cbc:ID', shipTo?.id), writeAddress('cac:Address', shipTo?.address)),
    group('cac:DeliveryParty', group('cac:PartyName', leaf('cbc:Name', shipTo?.name))),
  )
}

/** Writes an identifier with its scheme. */
export function writeId(name: string, id: Identifier | undefined): Xml {
  return leaf(name, id?.id, { schemeID: id?.scheme })
}

function writeTaxId(id: string | undefined, scheme: string): Xml {
  if (id === undefined) return ''
  return group('cac:PartyTaxScheme', leaf('cbc:CompanyID', id), group('cac:TaxScheme', leaf('cbc:ID', scheme)))
}

function writeAddress(name: string, address: PostalAddress | undefined): Xml {
  return group(
    name,
    leaf('cbc:StreetName', address?.street),
    leaf('cbc:AdditionalStreetName', address?.street2),
    leaf('cbc:CityName', address?.city),
    leaf('cbc:PostalZone', address?.postCode),
    leaf('cbc:CountrySubentity', address?.region),
    group('cac:AddressLine', leaf('cbc:Line', address?.street3)),
    group('cac:Country', leaf('cbc:IdentificationCode', address?.country)),
  )
}
