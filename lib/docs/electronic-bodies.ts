import type * as z from 'zod'
import type { invoiceSchema } from '../../engines/features/invoice/input/invoice-schema'

/** The body of a request for an invoice. */
export type InvoiceBody = z.input<typeof invoiceSchema>

const berlin = { street: 'Torstraße 1', postCode: '10119', city: 'Berlin', country: 'DE' }
const munich = { street: 'Marienplatz 8', postCode: '80331', city: 'München', country: 'DE' }
const brussels = { street: 'Rue du Marais 12', postCode: '1000', city: 'Bruxelles', country: 'BE' }
const antwerp = { street: 'Meir 40', postCode: '2000', city: 'Antwerpen', country: 'BE' }

/** The smallest Factur-X invoice: what EN 16931 requires. */
export const SMALLEST_FACTUR_X: InvoiceBody = {
  eInvoice: { format: 'factur-x' },
  invoiceNumber: 'F-2026-1',
  currency: 'EUR',
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  from: {
    name: 'Aurora Werkstatt GmbH',
    vatId: 'DE123456789',
    address: { country: 'DE' },
  },
  billTo: { name: 'Müller & Söhne KG', address: { country: 'DE' } },
  items: [{ description: 'Consulting', quantity: 3, unit: 'h', rate: 95 }],
  taxRate: 0.19,
}

/** The smallest XRechnung. */
export const SMALLEST_XRECHNUNG: InvoiceBody = {
  eInvoice: { format: 'xrechnung' },
  invoiceNumber: 'X-2026-1',
  currency: 'EUR',
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  buyerReference: '04011000-12345-34',
  from: {
    name: 'Aurora Werkstatt GmbH',
    vatId: 'DE123456789',
    electronicAddress: { scheme: 'EM', id: 'post@aurora.example' },
    address: berlin,
    contact: { name: 'Erika Muster', phone: '+49 30 1234567', email: 'post@aurora.example' },
  },
  billTo: {
    name: 'Stadt Musterhausen',
    electronicAddress: { scheme: '0204', id: '04011000-12345-34' },
    address: munich,
  },
  payment: { iban: 'DE89 3704 0044 0532 0130 00' },
  items: [{ description: 'Consulting', quantity: 3, unit: 'h', rate: 95 }],
  taxRate: 0.19,
}

/** The smallest Peppol invoice. */
export const SMALLEST_PEPPOL: InvoiceBody = {
  eInvoice: { format: 'peppol' },
  invoiceNumber: 'P-2026-1',
  currency: 'EUR',
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  buyerReference: 'PO-77',
  from: {
    name: 'Atelier Lumière SRL',
    vatId: 'BE0403019261',
    electronicAddress: { scheme: '0208', id: '0403019261' },
    address: brussels,
  },
  billTo: {
    name: 'Drukkerij De Schelde NV',
    vatId: 'BE0203201340',
    electronicAddress: { scheme: '0208', id: '0203201340' },
    address: antwerp,
  },
  payment: { iban: 'BE68 5390 0754 7034' },
  items: [{ description: 'Consulting', quantity: 3, unit: 'h', rate: 95 }],
  taxRate: 0.21,
}

/** An invoice with many fields. Each format takes it, with its own `eInvoice`. */
export const FULL_BODY: InvoiceBody = {
  eInvoice: { format: 'factur-x', profile: 'en16931' },
  invoiceNumber: 'RE-2026-0107',
  locale: 'de',
  currency: 'EUR',
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  deliveryDate: '2026-10-30',
  buyerReference: '04011000-12345-34',
  purchaseOrder: 'B-5531',
  contractReference: 'V-88/2025',
  projectReference: 'P-12',
  from: {
    name: 'Aurora Werkstatt GmbH',
    vatId: 'DE123456789',
    taxNumber: '29/123/45678',
    legalId: { id: 'HRB 12345 B' },
    legalInfo: 'Amtsgericht Charlottenburg, Geschäftsführerin Erika Muster',
    electronicAddress: { scheme: '9930', id: 'DE123456789' },
    address: berlin,
    contact: { name: 'Erika Muster', phone: '+49 30 1234567', email: 'post@aurora.example' },
  },
  billTo: {
    name: 'Stadt Musterhausen',
    electronicAddress: { scheme: '0204', id: '04011000-12345-34' },
    address: munich,
    contact: { name: 'Bauamt' },
  },
  shipTo: { name: 'Stadtbibliothek Musterhausen', address: munich },
  items: [
    {
      description: 'Regal aus Eiche',
      details: 'Zwei Meter breit, geölt',
      quantity: 4,
      unit: 'Stück',
      rate: 480,
      grossPrice: 520,
      taxRate: 0.19,
      sku: 'R-200',
      standardItemId: { scheme: '0160', id: '4000001000012' },
      allowances: [{ rate: 0.05, reason: 'Mengenrabatt', reasonCode: '95' }],
    },
    {
      description: 'Fachbücher',
      quantity: 12,
      unit: 'Stück',
      rate: 24.9,
      taxRate: 0.07,
      orderLine: '2',
    },
    {
      description: 'Montage',
      quantity: 6.5,
      unit: 'Std.',
      rate: 62,
      taxRate: 0.19,
      period: { start: '2026-10-28', end: '2026-10-30' },
    },
  ],
  allowances: [{ rate: 0.02, reason: 'Treuerabatt', reasonCode: '95', taxRate: 0.19 }],
  charges: [{ amount: 49, reason: 'Fracht', reasonCode: 'FC', taxRate: 0.19 }],
  amountPaid: 500,
  payment: {
    means: 'sepa-credit-transfer',
    iban: 'DE89 3704 0044 0532 0130 00',
    bic: 'COBADEFFXXX',
    accountName: 'Aurora Werkstatt GmbH',
    reference: 'RE-2026-0107',
  },
  paymentTerms: 'Zahlbar innerhalb von 30 Tagen ohne Abzug',
  notes: 'Vielen Dank für Ihren Auftrag.',
}
