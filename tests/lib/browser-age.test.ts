import { describe, expect, it } from 'vitest'
import { isBrowserOutdated } from '../../lib/browser-age'

/** Days on which versions of Chrome were released, from its release notes and its announced schedule. */
const RELEASED = [
  ['Chrome/147.0.7727.56', '2026-04-07'],
  ['Chrome/148.0.7778.97', '2026-05-05'],
  ['Chrome/149.0.7827.54', '2026-06-02'],
  ['Chrome/153.0.0.0', '2026-09-08'],
  ['HeadlessChrome/154.0.0.0', '2026-09-22'],
  ['Chromium/155.0.0.0', '2026-10-06'],
] as const

describe('the age of a browser', () => {
  it.each(RELEASED)('follows from its version: %s of %s', (browser, day) => {
    const daysLater = (days: number) => Date.parse(day) + days * 86_400_000
    expect(isBrowserOutdated(browser, daysLater(0))).toBe(false)
    expect(isBrowserOutdated(browser, daysLater(90))).toBe(false)
    expect(isBrowserOutdated(browser, daysLater(91))).toBe(true)
  })

  it('is unknown if the version says nothing', () => {
    for (const browser of [
      '',
      'Chrome',
      'Chrome/',
      'Chrome/new.1',
      'Firefox/150.0',
      'Chrome/147',
      `Chrome/${'1'.repeat(99)}.0`,
    ])
      expect([browser, isBrowserOutdated(browser, Date.now())]).toEqual([browser, undefined])
  })
})
