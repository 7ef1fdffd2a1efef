import { findNearestName } from './nearest-name'

/** Time zone and locale for writing dates. */
export interface DateSetting {
  /** IANA time zone, such as `Europe/Berlin`. */
  timezone: string
  /** BCP 47 language tag. Determines the names of months and weekdays, and the named formats. */
  locale: string
}

/** Formats that depend only on the locale. */
const NAMED = ['short', 'medium', 'long', 'full'] as const

type Named = (typeof NAMED)[number]

/** Describes the formats in the documentation of every option that takes one. */
export const DATE_FORMAT_HELP =
  'Year: `YYYY`, `YY`. Month: `MMMM`, `MMM`, `MM`, `M`. Day: `DD`, `D`. Weekday: `dddd`, `ddd`. Hour: `HH`, `H`, ' +
  '`hh`, `h`. Minute: `mm`. Second: `ss`. AM or PM: `A`. Put other words in `[brackets]`. Or use `short`, ' +
  '`medium`, `long` or `full` for the usual format of `locale`.'

/**
 * Repeated letters, text in brackets, and other single characters. A bracket without an end is a single character. Its
 * search ends at the next opening bracket, so that many opening brackets take linear time.
 */
const TOKEN = /\[([^[\]]*)\]|([A-Za-z])\2*|[^A-Za-z]/g

interface Moment {
  date: Date
  setting: DateSetting
  /** Numbers by their names in Intl. Each has two digits, except for the year. */
  digits: Record<string, string>
  hasDay: boolean
}

const WRITERS: Record<string, (moment: Moment) => string> = {
  YYYY: ({ digits }) => digits['year'] ?? '',
  YY: ({ digits }) => (digits['year'] ?? '').slice(-2),
  MMMM: moment => monthName(moment, 'long'),
  MMM: moment => monthName(moment, 'short'),
  MM: ({ digits }) => digits['month'] ?? '',
  M: ({ digits }) => String(Number(digits['month'])),
  DD: ({ digits }) => digits['day'] ?? '',
  D: ({ digits }) => String(Number(digits['day'])),
  dddd: moment => partOf(moment, { weekday: 'long' }, 'weekday'),
  ddd: moment => partOf(moment, { weekday: 'short' }, 'weekday'),
  HH: ({ digits }) => digits['hour'] ?? '',
  H: ({ digits }) => String(Number(digits['hour'])),
  hh: ({ digits }) => String(((Number(digits['hour']) + 11) % 12) + 1).padStart(2, '0'),
  h: ({ digits }) => String(((Number(digits['hour']) + 11) % 12) + 1),
  mm: ({ digits }) => digits['minute'] ?? '',
  ss: ({ digits }) => digits['second'] ?? '',
  A: moment => partOf(moment, { hour: 'numeric', hour12: true }, 'dayPeriod'),
}

/** Unambiguous spellings of other date libraries. */
const ALIASES: Record<string, string> = { yyyy: 'YYYY', yy: 'YY', dd: 'DD', d: 'D', EEEE: 'dddd', EEE: 'ddd', a: 'A' }

/** The problem with a format. Undefined if it is valid. */
export function dateFormatProblem(format: string): string | undefined {
  if (format.trim() === '') return 'must not be empty. Use a format such as YYYY-MM-DD.'
  if (isNamed(format)) return undefined
  for (const { 0: token, 2: letter } of format.matchAll(TOKEN)) {
    if (letter !== undefined && !writerOf(token)) {
      return (
        `"${token.slice(0, 20)}" isn't a date token. Use YYYY, YY, MMMM, MMM, MM, M, DD, D, dddd, ddd, HH, H, ` +
        `hh, h, mm, ss or A, words in [brackets], or ${NAMED.join(', ')} alone.`
      )
    }
  }
  return undefined
}

/** The problem with a time zone. Undefined if it is valid. */
export function timezoneProblem(timezone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone }).format(0)
    return undefined
  } catch {
    // Intl throws if it doesn't know the time zone.
    const nearest = findNearestName(timezone, Intl.supportedValuesOf('timeZone'))
    return (
      `must be an IANA time zone. Got "${timezone.slice(0, 60)}". ` +
      (nearest ? `Did you mean "${nearest}"?` : 'Use a name such as "UTC" or "Europe/Berlin".')
    )
  }
}

/** The problem with a locale. Undefined if it is valid. */
export function localeProblem(locale: string): string | undefined {
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0) return undefined
  } catch {
    // Intl throws if the text isn't a language tag.
  }
  return (
    `must be a supported locale. Got "${locale.slice(0, 60)}". Use a language tag such as "en", "de-AT" or ` +
    '"zh-Hant".'
  )
}

/** Writes a date in a valid format. `kind` decides whether named formats write the date or the time. */
export function formatDate(
  date: Date,
  format: string,
  { kind, ...setting }: DateSetting & { kind: 'date' | 'time' },
): string {
  if (isNamed(format)) {
    const style = kind === 'date' ? { dateStyle: format } : { timeStyle: format }
    // Some locales use special spaces here. Replace them, because users type normal spaces when they search for a date.
    return new Intl.DateTimeFormat(setting.locale, { ...style, timeZone: setting.timezone })
      .format(date)
      .replace(/[\u00a0\u202f]/g, ' ')
  }
  const tokens = [...format.matchAll(TOKEN)]
  const hasDay = tokens.some(([token]) => ['DD', 'D'].includes(ALIASES[token] ?? token))
  const moment = { date, setting, digits: readDigits(date, setting), hasDay }
  return tokens.map(({ 0: token, 1: literal }) => literal ?? writerOf(token)?.(moment) ?? token).join('')
}

function isNamed(format: string): format is Named {
  return NAMED.some(name => name === format)
}

function writerOf(token: string): ((moment: Moment) => string) | undefined {
  const name = ALIASES[token] ?? token
  return Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined
}

function readDigits(date: Date, { timezone }: DateSetting): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
}

/** The name of a month. Many languages inflect the month next to a day, as in «20 listopada» and «listopad». */
function monthName(moment: Moment, month: 'long' | 'short'): string {
  const nextToDay = moment.hasDay ? partOf(moment, { month, day: 'numeric' }, 'month') : ''
  // In Chinese and Japanese, this part has only the number.
  return /\p{L}/u.test(nextToDay) ? nextToDay : partOf(moment, { month }, 'month')
}

function partOf(
  { date, setting: { locale, timezone } }: Moment,
  options: Intl.DateTimeFormatOptions,
  type: string,
): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone: timezone })
  return format.formatToParts(date).find(part => part.type === type)?.value ?? ''
}
