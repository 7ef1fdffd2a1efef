const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })

const DAY_MS = 24 * 60 * 60_000
const DAY_AND_MONTH = format({ day: 'numeric', month: 'long' })
const FULL_DATE = format({ day: 'numeric', month: 'long', year: 'numeric' })
const MOMENT = format({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' })
const SECOND = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const DAY_SECOND = format({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const CLOCK_TIME = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** "1 December", in UTC as all dates here. */
export function dayAndMonth(date: Date): string {
  return DAY_AND_MONTH.format(date)
}

/** "20 November 2026" */
export function fullDate(date: Date): string {
  return FULL_DATE.format(date)
}

/** "today", "yesterday" or "on 20 November 2026" */
export function relativeDay(date: Date): string {
  const days = Math.floor(Date.now() / DAY_MS) - Math.floor(date.getTime() / DAY_MS)
  return days <= 0 ? 'today' : days === 1 ? 'yesterday' : `on ${fullDate(date)}`
}

/** "20 Nov 2026, 13:05" */
export function moment(date: Date): string {
  return MOMENT.format(date)
}

/** "20 Nov 2026, 13:05:09" */
export function secondOf(date: Date): string {
  return SECOND.format(date)
}

/** "20 Nov, 13:05:09", for times of the last months */
export function daySecondOf(date: Date): string {
  return DAY_SECOND.format(date)
}

/** "13:05:09" */
export function clockTime(date: Date): string {
  return CLOCK_TIME.format(date)
}
