import { describe, expect, it } from 'vitest'
import { dateFormatProblem, formatDate, localeProblem, timezoneProblem } from '../../../engines/options/date-format'

const write = (iso: string, format: string, { timezone = 'UTC', locale = 'en' } = {}) =>
  formatDate(new Date(iso), format, { kind: 'date', timezone, locale })

describe('formatDate', () => {
  it('writes every part of a format', () => {
    const cases: Record<string, string> = {
      'YYYY-MM-DD HH:mm:ss': '2026-03-04 05:06:07',
      'D.M.YY H': '4.3.26 5',
      'dddd, D MMMM YYYY': 'Wednesday, 4 March 2026',
      'ddd MMM': 'Wed Mar',
      'hh:mm A': '05:06 AM',
      '[Day] D [of] MMMM': 'Day 4 of March',
      YYYY年M月D日: '2026年3月4日',
      'dd/MM/yyyy': '04/03/2026',
      medium: 'Mar 4, 2026',
    }
    for (const [format, wanted] of Object.entries(cases))
      expect(write('2026-03-04T05:06:07Z', format), format).toBe(wanted)
  })

  it('counts noon and midnight as 12-hour clocks do', () => {
    expect([0, 12, 13, 23].map(hour => write(`2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`, 'h A'))).toEqual([
      '12 AM',
      '12 PM',
      '1 PM',
      '11 PM',
    ])
    expect(write('2026-01-01T00:00:00Z', 'HH:mm')).toBe('00:00')
  })

  it('uses the date of the time zone, also when daylight saving time begins or the day differs', () => {
    expect(write('2026-12-31T23:30:00Z', 'YYYY-MM-DD HH:mm', { timezone: 'Europe/Berlin' })).toBe('2027-01-01 00:30')
    expect(write('2026-03-29T01:00:00Z', 'HH:mm', { timezone: 'Europe/Berlin' })).toBe('03:00')
    expect(write('2026-01-01T00:00:00Z', 'YYYY-MM-DD', { timezone: 'America/Los_Angeles' })).toBe('2025-12-31')
  })

  it('names months as the language does beside a day and alone, in the same calendar as the numbers', () => {
    expect(write('2026-01-05T00:00:00Z', 'D MMMM', { locale: 'ru' })).toBe('5 января')
    expect(write('2026-01-05T00:00:00Z', 'MMMM', { locale: 'ru' })).toBe('январь')
    expect(write('2026-01-05T00:00:00Z', 'D MMMM YYYY', { locale: 'fa' })).toMatch(/^5 \p{L}+ 2026$/u)
    expect(write('2026-01-05T00:00:00Z', 'MMMM D', { locale: 'zh' })).toMatch(/月 5$/)
  })
})

describe('formatDate with invalid options', () => {
  it('names the invalid part of a format', () => {
    expect(dateFormatProblem('YYYY-WW')).toContain('"WW"')
    expect(dateFormatProblem('DDDDD')).toContain('"DDDDD"')
    expect(dateFormatProblem('constructor')).toContain('"c"')
    expect(dateFormatProblem(' ')).toContain('must not be empty')
    expect(dateFormatProblem('[any words] YYYY')).toBeUndefined()
    expect(dateFormatProblem('long')).toBeUndefined()
  })

  it('names zones and locales that do not exist', () => {
    expect(timezoneProblem('Europe/Pariss')).toContain('Did you mean "Europe/Paris"?')
    expect(timezoneProblem('')).toContain('must be an IANA time zone')
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])
      expect(timezoneProblem(zone)).toBeUndefined()
    expect(localeProblem('')).toContain('must be a supported locale')
    expect(localeProblem('english')).toContain('must be a supported locale')
    for (const locale of ['de', 'de-AT', 'zh-Hant-TW', 'ar-EG']) expect(localeProblem(locale)).toBeUndefined()
  })
})
