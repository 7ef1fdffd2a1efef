const ISO = /^-?(\d+)(?:-(\d+)(?:-(\d+)(?:T(\d+)(?::(\d+)(?::(\d+)(?:\.(\d+))?)?)?(Z|[+-]\d+(?::\d+)?)?)?)?)?$/
const PDF = /^D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:([Z+-])(?:(\d\d)(?:'(\d\d))?)?)?)?)?)?)?)?$/

/**
 * The time of an XMP date, in milliseconds. Undefined if the date is invalid or empty. Like XMP toolkits, takes the
 * closest value for a part that is out of range, and 0 for a missing month or day. A date without a time zone is UTC.
 */
export function readXmpTime(text: string): number | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match
  const [, zoneHour, zoneMinute] = /^[+-](\d+)(?::(\d+))?$/.exec(zone) ?? []
  const offset = clamp(zoneHour, 0, 23) * 60 + clamp(zoneMinute, 0, 59)
  const time = timeOf([
    clamp(year, 0, 9999),
    month === undefined ? -1 : clamp(month, 1, 12) - 1,
    day === undefined ? 0 : clamp(day, 1, 31),
    clamp(hour, 0, 23),
    clamp(minute, 0, 59),
    clamp(second, 0, 59),
  ])
  return time + Number(fraction.slice(0, 3).padEnd(3, '0')) - (zone.startsWith('-') ? -offset : offset) * 60_000
}

/**
 * The time of a PDF date (ISO 32000-1, 7.9.4), in milliseconds. Undefined if the date is invalid. Parts that are out of
 * range carry over.
 */
export function readPdfTime(text: string): number | undefined {
  const match = PDF.exec(text.replace(/'$/, ''))
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour, minute, second, sign = 'Z', zoneHour, zoneMinute] = match
  const [hours, minutes] = [Number(zoneHour ?? 0), Number(zoneMinute ?? 0)]
  if (sign === 'Z' && (hours > 0 || minutes > 0)) return undefined
  const offset = hours > 23 || minutes > 59 ? 0 : hours * 60 + minutes
  const parts = [year, Number(month) - 1, day, hour ?? 0, minute ?? 0, second ?? 0].map(Number)
  return timeOf(parts) - (sign === '-' ? -offset : offset) * 60_000
}

function timeOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  // Date.UTC takes years below 100 as years of the 20th century.
  return new Date(Date.UTC(2000, 0, 1, hour, minute, second)).setUTCFullYear(year, month, day)
}

function clamp(digits: string | undefined, least: number, most: number): number {
  return Math.min(Math.max(Number(digits ?? 0), least), most)
}
