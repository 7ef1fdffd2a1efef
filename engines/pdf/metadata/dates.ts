interface Moment {
  /** Year, month, day, hour, minute, second. Ends after the last part of the text. */
  parts: number[]
  /** `Z`, `+hh:mm`, `-hh:mm`, or empty if the text has no time zone. */
  zone: string
}

const ISO =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/
const PDF =
  /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)(?:00'?(?:00'?)?)?|([+-]\d{2})'?(?:(\d{2})'?)?)?$/

/** Maximum length of a date or time in options. */
export const MAX_DATE_LENGTH = 60

/** The problem with an ISO 8601 date or time. Undefined if the text is valid. */
export function dateProblem(text: string): string | undefined {
  return parseIso(text)
    ? undefined
    : 'must be an ISO 8601 date, such as "2025-03-01" or "2025-03-01T14:30:00+01:00". Got'
}

/**
 * Converts an ISO 8601 date to a PDF date (ISO 32000-2, 7.9.4), without fractions of a second. Undefined if the text is
 * invalid.
 */
export function writePdfDate(iso: string): string | undefined {
  const moment = parseIso(iso)
  if (!moment) return undefined
  const zone = moment.zone.length > 1 ? `${moment.zone.replace(':', "'")}'` : moment.zone
  return `D:${moment.parts.map((part, index) => pad(part, index ? 2 : 4)).join('')}${zone}`
}

/** Converts an ISO 8601 date to the form that XMP uses, so that equal times are equal texts. Undefined if invalid. */
export function normalizeIso(iso: string): string | undefined {
  const moment = parseIso(iso)
  return moment && writeIso(moment)
}

/** Converts a PDF date to ISO 8601. Accepts as many variants as readers do. Undefined if the text makes no sense. */
export function readPdfDate(text: string): string | undefined {
  const match = PDF.exec(text.trim())
  if (!match) return undefined
  const zone = match[7] ?? (match[8] === undefined ? '' : `${match[8]}:${match[9] ?? '00'}`)
  const moment = toMoment(match.slice(1, 7), zone)
  return moment && writeIso(moment)
}

function parseIso(text: string): Moment | undefined {
  const match = ISO.exec(text)
  return match ? toMoment(match.slice(1, 7), (match[7] ?? '').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')) : undefined
}

/** Ranges of month, day, hour, minute and second. */
const RANGES = [
  [1, 12],
  [1, 31],
  [0, 23],
  [0, 59],
  [0, 59],
] as const

/**
 * Returns the moment of the texts of its parts, from the year on. Undefined if a part is out of range, such as February
 * 30.
 */
function toMoment(texts: (string | undefined)[], zone: string): Moment | undefined {
  const end = texts.indexOf(undefined)
  const parts = (end < 0 ? texts : texts.slice(0, end)).map(Number)
  const [year = 0, month = 1, day = 1] = parts
  if (!parts.slice(1).every((part, index) => part >= (RANGES[index]?.[0] ?? 0) && part <= (RANGES[index]?.[1] ?? 0)))
    return undefined
  if (day > new Date(Date.UTC(year < 100 ? 2000 : year, month, 0)).getUTCDate()) return undefined
  const [, hours = '00', minutes = '00'] = /^[+-](\d{2}):(\d{2})$/.exec(zone) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  // XMP doesn't allow an hour without a minute, or a time zone without a time.
  if (parts.length === 4) parts.push(0)
  return { parts, zone: parts.length > 4 ? zone : '' }
}

/** Writes a moment as XMP does. Seconds are always written if there is a time. */
function writeIso({ parts: [year = 0, month, day, hour, minute, second], zone }: Moment): string {
  const date = [pad(year, 4), ...[month, day].flatMap(part => (part === undefined ? [] : [pad(part, 2)]))].join('-')
  if (hour === undefined || minute === undefined) return date
  return `${date}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(second ?? 0, 2)}${zone}`
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
