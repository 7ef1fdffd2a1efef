import { heading, list, prose, type Block, type DocsPage } from './page'

type Row = [terms: string, meaning: string, fields: string]

function table(rows: readonly Row[]): Block {
  return { kind: 'table', columns: ['Term', 'Meaning', 'Parameter'], rows: rows.map(cells => ({ cells })) }
}

/** The terms of one party's address, in the order of the parts in a request. */
function address(terms: string, party: string): Row {
  const parts = ['street', 'street2', 'street3', 'city', 'postCode', 'region', 'country']
  return [terms, 'Address, part by part', `\`${party}.address\`: ${parts.map(part => `\`${part}\``).join(', ')}`]
}

const DOCUMENT = table([
  ['BT-1, BT-2', 'Number and date', '`invoiceNumber`, `issueDate`'],
  ['BT-3', 'Type', '`type`, or its code in `typeCode`'],
  ['BT-5, BT-6', 'Currencies of the invoice and of the tax', '`currency`, `taxCurrency`'],
  ['BT-7, BT-8', 'Tax point', '`taxPointDate`, `taxPointCode`'],
  ['BT-9, BT-20', 'Due date and payment terms', '`dueDate`, `paymentTerms`'],
  ['BT-10', 'Reference of the buyer', '`buyerReference`'],
  ['BT-11, BT-12', 'Project and contract', '`projectReference`, `contractReference`'],
  ['BT-13, BT-14', 'Orders of the buyer and of the seller', '`purchaseOrder`, `salesOrder`'],
  ['BT-15, BT-16', 'Receiving advice and delivery note', '`receivingAdvice`, `despatchAdvice`'],
  ['BT-17, BT-18', 'Tender or lot, and object', '`tenderReference`, `invoicedObject`'],
  ['BT-19', 'Cost center of the buyer', '`accountingReference`'],
  [
    'BT-21, BT-22',
    'Notes with their codes',
    '`notes`, `codedNotes`, `customFields`, `terms`, and the taxes of `prepayments`',
  ],
  ['BT-23, BT-24', 'Process and specification', '`eInvoice`'],
  ['BT-25, BT-26', 'Preceding invoices', '`precedingInvoice`, and `reference` and `date` of `prepayments`'],
  ['BT-72', 'Day of delivery', '`deliveryDate`'],
  ['BT-73, BT-74', 'Period', '`period`'],
  ['BT-122 to BT-125', 'Supporting documents', '`attachments`'],
])

const PARTIES = table([
  ['BT-27, BT-28', 'Seller and trading name', '`from.name`, `from.tradingName`'],
  ['BT-29, BT-30', 'Identifiers and registration', '`from.ids`, `from.legalId`'],
  ['BT-31, BT-32', 'VAT number and tax number', '`from.vatId`, `from.taxNumber`'],
  ['BT-33', 'Legal information', '`from.legalInfo`'],
  ['BT-34', 'Electronic address', '`from.electronicAddress`'],
  address('BT-35, BT-36, BT-162, BT-37 to BT-40', 'from'),
  ['BT-41 to BT-43', 'Contact', '`from.contact`. `from.phone` and `from.email` are its short forms.'],
  ['BT-44, BT-45', 'Buyer and trading name', '`billTo.name`, `billTo.tradingName`'],
  ['BT-46, BT-47', 'Identifiers and registration', '`billTo.ids`, `billTo.legalId`'],
  ['BT-48', 'VAT number', '`billTo.vatId`'],
  ['BT-49', 'Electronic address', '`billTo.electronicAddress`'],
  address('BT-50, BT-51, BT-163, BT-52 to BT-55', 'billTo'),
  ['BT-56 to BT-58', 'Contact', '`billTo.contact`. `billTo.phone` and `billTo.email` are its short forms.'],
  ['BT-59 to BT-61', 'Payee', '`payee.name`, `payee.id`, `payee.legalId`'],
  ['BT-62, BT-63', 'Tax representative', '`taxRepresentative.name`, `taxRepresentative.vatId`'],
  address('BT-64, BT-65, BT-164, BT-66 to BT-69', 'taxRepresentative'),
  ['BT-70, BT-71', 'Place of delivery', '`shipTo.name`, `shipTo.id`'],
  address('BT-75, BT-76, BT-165, BT-77 to BT-80', 'shipTo'),
])

const PAYMENT = table([
  ['BT-81, BT-82', 'Means of payment', '`payment.means`, `payment.meansText`'],
  ['BT-83', 'Payment reference', '`payment.reference`'],
  ['BT-84', 'Account', '`payment.iban` or `payment.accountNumber`, and `payment.furtherAccounts`'],
  ['BT-85', 'Account holder', '`payment.accountName`'],
  ['BT-86', 'Bank', '`payment.bic`, `payment.routingNumber`, `payment.sortCode`, `payment.ifsc` or `payment.bsb`'],
  ['BT-87, BT-88', 'Card', '`payment.card`'],
  ['BT-89 to BT-91', 'Direct debit', '`payment.mandate`, `payment.creditorId`, `payment.debitedIban`'],
])

const AMOUNTS = table([
  ['BT-92 to BT-98', 'Allowances', '`allowances`, `discount`'],
  ['BT-99 to BT-105', 'Charges', '`charges`, `shipping`'],
  ['BT-106', 'Sum of the items', 'Computed. `totals.subtotal` checks it.'],
  ['BT-107 to BT-109', 'Allowances, charges, and the total without tax', 'Computed.'],
  ['BT-110', 'Tax', 'Computed. `totals.tax` checks it.'],
  ['BT-111', 'Tax in `taxCurrency`', '`taxInTaxCurrency`, or computed with `exchangeRate`'],
  ['BT-112', 'Total with tax', 'Computed. `totals.total` checks it.'],
  ['BT-113', 'Paid amount', '`amountPaid` and `prepayments`, or `paid`'],
  ['BT-114', 'Rounding', '`roundingAmount`'],
  ['BT-115', 'Amount due', 'Computed. `totals.amountDue` checks it.'],
  ['BT-116, BT-117', 'Taxed amount and tax of each rate', 'Computed.'],
  ['BT-118, BT-119', 'Category and rate', '`taxCategory`, `taxRate`, `reverseCharge`'],
  ['BT-120, BT-121', 'Reason for no tax', '`taxExemptions`'],
])

const ITEMS = table([
  ['BT-126, BT-127', 'Number and note', '`lineId`, `note`'],
  ['BT-128', 'Object', '`invoicedObject`'],
  ['BT-129, BT-130', 'Quantity and unit', '`quantity`, `unit` or `unitCode`'],
  ['BT-131', 'Amount', 'Computed.'],
  ['BT-132, BT-133', 'Order line and cost center', '`orderLine`, `accountingReference`'],
  ['BT-134, BT-135', 'Period', '`period`, or `date` for one day'],
  ['BT-136 to BT-140', 'Allowances', '`allowances`, `discount`'],
  ['BT-141 to BT-145', 'Charges', '`charges`'],
  ['BT-146', 'Unit price', '`rate`'],
  ['BT-147, BT-148', 'Price reduction and price before it', 'Computed from `grossPrice`, and `grossPrice`'],
  ['BT-149, BT-150', 'Number of units that the price is for', '`priceBase`'],
  ['BT-151, BT-152', 'VAT category and rate', '`taxCategory`, `taxRate`'],
  ['BT-153, BT-154', 'Name and description', '`description`, `details`'],
  ['BT-155 to BT-157', 'Item numbers', '`sku`, `buyerItemId`, `standardItemId`'],
  ['BT-158', 'Classes', '`classifications`'],
  ['BT-159', 'Country of origin', '`originCountry`'],
  ['BT-160, BT-161', 'Properties', '`attributes`'],
])

/** Returns the page with the business terms of EN 16931 and the parameters for them. */
export function describeElectronicFields(): DocsPage {
  return {
    slug: 'e-invoice-fields',
    title: 'Fields of EN 16931',
    lead: 'The business terms (BT) of EN 16931, and the parameters of the invoice endpoint that write them.',
    blocks: [
      heading('Document'),
      DOCUMENT,
      heading('Parties'),
      prose(
        'Send `email` or `contact.email` of a party, not both. The XML has one email address. The same is true for ' +
          '`phone` and `contact.phone`.',
      ),
      PARTIES,
      heading('Electronic addresses in France'),
      list(
        'BT-34 and BT-49 tell the French platforms who sends and who receives an invoice. Send both.',
        'The scheme is `0225`. The address is the SIREN, or another address in the French directory, such as ' +
          '`SIREN_SIRET`.',
        'An example is `"electronicAddress": {"scheme": "0225", "id": "732829320"}`.',
        'Send the SIREN in `legalId` too: `{"scheme": "0002", "id": "732829320"}`.',
      ),
      heading('Payment'),
      PAYMENT,
      heading('Amounts'),
      AMOUNTS,
      heading('Items'),
      prose('These parameters are members of each entry of `items`.'),
      ITEMS,
      heading('Only on the page'),
      list(
        '`payment.bankName`, `payment.link`, `qr`, and `section` of items.',
        '`logo`, `template`, `accentColor`, `pageSize`, `labels` and `positionNumbers` change how the page looks. ' +
          '`locale` and `labels` also set words in the XML, such as the reason of a discount.',
        'EN 16931 has no place for `taxes`, `withholding` and `pricesIncludeTax`. With `eInvoice`, they return an error.',
      ),
    ],
  }
}
