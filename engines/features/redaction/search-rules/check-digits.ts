/**
 * The first digits and the lengths of card numbers, by issuer: Visa, Mastercard, American Express, Diners, Discover,
 * JCB, UnionPay, Maestro, Mir, RuPay.
 */
const ISSUERS = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12,14}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  /^6(?:011|4[4-9]\d|5\d\d)\d{12,15}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  /^62\d{14,17}$/,
  /^(?:5[06-8]|6[0-9])\d{11,17}$/,
  /^220[0-4]\d{12,15}$/,
  /^8[12]\d{14}$/,
]

/** Returns whether digits are a card number of a known issuer with a valid check digit (ISO/IEC 7812-1, annex B). */
export function isCardNumber(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  if (sum % 10 !== 0) return false
  // Mastercard numbers have 16 digits. Maestro numbers may have other lengths.
  return ISSUERS.some(issuer => issuer.test(digits)) && (digits.length === 16 || !/^5[1-5]/.test(digits))
}

/** Returns the length of a country's IBANs (SWIFT IBAN registry, release 98), or undefined if it has none. */
export function ibanLengthOf(country: string): number | undefined {
  return LENGTHS.get(country)
}

const LENGTHS = new Map(
  [
    'NO15 BE16 DK18 FI18 FK18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20 CH21 HR21 LI21 ' +
      'LV21 BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22',
    'AE23 GI23 IL23 IQ23 OM23 TL23 SO23 AD24 CZ24 DZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 ' +
      'AO25 CV25 GW25 MZ25 IR26 IS26 TR26 BI27 CM27 CF27 CG27 DJ27 FR27 GR27 IT27 MC27 MG27 MR27 SM27',
    'AL28 AZ28 BF28 BJ28 BY28 CI28 BR29 CY28 DO28 GT28 HN28 HU28 LB28 ML28 MA28 NE28 NI28 PL28 SN28 SV28 TD27 TG28 ' +
      'EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33',
  ].flatMap(line => line.split(' ').map(entry => [entry.slice(0, 2), Number(entry.slice(2))] as const)),
)
