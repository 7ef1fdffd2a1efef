import { fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { Construction, TrapGroup } from '../trap'

/** Digits derived from a secret. The first digit isn't 0. */
function digitsOf(secret: string, count: number): string {
  return Array.from({ length: count }, (_, index) => (secret.charCodeAt(index % secret.length) * (index + 7)) % 9)
    .join('')
    .replace(/^0/, '4')
}

/** A number with its Luhn check digit. */
function withLuhn(digits: string): string {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** An IBAN with its check digits. */
function makeIban(country: string, account: string): string {
  const number = Array.from(`${account}${country}00`, sign =>
    /\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55),
  ).join('')
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`
}

const grouped = (text: string, sizes: number[], between: string): string => {
  let at = 0
  return sizes.map(size => text.slice(at, (at += size))).join(between)
}
const inFours = (text: string, between: string): string => (text.match(/.{1,4}/g) ?? []).join(between)

/** Lines of Courier text with a value in the middle, and the text that redaction must remove. */
function showValue(preset: string, lines: string[], gone: string[]): Draft {
  const content = lines
    .map((line, index) => `BT /F 10 Tf 20 ${160 - 12 * index} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n')
  return {
    parts: { content: `${content}\nBT /F 10 Tf 20 100 Td (Yours truly) Tj ET` },
    options: { search: [{ preset }] },
    gone,
    stays: ['BESIDE', 'Yours truly'],
    seenBy: ['pdfium', 'pdfjs'],
  }
}

/** Formats of one kind of data. Each returns one or more lines, with the value between words. */
function listForms(
  preset: string,
  forms: ((secret: string) => string | string[])[],
  gone?: (secret: string, value: string) => string[],
): Construction {
  return fromDrafts(
    `preset ${preset}`,
    forms.map(form => secret => {
      const value = form(secret)
      const lines = typeof value === 'string' ? [value] : value
      const shown =
        lines.length === 1 ? [`for ${lines[0] ?? ''} and`] : [`for ${lines[0] ?? ''}`, `${lines.slice(1).join('')} and`]
      return showValue(preset, shown, gone?.(secret, lines.join('')) ?? [lines.join('')])
    }),
  )
}

const german = (secret: string): string => makeIban('DE', digitsOf(secret, 18))
const card = (secret: string): string => withLuhn(`4${digitsOf(secret, 14)}`)
const amex = (secret: string): string => withLuhn(`37${digitsOf(secret, 12)}`)
const ssn = (secret: string): [string, string, string] => [
  `2${digitsOf(secret, 2)}`,
  `1${digitsOf(secret, 1)}`,
  `3${digitsOf(secret, 3)}`,
]
const lower = (secret: string): string => secret.toLowerCase()

/** National phone numbers by country. `#` is a digit. */
const PHONES: [country: string, form: string][] = [
  ['US', '(415) 5##-####'],
  ['US', '415.5##.####'],
  ['GB', '020 7### ####'],
  ['GB', '07700 9#####'],
  ['DE', '030 1#######'],
  ['DE', '089/123##-##'],
  ['FR', '01 4# ## ## ##'],
  ['IT', '06 698# ####'],
  ['NL', '020-1######'],
  ['CH', '044 668 1# ##'],
  ['AT', '01 53### ##'],
  ['SE', '08-123 4## ##'],
  ['AU', '(02) 9### ####'],
  ['JP', '03-1###-####'],
  ['BR', '(11) 91###-####'],
  ['BE', '02 5## ## ##'],
  ['ES', '612 3# ## ##'],
  ['PL', '22 12# ## ##'],
  ['IN', '098765 4####'],
  ['DK', '32 1# ## ##'],
]

export const PRESETS: TrapGroup = {
  name: 'Kinds of data',
  cause: 'IBANs, emails, numbers, dates and URLs in many formats.',
  constructions: [
    listForms('iban', [
      german,
      secret => inFours(german(secret), ' '),
      secret => inFours(german(secret), '-'),
      secret => inFours(german(secret), '.'),
      secret => inFours(german(secret), '\xa0'),
      secret => inFours(german(secret), '  '),
      secret => inFours(makeIban('GB', `WEST${digitsOf(secret, 14)}`), ' '),
      secret => makeIban('FR', `${digitsOf(secret, 10)}${digitsOf(secret, 13)}`),
      secret => [inFours(german(secret).slice(0, 12), ' '), inFours(german(secret).slice(12), ' ')],
      secret => inFours(german(secret).toLowerCase(), ' '),
    ]),
    listForms(
      'email',
      [
        secret => `${lower(secret)}@example.com`,
        secret => `${lower(secret)} [at] example.com`,
        secret => `${lower(secret)}[at]example.com`,
        secret => `${lower(secret)}(at)example.com`,
        secret => `${lower(secret)} (at) example.com`,
        secret => `${lower(secret)}(at)example(dot)com`,
        secret => [`${lower(secret)}@`, 'example.com'],
        secret => [lower(secret), '@example.com'],
        secret => `mailto:${lower(secret)}@example.com?subject=x`,
      ],
      secret => [secret],
    ),
    listForms('credit-card', [
      card,
      secret => inFours(card(secret), ' '),
      secret => inFours(card(secret), '-'),
      secret => inFours(card(secret), '.'),
      secret => inFours(card(secret), '\xa0'),
      secret => grouped(amex(secret), [4, 6, 5], ' '),
      secret => grouped(amex(secret), [4, 6, 5], '-'),
      secret => [inFours(card(secret).slice(0, 8), ' '), inFours(card(secret).slice(8), ' ')],
      secret => inFours(card(secret), '  '),
    ]),
    listForms(
      'ssn',
      [
        secret => ssn(secret).join('-'),
        secret => ssn(secret).join(' '),
        secret => `SSN: ${ssn(secret).join('')}`,
        secret => `SSN ${ssn(secret).join('.')}`,
        secret => `SSN ${ssn(secret).join('\x96')}`,
      ],
      (_, value) => [value.replace(/^SSN:? /, '')],
    ),
    listForms('date', [
      () => '2026-03-14',
      () => '2026-03-14T09:26:53Z',
      () => '2026-03-14T09:26:53+02:00',
      () => '2026-03-14 09:26',
      () => '14.03.2026',
      () => '3/14/2026',
      () => 'March 14, 2026',
      () => '14. M\xe4rz 2026',
      () => '14 mars 2026',
      () => '14 de marzo de 2026',
    ]),
    listForms(
      'url',
      [
        secret => `https://example.com/${lower(secret)}`,
        secret => `www.${lower(secret)}.example.com`,
        secret => [`https://example.com/files/`, lower(secret)],
        secret => [`https://example.com/files-`, `${lower(secret)}.html`],
        secret => [`https://example.com/find?name=`, `${lower(secret)}&x=1`],
        secret => `HTTPS://user@example.com:8443/${lower(secret)}#x`,
      ],
      secret => [secret],
    ),
    listForms('phone', [
      ...PHONES.map(([, form]) => (secret: string): string => {
        let at = 0
        return form.replace(/#/g, () => digitsOf(secret, 8).charAt(at++))
      }),
      secret => `+49 (0)30 ${digitsOf(secret, 7)}`,
      secret => `+1-415-5${digitsOf(secret, 2)}-${digitsOf(secret, 4)}`,
      secret => `0049 30 ${digitsOf(secret, 7)}`,
    ]),
    listForms(
      'ipv4',
      [
        secret => `10.20.${digitsOf(secret, 2)}.1${digitsOf(secret, 2)}`,
        secret => `10.20.${digitsOf(secret, 2)}.1${digitsOf(secret, 2)}:8080`,
        secret => `10.20.${digitsOf(secret, 2)}.0/24`,
      ],
      (_, value) => [value.replace(/[:/].*/, '')],
    ),
    listForms(
      'ipv6',
      [
        secret => `2001:db8::${digitsOf(secret, 4)}:1`,
        secret => `[2001:db8::${digitsOf(secret, 4)}]:443`,
        secret => `fe80::${digitsOf(secret, 4)}:abcd`,
      ],
      (_, value) => [value.replace(/^\[|\].*$/g, '')],
    ),
    listForms('vat-id', [
      secret => `DE${digitsOf(secret, 9)}`,
      secret => `DE ${digitsOf(secret, 9)}`,
      secret => `ATU${digitsOf(secret, 8)}`,
      secret => `FR ${digitsOf(secret, 2)} ${digitsOf(secret, 9)}`,
      secret => `FR ${digitsOf(secret, 2)} ${grouped(digitsOf(secret, 9), [3, 3, 3], ' ')}`,
    ]),
    listForms('zip', [
      secret => digitsOf(secret, 5),
      secret => `${digitsOf(secret, 5)}-${digitsOf(secret, 4)}`,
      secret => `${digitsOf(secret, 5)}\x96${digitsOf(secret, 4)}`,
    ]),
  ],
}
