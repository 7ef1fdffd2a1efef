import { CODES, isCreditNote } from '../codes/codes'
import type { ElectronicInvoice, Identifier } from '../model'
import { CODE_RULES } from '../rules/codes'
import { dateRule } from '../rules/dates'
import type { Report, Rule } from '../rules/rule'
import { GERMAN_PEPPOL_RULES } from './xrechnung'
import { isAustralian, isBelgian, isDanish, isGs1, isNorwegian, isSwedish } from './check-digits'
import { LINE_AMOUNT_RULE, listCommonPeppolRules } from './shared-rules'
import { NATIONAL_RULES } from './national-rules'

/** Type codes that Peppol accepts (Peppol BIS Billing 3, UNCL1001). */
const INVOICE_TYPES = setOf(
  '71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877',
)
const CREDIT_TYPES = setOf('381 396 81 83 532')
const GERMAN_TYPES = setOf('326 384')

/** Schemes of electronic addresses that Peppol doesn't accept, though EN 16931 does. */
const NOT_PEPPOL_SCHEMES = new Set(
  [...CODES.addressSchemes].filter(
    scheme =>
      !setOf(
        '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0151 0177 0183 0184 0188 0190 0191 0192 0193 ' +
          '0195 0196 0198 0199 0200 0201 0202 0204 0208 0209 0210 0211 0212 0213 0215 0216 0218 0221 0230 0235 9910 ' +
          '9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 ' +
          '9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 0147 0154 ' +
          '0158 0170 0194 0203 0205 0217 0225 0240',
      ).has(scheme),
  ),
)

/** Identifiers whose check digits Peppol verifies, by scheme. */
const CHECKS: readonly (readonly [number: string, scheme: string, name: string, isValid: (id: string) => boolean])[] = [
  ['R040', '0088', 'a GLN', isGs1],
  ['R041', '0192', 'a Norwegian organization number', isNorwegian],
  ['R042', '0184', 'a Danish CVR number', isDanish],
  ['R043', '0208', 'a Belgian enterprise number', isBelgian],
  ['R049', '0007', 'a Swedish organization number', isSwedish],
  ['R050', '0151', 'an Australian business number', isAustralian],
]

/** Exemption codes that belong to one category. */
const CATEGORIES_OF_REASONS: readonly (readonly [number: string, code: string, category: string])[] = [
  ['P0104', 'VATEX-EU-G', 'G'],
  ['P0105', 'VATEX-EU-O', 'O'],
  ['P0106', 'VATEX-EU-IC', 'K'],
  ['P0107', 'VATEX-EU-AE', 'AE'],
  ['P0108', 'VATEX-EU-D', 'E'],
  ['P0109', 'VATEX-EU-F', 'E'],
  ['P0110', 'VATEX-EU-I', 'E'],
  ['P0111', 'VATEX-EU-J', 'E'],
]

/** Code lists that Peppol checks once more: its rule and the one of EN 16931. */
const REPEATED: readonly (readonly [number: string, id: string])[] = [
  ['CL001', 'BR-CL-24'],
  ['CL002', 'BR-CL-19'],
  ['CL003', 'BR-CL-20'],
  ['CL006', 'BR-CL-06'],
]

