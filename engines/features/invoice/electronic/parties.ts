import type { Identifier, Party, PostalAddress } from '../../../standards/einvoice/model'
import type { Invoice } from '../data/invoice'
import { filled } from './texts'

/** Converts the seller. */
export function convertSeller(seller: Invoice['from']): Party {
  return { ...convertBuyer(seller), taxNumber: filled(seller.taxNumber), legalInfo: filled(seller.legalInfo) }
}

/** Converts the buyer. The email address and phone number of the party are those of the contact by default. */
export function convertBuyer(party: Invoice['billTo']): Party {
  const phone = filled(party.contact?.phone) ?? filled(party.phone)
  const email = filled(party.contact?.email) ?? filled(party.email)
  const name = filled(party.contact?.name)
  return {
    name: filled(party.name),
    tradingName: filled(party.tradingName),
    ids: (party.ids ?? []).map(convertId),
    legalId: party.legalId && convertId(party.legalId),
    vatId: filled(party.vatId)?.replace(/\s+/g, ''),
    taxNumber: undefined,
    legalInfo: undefined,
    electronicAddress: party.electronicAddress && convertId(party.electronicAddress),
    address: convertAddress(party.address),
    contact: name || phone || email ? { name, phone, email } : undefined,
  }
}

/** Converts an identifier. */
export function convertId({ id, scheme }: { id: string; scheme?: string | undefined }): Identifier {
  return { id: filled(id), scheme: filled(scheme) }
}

/** Converts a postal address in parts. Undefined if there is none. */
export function convertAddress(address: Invoice['from']['address']): PostalAddress | undefined {
  if (!address) return undefined
  return {
    street: filled(address.street),
    street2: filled(address.street2),
    street3: filled(address.street3),
    postCode: filled(address.postCode),
    city: filled(address.city),
    region: filled(address.region),
    country: address.country,
  }
}
