import * as LISTS from './code-lists'
import { UNIT_CODES } from './unit-codes'

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** The code lists of EN 16931. */
export const CODES = {
  countries: setOf(LISTS.COUNTRIES),
  currencies: setOf(LISTS.CURRENCIES),
  typeCodes: setOf(LISTS.TYPE_CODES),
  noteSubjects: setOf(LISTS.NOTE_SUBJECTS),
  noteSubjectsOfCii: setOf(`${LISTS.NOTE_SUBJECTS} ${LISTS.NOTE_SUBJECTS_OF_CII}`),
  paymentMeans: setOf(LISTS.PAYMENT_MEANS),
  allowanceReasons: setOf(LISTS.ALLOWANCE_REASONS),
  chargeReasons: setOf(LISTS.CHARGE_REASONS),
  exemptionReasons: setOf(LISTS.EXEMPTION_REASONS),
  addressSchemes: setOf(LISTS.ADDRESS_SCHEMES),
  identifierSchemes: setOf(LISTS.IDENTIFIER_SCHEMES),
  itemClassifications: setOf(LISTS.ITEM_CLASSIFICATIONS),
  objectSchemes: setOf(LISTS.OBJECT_SCHEMES),
  units: setOf(UNIT_CODES),
  taxCategories: setOf('AE L M E S Z G O K B'),
  taxPoints: setOf('3 35 432'),
  mimeTypes: new Set([
    'application/pdf',
    'image/png',
    'image/jpeg',
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet',
  ]),
} satisfies Record<string, ReadonlySet<string>>

/** Type codes that UBL writes as a CreditNote, not as an Invoice (EN 16931-3-2). */
const CREDIT_NOTES = setOf('81 83 261 262 296 308 381 396 420 458 502 503 532')

/** Returns whether a document with this type code is a credit note. */
export function isCreditNote(typeCode: string | undefined): boolean {
  return typeCode !== undefined && CREDIT_NOTES.has(typeCode)
}