/** The rules of Peppol BIS Billing 3 beyond EN 16931. */
export const PEPPOL_RULES: readonly Rule[] = [
  ...listCommonPeppolRules(),
  LINE_AMOUNT_RULE,
  dateRule('PEPPOL-EN16931-F001', 'ubl'),
  ...REPEATED.flatMap(([number, id]) =>
    CODE_RULES.filter(rule => rule.id === id).map(({ check }): Rule => ({ id: `PEPPOL-EN16931-${number}`, check })),
  ),
  {
    id: 'PEPPOL-EN16931-R002',
    check(invoice, report) {
      if (invoice.notes.length > 1 && !isGerman(invoice)) report('notes', 'must be one note.')
    },
  },
  {
    id: 'PEPPOL-EN16931-R003',
    check({ buyerReference, purchaseOrder, salesOrder }, report) {
      if (!buyerReference && !purchaseOrder && !salesOrder)
        report('buyerReference', 'is required. Or send purchaseOrder.')
    },
  },
  {
    id: 'PEPPOL-EN16931-P0100',
    check({ typeCode }, report) {
      if (typeCode && !isCreditNote(typeCode) && !INVOICE_TYPES.has(typeCode))
        report('typeCode', `must be a type that Peppol accepts, such as 380. Got ${JSON.stringify(typeCode)}.`)
    },
  },
  {
    id: 'PEPPOL-EN16931-P0101',
    check({ typeCode }, report) {
      if (typeCode && isCreditNote(typeCode) && !CREDIT_TYPES.has(typeCode))
        report('typeCode', `must be a type that Peppol accepts, such as 381. Got ${JSON.stringify(typeCode)}.`)
    },
  },
  {
    id: 'PEPPOL-EN16931-P0112',
    check(invoice, report) {
      if (GERMAN_TYPES.has(invoice.typeCode ?? '') && !isGerman(invoice))
        report('type', 'must be invoice, unless both parties are in Germany. Peppol permits no corrected invoice.')
    },
  },
  ...(['from', 'billTo'] as const).map((name): Rule => ({
    id: 'PEPPOL-EN16931-CL008',
    check(invoice, report) {
      const scheme = invoice[name].electronicAddress?.scheme
      if (scheme && (NOT_PEPPOL_SCHEMES.has(scheme) || !CODES.addressSchemes.has(scheme)))
        report(
          `${name}.electronicAddress.scheme`,
          `must be a scheme of Peppol, such as 0088 for a GLN. Got ${JSON.stringify(scheme)}.`,
        )
    },
  })),
  ...CATEGORIES_OF_REASONS.map(([number, code, category]): Rule => ({
    id: `PEPPOL-EN16931-${number}`,
    check({ taxes }, report) {
      for (const tax of taxes)
        if (tax.exemptionCode?.toUpperCase() === code && tax.category !== category)
          report('taxExemptions', `must have ${code} for category ${category} only.`)
    },
  })),
  ...CHECKS.map(([number, scheme, name, isValid]): Rule => ({
    id: `PEPPOL-COMMON-${number}`,
    check(invoice, report) {
      for (const [param, id] of listIds(invoice)) checkId(id, { param, scheme, name, isValid, report })
    },
  })),
  ...GERMAN_PEPPOL_RULES,
  ...NATIONAL_RULES,
]

function setOf(codes: string): ReadonlySet<string> {
  return new Set(codes.split(' '))
}

function isGerman({ from, billTo }: ElectronicInvoice): boolean {
  return from.address?.country === 'DE' && billTo.address?.country === 'DE'
}

function checkId(
  id: Identifier | undefined,
  {
    param,
    scheme,
    name,
    isValid,
    report,
  }: { param: string; scheme: string; name: string; isValid: (id: string) => boolean; report: Report },
): void {
  if (id?.scheme === scheme && id.id !== undefined && !isValid(id.id))
    report(param, `must be ${name} with valid check digits. Got ${JSON.stringify(id.id)}.`)
}

function listIds({ from, billTo, payee }: ElectronicInvoice): (readonly [string, Identifier | undefined])[] {
  return [
    ...(
      [
        ['from', from],
        ['billTo', billTo],
      ] as const
    ).flatMap(([name, party]) => [
      [`${name}.electronicAddress.id`, party.electronicAddress] as const,
      [`${name}.legalId.id`, party.legalId] as const,
      ...party.ids.map((id, index) => [`${name}.ids[${index}].id`, id] as const),
    ]),
    ['payee.id.id', payee?.id],
    ['payee.legalId.id', payee?.legalId],
  ]
}
