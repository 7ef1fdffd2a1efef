/**
 * Two releases of Chrome from its published schedule: versions from 148 on came every four weeks, and versions after
 * 152 come every two weeks.
 */
const FOUR_WEEKLY = { version: 148, at: Date.UTC(2026, 4, 5), days: 28 }
const TWO_WEEKLY = { version: 152, at: Date.UTC(2026, 7, 25), days: 14 }

const DAY_MS = 86_400_000
const MOST_DAYS = 90

/**
 * Returns whether a browser, such as `Chrome/147.0.7727.0`, is older than 90 days, judged by the schedule of its
 * releases. The date of a single build is unknown, so the result can be wrong by some days. Undefined if the text names
 * no version of Chrome or Chromium.
 */
export function isBrowserOutdated(browser: string, nowMs: number): boolean | undefined {
  const version = Number(/^(?:Headless)?(?:Chrome|Chromium)\/(\d{1,6})\./.exec(browser)?.[1])
  if (Number.isNaN(version)) return undefined
  const { version: known, at, days } = version > TWO_WEEKLY.version ? TWO_WEEKLY : FOUR_WEEKLY
  return nowMs - (at + (version - known) * days * DAY_MS) > MOST_DAYS * DAY_MS
}
