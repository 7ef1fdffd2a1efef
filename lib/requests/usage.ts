import type { Database } from '../../db/database'
import { hasSuccessfulRequest, listUsage, type UsageRow } from '../../db/queries/usage'
import type { RequestOutcome } from '../../db/schema'
import { getDatabase } from '../database'

/** Daily requests and credits of one operation or one outcome. */
export interface UsageSeries<Name extends string = string> {
  name: Name
  /** One number for each day in `days`. */
  requests: number[]
  credits: number[]
  totalRequests: number
  totalCredits: number
  /** Average milliseconds of a request. */
  averageMs: number
}

/** An account's usage over some days, for a chart and its table. */
export interface Usage {
  /** Days in UTC, such as `2026-11-20`, oldest first without gaps. The last day is today. */
  days: string[]
  /** Operations with requests, the most used first. */
  byOperation: UsageSeries[]
  /** Always contains all three outcomes. */
  byOutcome: UsageSeries<RequestOutcome>[]
  totalRequests: number
  totalCredits: number
}

const OUTCOMES: RequestOutcome[] = ['ok', 'refused', 'failed']
const DAY_MS = 86_400_000

/** Returns whether an account has had a successful request. A request counts within a second of its end. */
export function hasSucceeded(accountId: string): Promise<boolean> {
  return hasSuccessfulRequest(getDatabase(), accountId)
}

/**
 * Returns an account's requests of the last `days` days, by operation and by outcome. A request counts within a second
 * of its end.
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
    byOperation: byOperation.sort((a, b) => b.totalRequests - a.totalRequests || (a.name < b.name ? -1 : 1)),
    byOutcome,
    totalRequests: sum(byOutcome.map(({ totalRequests }) => totalRequests)),
    totalCredits: sum(byOutcome.map(({ totalCredits }) => totalCredits)),
  }
}

function sumUp<Name extends string>(name: Name, days: string[], rows: UsageRow[]): UsageSeries<Name> {
  const ofDay = (read: (row: UsageRow) => number) =>
    days.map(chartDay => sum(rows.filter(({ day }) => day === chartDay).map(read)))
  const requests = ofDay(row => row.requests)
  const credits = ofDay(row => row.credits)
  const totalRequests = sum(requests)
  return {
    name,
    requests,
    credits,
    totalRequests,
    totalCredits: sum(credits),
    averageMs: totalRequests === 0 ? 0 : Math.round(sum(rows.map(({ ms }) => ms)) / totalRequests),
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
