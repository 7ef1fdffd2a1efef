import type { Block } from './page'

type Row = [rule: string, field: string, meaning: string]

function table(rows: readonly Row[]): Block {
  return {
    kind: 'table',
    columns: ['Rule', 'Parameter', 'What to send'],
    rows: rows.map(([rule, field, meaning]) => ({
      id: `rule-${rule.toLowerCase()}`,
      cells: [`\`${rule}\``, field, meaning],
    })),
  }
}

/** Rules of EN 16931 that requests break most often. */
export const EN16931_RULES_TABLE = table([
  ['BR-09', '`from.address.country`', 'The country of the seller is required.'],
  ['BR-11', '`billTo.address.country`', 'The country of the buyer is required.'],
  ['BR-16', '`items`', 'An invoice has at least one item.'],
  ['BR-23', '`items[].unitCode`', 'Send a unit with a known code, or `unitCode`.'],
  ['BR-25', '`items[].description`', 'Each item has a name.'],
  ['BR-27', '`items[].rate`', 'A price must not be negative. For a refund, send a negative quantity.'],
  ['BR-29', '`period.end`', 'A period must not end before it starts.'],
  ['BR-33', '`allowances[].reason`', 'An allowance has a reason or a reason code.'],
  ['BR-38', '`charges[].reason`', 'A charge has a reason or a reason code.'],
  ['BR-50', '`payment.iban`', 'A credit transfer needs an account.'],
  ['BR-CO-04', '`items[].taxCategory`', 'Each item has a VAT category. Send it for items without tax.'],
  ['BR-CO-09', '`from.vatId`', 'A VAT number starts with the code of its country.'],
  ['BR-CO-26', '`from`', 'Send `vatId`, `legalId` or `ids`, so that the buyer can identify the seller.'],
  ['BR-S-02', '`from.vatId`', 'With category `S`, the seller has a VAT number or a tax number.'],
  ['BR-S-05', '`items[].taxRate`', 'With category `S`, the rate is above 0.'],
  ['BR-E-10', '`taxExemptions`', 'With category `E`, send a reason or a reason code.'],
  ['BR-AE-02', '`billTo.vatId`', 'With reverse charge, both parties are identified by VAT numbers or registrations.'],
  ['BR-IC-02', '`billTo.vatId`', 'For an intra-community supply, both parties have VAT numbers.'],
  ['BR-IC-11', '`deliveryDate`', 'For an intra-community supply, send `deliveryDate` or `period`.'],
  ['BR-IC-12', '`shipTo.address.country`', 'For an intra-community supply, send the country of delivery.'],
  ['BR-O-02', '`from.vatId`', 'With category `O`, neither party has a VAT number on the invoice.'],
  ['BR-CL-23', '`items[].unitCode`', 'The code of a unit is in UN/ECE Recommendation 20 or 21.'],
  ['BR-CL-25', '`billTo.electronicAddress.scheme`', 'The scheme of an electronic address is in the EAS list.'],
])

/** Rules of XRechnung. */
export const XRECHNUNG_RULES_TABLE = table([
  ['BR-DE-1', '`payment`', 'Say how to pay, for example with `payment.iban`.'],
  ['BR-DE-2', '`from.contact`', 'Send a contact of the seller.'],
  ['BR-DE-3', '`from.address.city`', 'The city of the seller is required.'],
  ['BR-DE-4', '`from.address.postCode`', 'The post code of the seller is required.'],
  ['BR-DE-5', '`from.contact.name`', 'The name of the contact is required.'],
  ['BR-DE-6', '`from.contact.phone`', 'The phone number of the contact is required.'],
  ['BR-DE-7', '`from.contact.email`', 'The email address of the contact is required.'],
  ['BR-DE-8', '`billTo.address.city`', 'The city of the buyer is required.'],
  ['BR-DE-9', '`billTo.address.postCode`', 'The post code of the buyer is required.'],
  ['BR-DE-10', '`shipTo.address.city`', 'If you send a shipping address, its city is required.'],
  ['BR-DE-11', '`shipTo.address.postCode`', 'If you send a shipping address, its post code is required.'],
  ['BR-DE-14', '`items[].taxRate`', 'Each tax has a rate.'],
  ['BR-DE-15', '`buyerReference`', 'The reference of the buyer is required. Public buyers name a `Leitweg-ID`.'],
  ['BR-DE-16', '`from.vatId`', 'The seller has a VAT number, a tax number or a tax representative.'],
  ['BR-DE-18', '`paymentTerms`', 'A cash discount has its own lines, such as `#SKONTO#TAGE=14#PROZENT=2.00#`.'],
  ['BR-DE-23-a', '`payment.iban`', 'A credit transfer names the account.'],
  ['BR-DE-24-a', '`payment.card`', 'A card payment names the card.'],
  ['BR-DE-25-a', '`payment.mandate`', 'A direct debit names the mandate.'],
  ['BR-DE-30', '`payment.creditorId`', 'A direct debit names the creditor.'],
  ['BR-DE-31', '`payment.debitedIban`', 'A direct debit names the debited account.'],
  ['PEPPOL-EN16931-R010', '`billTo.electronicAddress`', 'The electronic address of the buyer is required.'],
  ['PEPPOL-EN16931-R020', '`from.electronicAddress`', 'The electronic address of the seller is required.'],
])

/** Rules of Peppol BIS Billing 3. */
export const PEPPOL_RULES_TABLE = table([
  ['PEPPOL-EN16931-R003', '`buyerReference`', 'Send `buyerReference` or `purchaseOrder`.'],
  ['PEPPOL-EN16931-R010', '`billTo.electronicAddress`', 'The electronic address of the buyer is required.'],
  ['PEPPOL-EN16931-R020', '`from.electronicAddress`', 'The electronic address of the seller is required.'],
  ['PEPPOL-EN16931-R040', '`allowances[].amount`', 'An amount with a rate equals the rate of its base.'],
  ['PEPPOL-EN16931-R046', '`items[].grossPrice`', 'The price is the gross price less its reduction.'],
  ['PEPPOL-EN16931-R055', '`taxCurrency`', 'The tax in both currencies has the same sign.'],
  ['PEPPOL-EN16931-R061', '`payment.mandate`', 'A direct debit names the mandate.'],
  ['PEPPOL-EN16931-R110', '`items[].period`', 'The period of an item is within the period of the invoice.'],
  ['PEPPOL-COMMON-R043', '`from.electronicAddress`', 'A Belgian company number has valid check digits.'],
])
