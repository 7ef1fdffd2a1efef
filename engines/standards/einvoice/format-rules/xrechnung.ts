import type { ElectronicInvoice } from '../model'
import { listCommonPeppolRules } from './shared-rules'
import type { Rule } from '../rules/rule'

const TRANSFERS: ReadonlySet<string> = new Set(['30', '58'])
const CARDS: ReadonlySet<string> = new Set(['48', '54', '55'])
const SEPA_DEBIT = '59'

/** Categories that need the tax number of the seller. */
const TAXED: ReadonlySet<string> = new Set(['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'])

/** A cash discount in the payment terms (XRechnung 3.0, BT-20). */
const DISCOUNT = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(?:#BASISBETRAG=-?\d+\.\d{2})?#$/

interface GermanRule {
  /** The number in `BR-DE-15`, and in Peppol's `DE-R-015`. */
  number: string
  check: Rule['check']
}

/** The German rules. Peppol has the same ones for invoices within Germany. */
const GERMAN_RULES: readonly GermanRule[] = [
  required(
    '1',
    'payment',
    ({ payments }) => payments[0] && 'sent',
    'is required. Say how to pay, for example with iban.',
  ),
  required('2', 'from.contact', ({ from }) => from.contact && 'sent', 'is required, with name, phone and email.'),
  required('3', 'from.address.city', ({ from }) => (from.address ? from.address.city : 'none')),
  required('4', 'from.address.postCode', ({ from }) => (from.address ? from.address.postCode : 'none')),
  required('5', 'from.contact.name', ({ from }) => (from.contact ? from.contact.name : 'none')),
  required('6', 'from.contact.phone', ({ from }) => (from.contact ? from.contact.phone : 'none')),
  required('7', 'from.contact.email', ({ from }) => (from.contact ? from.contact.email : 'none')),
  required('8', 'billTo.address.city', ({ billTo }) => (billTo.address ? billTo.address.city : 'none')),
  required('9', 'billTo.address.postCode', ({ billTo }) => (billTo.address ? billTo.address.postCode : 'none')),
  required('10', 'shipTo.address.city', ({ shipTo }) => (shipTo?.address ? shipTo.address.city : 'none')),
  required('11', 'shipTo.address.postCode', ({ shipTo }) => (shipTo?.address ? shipTo.address.postCode : 'none')),
  {
    number: '14',
    check({ taxes }, report) {
      if (taxes.some(({ percent }) => percent === undefined))
        report('taxRate', 'is required for each tax, so category O is not possible.')
    },
  },
  required(
    '15',
    'buyerReference',
    ({ buyerReference }) => buyerReference,
    'is required for XRechnung. Send the Leitweg-ID of the buyer, or the reference that the buyer named.',
  ),
  {
    number: '16',
    check({ from, taxRepresentative, items, allowances, charges }, report) {
      const isTaxed = [...items, ...allowances, ...charges].some(({ taxCategory }) => TAXED.has(taxCategory ?? ''))
      if (isTaxed && !from.vatId && !from.taxNumber && !taxRepresentative)
        report('from.vatId', 'is required. Or send taxNumber or taxRepresentative.')
    },
  },
  {
    number: '18',
    check({ paymentTerms }, report) {
      const lines = paymentTerms?.split(/\r?\n/) ?? []
      const stated = lines.filter(line => line.trim().startsWith('#'))
      if (stated.length === 0) return
      const [last = ''] = (paymentTerms ?? '').split(/#.+#/).slice(-1)
      if (stated.every(line => DISCOUNT.test(line.trim())) && /^\s*\n/.test(last)) return
      report('paymentTerms', 'must have a cash discount as #SKONTO#TAGE=14#PROZENT=2.00# on a line of its own.')
    },
  },
  {
    number: '22',
    check({ attachments }, report) {
      const names = new Set<string>()
      for (const [index, { file }] of attachments.entries()) {
        if (file?.name === undefined) continue
        if (names.has(file.name))
          report(
            `attachments[${index}].file.name`,
            `must differ from other attachments. Got ${JSON.stringify(file.name)}.`,
          )
        names.add(file.name)
      }
    },
  },
  {
    number: '30',
    check({ payments }, report) {
      if (payments.some(({ directDebit }) => directDebit && !directDebit.creditorId))
        report('payment.creditorId', 'is required for a direct debit.')
    },
  },
  {
    number: '31',
    check({ payments }, report) {
      if (payments.some(({ directDebit }) => directDebit && !directDebit.debitedIban))
        report('payment.debitedIban', 'is required for a direct debit.')
    },
  },
]

/** Rules on what a means of payment needs, and on what it excludes. The second number is the one of Peppol. */
const MEANS_RULES: readonly (GermanRule & { peppolNumber: string })[] = [
  means('23-a', '023-1', TRANSFERS, ({ accounts }, report) => {
    if (accounts.length === 0) report('payment.iban', 'is required for a credit transfer. Or send accountNumber.')
  }),
  means('23-b', '023-2', TRANSFERS, ({ card, directDebit }, report) => {
    if (card) report('payment.card', 'must be omitted for a credit transfer.')
    if (directDebit) report('payment.mandate', 'must be omitted for a credit transfer.')
  }),
  means('24-a', '024-1', CARDS, ({ card }, report) => {
    if (!card) report('payment.card', 'is required for a card payment.')
  }),
  means('24-b', '024-2', CARDS, ({ accounts, directDebit }, report) => {
    if (accounts.length > 0) report('payment.iban', 'must be omitted for a card payment.')
    if (directDebit) report('payment.mandate', 'must be omitted for a card payment.')
  }),
  means('25-a', '025-1', new Set([SEPA_DEBIT]), ({ directDebit }, report) => {
    if (!directDebit?.mandate && !directDebit?.creditorId && !directDebit?.debitedIban)
      report('payment.mandate', 'is required for a direct debit.')
  }),
  means('25-b', '025-2', new Set([SEPA_DEBIT]), ({ accounts, card }, report) => {
    if (accounts.length > 0) report('payment.iban', 'must be omitted for a direct debit. Send debitedIban.')
    if (card) report('payment.card', 'must be omitted for a direct debit.')
  }),
]

/** The rules of XRechnung 3.0 beyond EN 16931, with the Peppol rules that it includes. */
export const XRECHNUNG_RULES: readonly Rule[] = [
  ...[...GERMAN_RULES, ...MEANS_RULES].map(({ number, check }): Rule => ({ id: `BR-DE-${number}`, check })),
  ...listCommonPeppolRules(),
  {
    // The schema of CII D16B allows one preceding invoice. Factur-X and UBL allow several.
    id: 'CII-D16B',
    check({ precedingInvoices }, report, { syntax }) {
      if (syntax === 'cii' && precedingInvoices.length > 1)
        report('precedingInvoice', "must be one invoice in CII. Or send eInvoice.syntax 'ubl'.")
    },
  },
]

/** The same rules for Peppol, if both parties are in Germany. */
export const GERMAN_PEPPOL_RULES: readonly Rule[] = [
  ...GERMAN_RULES.map(({ number, check }) => ({ id: `DE-R-${number.padStart(3, '0')}`, check })),
  ...MEANS_RULES.map(({ peppolNumber, check }) => ({ id: `DE-R-${peppolNumber}`, check })),
].map(({ id, check }): Rule => ({
  id,
  check(invoice, report, context) {
    if (invoice.from.address?.country === 'DE' && invoice.billTo.address?.country === 'DE')
      check(invoice, report, context)
  },
}))

function required(
  number: string,
  param: string,
  read: (invoice: ElectronicInvoice) => string | undefined,
  message = 'is required.',
): GermanRule {
  return {
    number,
    check(invoice, report) {
      if (!read(invoice)) report(param, message)
    },
  }
}

function means(
  number: string,
  peppolNumber: string,
  codes: ReadonlySet<string>,
  check: (payment: ElectronicInvoice['payments'][number], report: Parameters<Rule['check']>[1]) => void,
): GermanRule & { peppolNumber: string } {
  return {
    number,
    peppolNumber,
    check({ payments }, report) {
      for (const payment of payments) if (codes.has(payment.meansCode ?? '')) check(payment, report)
    },
  }
}
