import { isCreditNote } from '../codes/codes'
import type { ElectronicInvoice, PostalAddress } from '../model'
import { orZero } from '../rules/numbers'
import type { Report, Rule } from '../rules/rule'
import { isGreek, isNorwegian, isSwedish } from './check-digits'

/** The seller's country: from the VAT number if there is one, otherwise from the address. */
function sellerCountry({ from, taxRepresentative }: ElectronicInvoice): string {
  const prefix = (from.vatId ?? taxRepresentative?.vatId)?.slice(0, 2).toUpperCase()
  return prefix ?? from.address?.country ?? ''
}

function buyerCountry({ billTo }: ElectronicInvoice): string {
  return billTo.vatId?.slice(0, 2).toUpperCase() ?? billTo.address?.country ?? ''
}

/** Rules for sellers in single countries (Peppol BIS Billing 3, country specific rules). */
export const NATIONAL_RULES: readonly Rule[] = [
  forSeller('NO', 'NO-R-001', ({ from: { vatId } }, report) => {
    if (vatId?.startsWith('NO') && !(/^NO\d{9}MVA$/.test(vatId) && isNorwegian(vatId.slice(2, 11))))
      report('from.vatId', `must be NO, a valid organization number and MVA. Got ${JSON.stringify(vatId)}.`)
  }),
  forSeller('DK', 'DK-R-002', ({ from }, report) => {
    if (!from.legalId?.id) report('from.legalId', 'is required for a Danish seller. Send the CVR number.')
  }),
  forSeller('DK', 'DK-R-014', ({ from }, report) => {
    if (from.legalId?.id && from.legalId.scheme !== '0184')
      report('from.legalId.scheme', 'must be 0184 for a Danish seller.')
  }),
  forSeller('DK', 'DK-R-005', ({ payments }, report) => {
    for (const { meansCode } of payments)
      if (!DANISH_MEANS.has(meansCode ?? ''))
        report('payment.means', `must be one of ${[...DANISH_MEANS].join(', ')} for a Danish seller.`)
  }),
  forSeller('IT', 'IT-R-001', ({ from: { taxNumber } }, report) => {
    if (taxNumber !== undefined && !/^[A-Z0-9]{11,16}$/.test(taxNumber))
      report('from.taxNumber', 'must have 11 to 16 letters and digits for an Italian seller.')
  }),
  ...requireAddress('IT', [
    ['IT-R-002', 'street'],
    ['IT-R-003', 'city'],
    ['IT-R-004', 'postCode'],
  ]),
  forSeller('SE', 'SE-R-001', ({ from: { vatId } }, report) => {
    if (vatId?.startsWith('SE') && vatId.length !== 14) report('from.vatId', 'must have 14 characters.')
  }),
  forSeller('SE', 'SE-R-002', ({ from: { vatId } }, report) => {
    if (vatId?.startsWith('SE') && !/^\d+$/.test(vatId.slice(2, 14)))
      report('from.vatId', 'must have 12 digits after SE.')
  }),
  forSeller('SE', 'SE-R-003', ({ from: { legalId } }, report) => {
    if (legalId?.id && !/^\d+$/.test(legalId.id)) report('from.legalId.id', 'must have only digits.')
  }),
  forSeller('SE', 'SE-R-004', ({ from: { legalId } }, report) => {
    if (legalId?.id && legalId.id.length !== 10) report('from.legalId.id', 'must have 10 digits.')
  }),
  forSeller('SE', 'SE-R-013', ({ from: { legalId } }, report) => {
    if (legalId?.id && !isSwedish(legalId.id)) report('from.legalId.id', 'must have a valid check digit.')
  }),
  forSeller('SE', 'SE-R-005', ({ from: { taxNumber } }, report) => {
    if (taxNumber && taxNumber.toUpperCase() !== 'GODKÄND FÖR F-SKATT')
      report('from.taxNumber', 'must be "Godkänd för F-skatt" for a Swedish seller.')
  }),
  forSeller('SE', 'SE-R-006', ({ items, allowances, charges }, report) => {
    for (const { taxCategory, taxPercent } of [...items, ...allowances, ...charges])
      if (taxCategory === 'S' && ![25, 12, 6].includes(Number(taxPercent)))
        report('taxRate', `must be 0.25, 0.12 or 0.06 for a Swedish seller. Got ${taxPercent ?? 'nothing'} %.`)
  }),
  ...listDutchRules(),
  ...listIcelandicRules(),
  ...listGreekRules(),
]

