import type { Database } from '../../db/database'
import { listUsage, type UsageRow } from '../../db/queries/usage'
import type { CallOutcome } from '../../db/schema'
import { getDatabase } from '../database'

/** Calls and credits of one operation, or of one outcome, day by day. */
export interface UsageSeries<Name extends string = string> {
  name: Name
  /** One number a day, in the order of `days`. */
  calls: number[]
  credits: number[]
  totalCalls: number
  totalCredits: number
  /** Milliseconds that a call took on the average. */
  averageMs: number
}

/** What an account used over some days, for a chart and the table beside it. */
export interface Usage {
  /** Days in UTC, `2026-11-20`, oldest first and without a gap; the last one is today. */
  days: string[]
  /** The most called first; none without a call. */
  byOperation: UsageSeries[]
  /** Always all three. */
  byOutcome: UsageSeries<CallOutcome>[]
  totalCalls: number
  totalCredits: number
}

const OUTCOMES: CallOutcome[] = ['ok', 'refused', 'failed']
const DAY_MS = 86_400_000

/**
 * An account's calls of the last `days` days, by operation and by outcome; a call counts within a second of its end.
 */
export async function readUsage(
  accountId: string,
  { days: count = 30, now = new Date() }: { days?: number; now?: Date } = {},
  database: Database = getDatabase(),
): Promise<Usage> {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const days = Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  const rows = await listUsage(database, accountId, days[0] ?? '')
  const operations = [...new Set(rows.map(({ operation }) => operation))]
  const byOperation = operations.map(name =>
    sumUp(
      name,
      days,
      rows.filter(({ operation }) => operation === name),
    ),
  )
  const byOutcome = OUTCOMES.map(name =>
    sumUp(
      name,
      days,
      rows.filter(({ outcome }) => outcome === name),
    ),
  )
  return {
    days,
    byOperation: byOperation.sort((a, b) => b.totalCalls - a.totalCalls || (a.name < b.name ? -1 : 1)),
    byOutcome,
    totalCalls: sum(byOutcome.map(({ totalCalls }) => totalCalls)),
    totalCredits: sum(byOutcome.map(({ totalCredits }) => totalCredits)),
  }
}

function sumUp<Name extends string>(name: Name, days: string[], rows: UsageRow[]): UsageSeries<Name> {
  const ofDay = (read: (row: UsageRow) => number) =>
    days.map(wanted => sum(rows.filter(({ day }) => day === wanted).map(read)))
  const calls = ofDay(row => row.calls)
  const credits = ofDay(row => row.credits)
  const totalCalls = sum(calls)
  return {
    name,
    calls,
    credits,
    totalCalls,
    totalCredits: sum(credits),
    averageMs: totalCalls === 0 ? 0 : Math.round(sum(rows.map(({ ms }) => ms)) / totalCalls),
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
