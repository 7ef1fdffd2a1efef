import * as z from 'zod'
import { boundedText } from '../../../options/bounded-text'
import { lineField, nameField, textField } from './fields'
import { inForm } from '../../../options/form-hints'

const MAX_ADDRESS_LINES = 20
const MAX_IDS = 10

const text = (meaning: string) => lineField(meaning).optional()

/** An identifier with the code of its scheme. */
export function identifierField(meaning: string, schemes: string) {
  return z
    .object({
      id: nameField('The identifier.'),
      scheme: lineField(`Code of the scheme: ${schemes}.`).optional(),
    })
    .describe(meaning)
}

const country = boundedText(40)
  .transform((value, context) => {
    const code = value.trim().toUpperCase()
    if (!/^[A-Z0-9]{2}$/.test(code))
      context.addIssue({
        code: 'custom',
        message: `must be a country code of two letters, such as DE. Got ${JSON.stringify(value.slice(0, 40))}.`,
      })
    return code
  })
  .meta({ minLength: 2, maxLength: 2 })

/** A country as a code of ISO 3166-1. */
export function countryField(meaning: string) {
  return country.describe(`${meaning} ISO 3166-1 code of two letters, such as \`DE\`.`)
}

/** A postal address with a field for each part. */
const addressFields = z
  .object({
    street: text('Street and number, or a P.O. box.'),
    street2: text('Second address line.'),
    street3: text('Third address line.'),
    postCode: text('Post code.'),
    city: text('City.'),
    region: text('State, province or region.'),
    country: countryField('Country.').optional(),
  })
  .describe(
    'Postal address in parts. Electronic invoices require it. Sheaf prints it in place of `addressLines`, so send only ' +
      'one of them.',
  )

/** A postal address as lines. */
const addressLinesField = z
  .array(lineField('One line of the address.'))
  .max(MAX_ADDRESS_LINES)
  .optional()
  .describe('Postal address with one entry per line.')

const legalSchemes = 'ISO 6523, such as `0002` for the French SIRENE'

/** Registration in a company register. */
const legalIdField = identifierField('Registration in a company register, such as `{"id": "HRB 12345"}`.', legalSchemes)

/** Any identifier of a party. */
const partyIdField = identifierField(
  'Identifier, such as a GLN: `{"scheme": "0088", "id": "4000001000005"}`.',
  'ISO 6523, such as `0088` for a GLN',
)

const contact = z
  .object({ name: text('Person or department.'), phone: text('Phone number.'), email: text('Email address.') })
  .describe('Contact of the party.')

const ONE_CONTACT = 'With `eInvoice`, send it here or in `contact`, not in both.'

/** A company or person that sells or buys. */
function partyFields(role: string) {
  return z
    .object({
      name: nameField('Name.'),
      email: text(`Email address. ${ONE_CONTACT}`),
      phone: text(`Phone number. ${ONE_CONTACT}`),
      addressLines: addressLinesField,
      taxId: text('Tax or VAT number. Electronic invoices require `vatId` or `taxNumber` instead.'),
      tradingName: text('Name under which the party does business, if it differs from `name`.'),
      address: addressFields.optional(),
      vatId: text('VAT number with the country prefix, such as `DE123456789`.').meta(inForm({ label: 'VAT number' })),
      legalId: legalIdField.optional(),
      ids: z.array(partyIdField).max(MAX_IDS).optional().describe('Further identifiers of the party.'),
      electronicAddress: identifierField(
        'Address for electronic invoices, such as `{"scheme": "0088", "id": "4000001000005"}`. Only for `eInvoice`: ' +
          'it isn’t printed. In France, both parties need one (BT-34 and BT-49), with the scheme `0225` and the SIREN.',
        'EAS, such as `0088` for a GLN or `9930` for a German VAT number',
      ).optional(),
      contact: contact.optional(),
    })
    .describe(`${role}.`)
    .meta(inForm({ label: role }))
}

/** The seller. */
export const sellerFields = partyFields('Seller')
  .extend({
    taxNumber: text('National tax number, such as the German `Steuernummer`.'),
    legalInfo: textField(
      'Legal information about the seller, such as the register court and the managing directors.',
    ).optional(),
  })
  .describe('Seller.')
  .meta(inForm({ label: 'Seller' }))

/** The buyer. */
export const buyerFields = partyFields('Buyer')

/** The recipient of the payment, if it isn't the seller. */
export const payeeFields = z
  .object({
    name: nameField('Name.'),
    id: partyIdField.optional(),
    legalId: legalIdField.optional(),
  })
  .describe('Recipient of the payment, if it isn’t the seller.')

/** The representative that owes the seller's VAT. */
export const taxRepresentativeFields = z
  .object({
    name: nameField('Name.'),
    vatId: lineField('VAT number with the country prefix.'),
    address: addressFields.optional(),
  })
  .describe('Tax representative of the seller.')

/** The place of delivery. */
export const shipToFields = z
  .object({
    name: nameField('Name.').optional(),
    addressLines: addressLinesField,
    address: addressFields.optional(),
    id: partyIdField.optional(),
  })
  .describe("Shipping address, if it differs from the buyer's.")