const DANISH_MEANS: ReadonlySet<string> = new Set(['1', '10', '31', '42', '48', '49', '50', '58', '59', '93', '97'])
const DUTCH_MEANS: ReadonlySet<string> = new Set(['30', '48', '49', '57', '58', '59'])
const DUTCH_SCHEMES: ReadonlySet<string> = new Set(['0106', '0190'])

function forSeller(country: string, id: string, check: (invoice: ElectronicInvoice, report: Report) => void): Rule {
  return {
    id,
    check(invoice, report) {
      if (sellerCountry(invoice) === country) check(invoice, report)
    },
  }
}

function requireAddress(
  country: string,
  rules: readonly (readonly [id: string, field: keyof PostalAddress])[],
): readonly Rule[] {
  return rules.map(([id, field]) =>
    forSeller(country, id, ({ from }, report) => {
      if (!from.address?.[field]) report(`from.address.${field}`, `is required for a seller in ${country}.`)
    }),
  )
}

function isComplete(address: PostalAddress | undefined): boolean {
  return Boolean(address?.street && address.city && address.postCode)
}

function listDutchRules(): readonly Rule[] {
  const within = (id: string, check: (invoice: ElectronicInvoice, report: Report) => void): Rule =>
    forSeller('NL', id, (invoice, report) => {
      if (buyerCountry(invoice) === 'NL') check(invoice, report)
    })
  return [
    forSeller('NL', 'NL-R-001', ({ typeCode, precedingInvoices }, report) => {
      if (isCreditNote(typeCode) && precedingInvoices.length === 0)
        report('precedingInvoice', 'is required for a credit note of a Dutch seller.')
    }),
    forSeller('NL', 'NL-R-002', ({ from }, report) => {
      if (!isComplete(from.address)) report('from.address', 'must have street, city and postCode for a Dutch seller.')
    }),
    forSeller('NL', 'NL-R-003', ({ from: { legalId } }, report) => {
      if (!DUTCH_SCHEMES.has(legalId?.scheme ?? ''))
        report('from.legalId', 'must be a KVK number (0106) or an OIN (0190) for a Dutch seller.')
    }),
    within('NL-R-004', ({ billTo }, report) => {
      if (!isComplete(billTo.address)) report('billTo.address', 'must have street, city and postCode.')
    }),
    within('NL-R-005', ({ billTo: { legalId } }, report) => {
      if (legalId && !DUTCH_SCHEMES.has(legalId.scheme ?? ''))
        report('billTo.legalId', 'must be a KVK number (0106) or an OIN (0190) for a Dutch buyer.')
    }),
    forSeller('NL', 'NL-R-006', ({ taxRepresentative }, report) => {
      if (taxRepresentative?.address?.country === 'NL' && !isComplete(taxRepresentative.address))
        report('taxRepresentative.address', 'must have street, city and postCode.')
    }),
    forSeller('NL', 'NL-R-007', ({ typeCode, totals, payments }, report) => {
      const due = orZero(totals.due)
      if (payments.length === 0 && (isCreditNote(typeCode) ? due.lt(0) : due.gt(0)))
        report('payment', 'is required for a Dutch seller.')
    }),
    within('NL-R-008', ({ payments }, report) => {
      for (const { meansCode } of payments)
        if (!DUTCH_MEANS.has(meansCode ?? ''))
          report('payment.means', `must be one of ${[...DUTCH_MEANS].join(', ')} within the Netherlands.`)
    }),
    forSeller('NL', 'NL-R-009', ({ items, purchaseOrder, salesOrder }, report) => {
      if (items.some(({ orderLine }) => orderLine) && !purchaseOrder && !salesOrder)
        report('purchaseOrder', 'is required if an item has orderLine.')
    }),
  ]
}

function listIcelandicRules(): readonly Rule[] {
  const ACCOUNT_LENGTH = 12
  const account = (id: string, means: string): Rule =>
    forSeller('IS', id, ({ payments }, report) => {
      for (const { meansCode, accounts } of payments)
        if (meansCode === means && accounts[0]?.id?.length !== ACCOUNT_LENGTH)
          report('payment.accountNumber', 'must have 12 digits for an Icelandic seller.')
    })
  return [
    forSeller('IS', 'IS-R-002', ({ from: { legalId } }, report) => {
      if (!legalId?.id || legalId.scheme !== '0196') report('from.legalId', 'is required, with the scheme 0196.')
    }),
    forSeller('IS', 'IS-R-003', ({ from: { address } }, report) => {
      if (!address?.street || !address.postCode) report('from.address', 'must have street and postCode.')
    }),
    account('IS-R-006', '9'),
    account('IS-R-007', '42'),
    forSeller('IS', 'IS-R-004', (invoice, report) => {
      const { legalId } = invoice.billTo
      if (buyerCountry(invoice) === 'IS' && (!legalId?.id || legalId.scheme !== '0196'))
        report('billTo.legalId', 'is required, with the scheme 0196.')
    }),
    forSeller('IS', 'IS-R-005', (invoice, report) => {
      const { address } = invoice.billTo
      if (buyerCountry(invoice) === 'IS' && (!address?.street || !address.postCode))
        report('billTo.address', 'must have street and postCode.')
    }),
  ]
}

