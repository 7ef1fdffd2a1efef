import { CODES } from '../codes/codes'
import type { ElectronicInvoice, Identifier } from '../model'
import { adjustmentParam } from './adjustments'
import type { Rule, RuleContext } from './rule'

/** A coded value and its parameter. */
type Coded = readonly [param: string, code: string | undefined]

const ISO_6523 = 'a code of ISO 6523, such as 0088 for a GLN'

/** Rules on codes (EN 16931-1, 6.4.1, BR-CL). */
export const CODE_RULES: readonly Rule[] = [
  rule('BR-CL-01', CODES.typeCodes, 'a code of UNTDID 1001, such as 380', ({ typeCode }) => [['typeCode', typeCode]]),
  rule('BR-CL-04', CODES.currencies, 'a code of ISO 4217, such as EUR', ({ currency }) => [['currency', currency]]),
  rule('BR-CL-05', CODES.currencies, 'a code of ISO 4217, such as EUR', ({ taxCurrency }) => [
    ['taxCurrency', taxCurrency],
  ]),
  rule('BR-CL-06', CODES.taxPoints, '3, 35 or 432', ({ taxPointCode }) => [['taxPointCode', taxPointCode]]),
  rule('BR-CL-07', CODES.objectSchemes, 'a code of UNTDID 1153', ({ invoicedObject, items }) => [
    ['invoicedObject.scheme', invoicedObject?.scheme],
    ...items.map((item, index): Coded => [`items[${index}].invoicedObject.scheme`, item.invoicedObject?.scheme]),
  ]),
  rule(
    'BR-CL-08',
    ({ syntax }) => (syntax === 'cii' ? CODES.noteSubjectsOfCii : CODES.noteSubjects),
    'a code of UNTDID 4451, such as REG',
    ({ notes }) =>
      notes
        .filter(({ subjectCode }) => subjectCode !== undefined)
        .map(({ subjectCode }, index): Coded => [`codedNotes[${index}].subjectCode`, subjectCode]),
  ),
  rule('BR-CL-10', CODES.identifierSchemes, ISO_6523, invoice => [
    ...schemesOf('from.ids', invoice.from.ids),
    ...schemesOf('billTo.ids', invoice.billTo.ids),
    ['payee.id.scheme', invoice.payee?.id?.scheme],
  ]),
  rule('BR-CL-11', CODES.identifierSchemes, 'a code of ISO 6523, such as 0002', invoice => [
    ['from.legalId.scheme', invoice.from.legalId?.scheme],
    ['billTo.legalId.scheme', invoice.billTo.legalId?.scheme],
    ['payee.legalId.scheme', invoice.payee?.legalId?.scheme],
  ]),
  rule('BR-CL-13', CODES.itemClassifications, 'a code of UNTDID 7143, such as STI', ({ items }) =>
    items.flatMap(({ classifications }, index) =>
      classifications.map(({ scheme }, at): Coded => [`items[${index}].classifications[${at}].scheme`, scheme]),
    ),
  ),
  rule(
    'BR-CL-14',
    ({ syntax }) => (syntax === 'ubl' ? COUNTRIES_OF_UBL : CODES.countries),
    'a code of ISO 3166-1, such as DE',
    invoice => [
      ['from.address.country', invoice.from.address?.country],
      ['billTo.address.country', invoice.billTo.address?.country],
      ['shipTo.address.country', invoice.shipTo?.address?.country],
      ['taxRepresentative.address.country', invoice.taxRepresentative?.address?.country],
    ],
  ),
  rule('BR-CL-15', CODES.countries, 'a code of ISO 3166-1, such as DE', ({ items }) =>
    items.map(({ originCountry }, index): Coded => [`items[${index}].originCountry`, originCountry]),
  ),
  rule('BR-CL-16', CODES.paymentMeans, 'a code of UNTDID 4461, such as 58', ({ payments }) =>
    payments.map(({ meansCode }): Coded => ['payment.means', meansCode]),
  ),
  rule('BR-CL-17', CODES.taxCategories, 'one of S, Z, E, AE, K, G, O, L and M', ({ taxes, allowances, charges }) => [
    ...taxes.map(({ category }): Coded => ['taxCategory', category]),
    ...[...allowances, ...charges].map((adjustment): Coded => [
      adjustmentParam(adjustment, 'taxCategory'),
      adjustment.taxCategory,
    ]),
  ]),
  rule('BR-CL-18', CODES.taxCategories, 'one of S, Z, E, AE, K, G, O, L and M', ({ items }) =>
    items.map(({ taxCategory }, index): Coded => [`items[${index}].taxCategory`, taxCategory]),
  ),
  rule('BR-CL-19', CODES.allowanceReasons, 'a code of UNTDID 5189, such as 95', ({ allowances, items }) =>
    [...allowances, ...items.flatMap(item => item.allowances)].map((allowance): Coded => [
      adjustmentParam(allowance, 'reasonCode'),
      allowance.reasonCode,
    ]),
  ),
  rule('BR-CL-20', CODES.chargeReasons, 'a code of UNTDID 7161, such as FC', ({ charges, items }) =>
    [...charges, ...items.flatMap(item => item.charges)].map((charge): Coded => [
      adjustmentParam(charge, 'reasonCode'),
      charge.reasonCode,
    ]),
  ),
  rule('BR-CL-21', CODES.identifierSchemes, 'a code of ISO 6523, such as 0160', ({ items }) =>
    items.map(({ standardItemId }, index): Coded => [`items[${index}].standardItemId.scheme`, standardItemId?.scheme]),
  ),
  rule('BR-CL-22', CODES.exemptionReasons, 'a code of the VATEX list, such as VATEX-EU-132', ({ taxes }) =>
    taxes.map(({ exemptionCode }): Coded => ['taxExemptions.reasonCode', exemptionCode?.toUpperCase()]),
  ),
  rule('BR-CL-23', CODES.units, 'a code of UN/ECE Recommendation 20 or 21, such as HUR', ({ items }) =>
    items.map(({ unitCode }, index): Coded => [`items[${index}].unitCode`, unitCode]),
  ),
  {
    id: 'BR-CL-24',
    check({ attachments }, report) {
      for (const [index, { file }] of attachments.entries())
        if (file && !CODES.mimeTypes.has(file.mimeType ?? ''))
          report(
            `attachments[${index}].file.name`,
            `must end with .pdf, .png, .jpg, .csv, .xlsx or .ods. Got ${JSON.stringify(file.name ?? '')}.`,
          )
    },
  },
  rule('BR-CL-25', CODES.addressSchemes, 'a code of EAS, such as 0088 for a GLN', ({ from, billTo }) => [
    ['from.electronicAddress.scheme', from.electronicAddress?.scheme],
    ['billTo.electronicAddress.scheme', billTo.electronicAddress?.scheme],
  ]),
  rule('BR-CL-26', CODES.identifierSchemes, ISO_6523, ({ shipTo }) => [['shipTo.id.scheme', shipTo?.id?.scheme]]),
  {
    id: 'BR-CO-09',
    check({ from, billTo, taxRepresentative }, report) {
      const vatIds: readonly Coded[] = [
        ['from.vatId', from.vatId],
        ['billTo.vatId', billTo.vatId],
        ['taxRepresentative.vatId', taxRepresentative?.vatId],
      ]
      for (const [param, vatId] of vatIds)
        if (vatId !== undefined && !hasCountryPrefix(vatId))
          report(param, `must start with the code of its country, such as DE. Got ${JSON.stringify(vatId)}.`)
    },
  },
]

/** The rules for UBL have South Sudan, those for CII don't. */
const COUNTRIES_OF_UBL: ReadonlySet<string> = new Set([...CODES.countries, 'SS'])

/** Prefixes of VAT numbers that aren't codes of countries: Greece. */
const FURTHER_PREFIXES: ReadonlySet<string> = new Set(['EL'])

function hasCountryPrefix(vatId: string): boolean {
  const prefix = vatId.slice(0, 2)
  return CODES.countries.has(prefix) || FURTHER_PREFIXES.has(prefix)
}

function schemesOf(param: string, ids: readonly Identifier[]): Coded[] {
  return ids.map(({ scheme }, index) => [`${param}[${index}].scheme`, scheme])
}

function rule(
  id: string,
  list: ReadonlySet<string> | ((context: RuleContext) => ReadonlySet<string>),
  expected: string,
  read: (invoice: ElectronicInvoice) => readonly Coded[],
): Rule {
  return {
    id,
    check(invoice, report, context) {
      const codes = typeof list === 'function' ? list(context) : list
      for (const [param, code] of read(invoice))
        if (code !== undefined && !codes.has(code)) report(param, `must be ${expected}. Got ${JSON.stringify(code)}.`)
    },
  }
}
