/** Languages in which dates may be printed: those of Sheaf's invoices, and further ones of the EU. */
const LANGUAGES = [
  'en-GB',
  'en-US',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'ja',
  'zh',
  'ar',
  'he',
  'cs',
  'da',
  'sv',
  'fi',
  'hu',
  'ro',
  'bg',
  'el',
  'hr',
  'sk',
  'sl',
  'et',
  'lv',
  'lt',
]

const STYLES = ['short', 'medium', 'long', 'full'] as const

/** Characters that separate thousands on invoices. */
const GROUP_MARKS = ['', ',', '.', ' ', "'", '’']

/** Makes texts comparable: in lower case, with plain digits, spaces, quotes, hyphens and minus signs. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/\p{Nd}/gu, digit => plainDigit(digit))
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″«»]/g, '"')
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
}

/** A comparable text without spaces, for texts that are broken into lines. */
export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** The ASCII digit of a decimal digit of any script. The digits of a script follow one another. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** All usual ways to print a decimal number, comparable. The sign may be missing, because credit notes often omit it. */
export function waysToPrintNumber(decimal: string): string[] {
  const [whole = '0', part = ''] = decimal.replace('-', '').split('.')
  const trimmed = part.replace(/0+$/, '')
  const parts = [...new Set([part, trimmed, trimmed.padEnd(2, '0')])]
  const ways = GROUP_MARKS.flatMap(mark => {
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, mark)
    return parts.flatMap(digits =>
      digits === '' ? [grouped] : ['.', ','].filter(point => point !== mark).map(point => grouped + point + digits),
    )
  })
  return [...new Set(ways.map(comparable))]
}

/** Characters that belong to a number inside. */
const NUMBER = /\d+(?:[.,']\d+)*/g

/** The most words of a number whose thousands are separated by spaces: those of 999 quadrillions. */
const MAX_WORDS = 6

/** The whole numbers in a comparable text, as printed. A part of a longer number isn't one. */
export function listNumbers(text: string): ReadonlySet<string> {
  const numbers = new Set<string>()
  let open: string[] = []
  let end = -1
  for (const { 0: word, index } of text.matchAll(NUMBER)) {
    const goesOn = index === end + 1 && text[end] === ' ' && /^\d{3}(?!\d)/.test(word)
    open = [...(goesOn ? open.map(start => `${start} ${word}`).slice(1 - MAX_WORDS) : []), word]
    for (const number of open) numbers.add(number)
    end = index + word.length
  }
  return numbers
}

/** All usual ways to print a currency, comparable: its code, symbols and names. */
export function waysToPrintCurrency(code: string): string[] {
  if (!/^[A-Z]{3}$/.test(code)) return [comparable(code)]
  return cacheComparable(`currency ${code}`, () => [
    code,
    ...LANGUAGES.flatMap(language =>
      (['symbol', 'narrowSymbol', 'name'] as const).flatMap(currencyDisplay =>
        [1, 2]
          .flatMap(amount =>
            new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay }).formatToParts(
              amount,
            ),
          )
          .flatMap(({ type, value }) => (type === 'currency' ? value : [])),
      ),
    ),
  ])
}

/** Comparable texts by date or currency. A full cache is emptied, because an invoice has only a few of them. */
const cache = new Map<string, string[]>()
const MAX_CACHED = 200

/** Returns the texts that `listTexts` lists, comparable. They are cached, because formats of many languages take time. */
function cacheComparable(key: string, listTexts: () => string[]): string[] {
  const cached = cache.get(key)
  if (cached) return cached
  const texts = [...new Set(listTexts().map(comparable))]
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, texts)
  return texts
}

/** All usual ways to print a date, comparable. */
export function waysToPrintDate(iso: string): string[] {
  return cacheComparable(iso, () => listDates(iso))
}

function listDates(iso: string): string[] {
  const [year = '', month = '', day = ''] = iso.split('-')
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))]
  const date = new Date(`${iso}T00:00:00Z`)
  const written = Number.isNaN(date.getTime())
    ? []
    : LANGUAGES.flatMap(language =>
        STYLES.map(dateStyle =>
          new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC', calendar: 'gregory' }).format(date),
        ),
      )
  const numeric = ['.', '/', '-'].flatMap(mark => [
    [day, month, year].join(mark),
    [shortDay, shortMonth, year].join(mark),
    [day, month, year.slice(2)].join(mark),
    [month, day, year].join(mark),
    [year, month, day].join(mark),
  ])
  return [iso, `${year}${month}${day}`, ...numeric, ...written]
}