/** Types of documents in Greek invoice numbers. */
const GREEK_TYPES: ReadonlySet<string> = new Set(['1.1', '1.6', '2.1', '2.4', '5.1', '5.2'])
const GREEK_SCHEME = '9933'

function listGreekRules(): readonly Rule[] {
  const greek = (id: string, check: (invoice: ElectronicInvoice, report: Report) => void): Rule => ({
    id,
    check(invoice, report) {
      const country = sellerCountry(invoice)
      if (country === 'GR' || country === 'EL') check(invoice, report)
    },
  })
  const segment = (
    number: number,
    isValid: (text: string, invoice: ElectronicInvoice) => boolean,
    form: string,
  ): Rule =>
    greek(`GR-R-001-${number + 1}`, (invoice, report) => {
      const text = invoice.invoiceNumber?.split('|')[number - 1] ?? ''
      if (!isValid(text, invoice)) report('invoiceNumber', `must have ${form} as segment ${number} for a Greek seller.`)
    })
  return [
    greek('GR-R-001-1', ({ invoiceNumber }, report) => {
      if (invoiceNumber?.split('|').length !== 6)
        report('invoiceNumber', 'must have 6 segments, separated by |, for a Greek seller.')
    }),
    segment(
      1,
      (text, { from, taxRepresentative }) =>
        isGreek(text) && [from.vatId, taxRepresentative?.vatId].some(vatId => vatId?.slice(2, 11) === text),
      'the tax number of the seller',
    ),
    segment(
      2,
      (text, { issueDate }) => text.split('/').reverse().join('-') === issueDate && /^\d\d\/\d\d\/\d{4}$/.test(text),
      'the invoice date as DD/MM/YYYY',
    ),
    segment(3, text => /^\d+$/.test(text), 'a number'),
    segment(4, text => GREEK_TYPES.has(text), 'a Greek document type, such as 1.1,'),
    segment(5, text => text !== '', 'a text'),
    segment(6, text => text !== '', 'a text'),
    greek('GR-R-002', ({ from }, report) => {
      if (!from.tradingName) report('from.tradingName', 'is required for a Greek seller.')
    }),
    greek('GR-R-003', ({ from: { vatId } }, report) => {
      if (vatId && !(vatId.startsWith('EL') && isGreek(vatId.slice(2))))
        report('from.vatId', 'must be EL with a valid tax number.')
    }),
    greek('GR-R-004-1', ({ attachments }, report) => {
      if (attachments.filter(({ description }) => description === '##M.AR.K##').length !== 1)
        report('attachments', 'must have one with the description ##M.AR.K## for a Greek seller.')
    }),
    greek('GR-R-005', ({ billTo }, report) => {
      if (!billTo.tradingName) report('billTo.tradingName', 'is required for a Greek seller.')
    }),
    greek('GR-R-009', ({ from: { electronicAddress } }, report) => {
      if (electronicAddress && !(electronicAddress.scheme === GREEK_SCHEME && isGreek(electronicAddress.id ?? '')))
        report('from.electronicAddress', 'must have the scheme 9933 and a valid tax number.')
    }),
    greek('GR-R-006', (invoice, report) => {
      const { vatId = '' } = invoice.billTo
      if (invoice.billTo.address?.country === 'GR' && !(vatId.startsWith('EL') && isGreek(vatId.slice(2))))
        report('billTo.vatId', 'must be EL with a valid tax number for a Greek buyer.')
    }),
    greek('GR-R-010', (invoice, report) => {
      const { electronicAddress } = invoice.billTo
      if (
        invoice.billTo.address?.country === 'GR' &&
        electronicAddress &&
        !(electronicAddress.scheme === GREEK_SCHEME && isGreek(electronicAddress.id ?? ''))
      )
        report('billTo.electronicAddress', 'must have the scheme 9933 and a valid tax number.')
    }),
  ]
}
