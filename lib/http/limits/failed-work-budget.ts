import { RequestError } from '../../errors'
import type { Requester } from './requester'

interface FailedWorkSettings {
  /** Milliseconds of failed work that an account may cause within a window. */
  budgetMs: number
  /**
   * The budget of an account that never paid, and of all such accounts of one network together. Default: that of an
   * account.
   */
  freeBudgetMs?: number
  nowMs?: () => number
}

/** Limits the work of failed requests, because failed requests are free. */
export interface FailedWork {
  /** Throws RequestError `rate_limited` if the account, or its network, has used up its budget. */
  admit(requester: Requester): void
  /** Counts the engine or browser time of a failed request, in milliseconds. */
  record(requester: Requester, ms: number): void
}

const WINDOW_MS = 600_000
/** Times within one step are added up, so that an account holds only a few numbers. */
const STEP_MS = 10_000

interface Step {
  startMs: number
  ms: number
}

/** Something with a budget: an account, or a network with accounts that never paid. */
interface Counted {
  name: string
  budgetMs: number
}

/** Creates the budgets of failed work in any 10 minutes. */
export function createFailedWork(settings: FailedWorkSettings): FailedWork {
  const { budgetMs, freeBudgetMs = budgetMs, nowMs = () => performance.now() } = settings
  const works = new Map<string, Step[]>()
  const countedFor = ({ accountId, network, hasPaid }: Requester): Counted[] =>
    hasPaid
      ? [{ name: `account ${accountId}`, budgetMs }]
      : [`account ${accountId}`, `network ${network}`].map(name => ({ name, budgetMs: freeBudgetMs }))
  const findRecentSteps = (name: string): Step[] => {
    const steps = works.get(name) ?? []
    const windowStartMs = nowMs() - WINDOW_MS
    while (steps[0] && steps[0].startMs <= windowStartMs) steps.shift()
    if (steps.length === 0) works.delete(name)
    return steps
  }
  /** Milliseconds until the budget has room again. 0 if it has. */
  const findWaitMs = (counted: Counted): number => {
    const steps = findRecentSteps(counted.name)
    let leftMs = steps.reduce((total, { ms }) => total + ms, 0)
    if (leftMs < counted.budgetMs) return 0
    let allowedAtMs = nowMs()
    for (const { startMs, ms } of steps) {
      if (leftMs < counted.budgetMs) break
      leftMs -= ms
      allowedAtMs = startMs + WINDOW_MS
    }
    return Math.max(1, allowedAtMs - nowMs())
  }
  const recordFor = (name: string, ms: number) => {
    const steps = findRecentSteps(name)
    const startMs = Math.floor(nowMs() / STEP_MS) * STEP_MS
    const last = steps.at(-1)
    if (last?.startMs === startMs) last.ms += ms
    else steps.push({ startMs, ms })
    works.set(name, steps)
  }
  let notes = 0

  return {
    admit(requester) {
      const waitMs = Math.max(...countedFor(requester).map(findWaitMs))
      if (waitMs > 0) throw createBudgetError(requester, { budgetMs, freeBudgetMs, waitMs })
    },
    record(requester, ms) {
      for (const { name } of countedFor(requester)) recordFor(name, ms)
      if (++notes % 1000 === 0) for (const name of [...works.keys()]) findRecentSteps(name)
    },
  }
}

function createBudgetError(
  { hasPaid }: Requester,
  { budgetMs, freeBudgetMs, waitMs }: { budgetMs: number; freeBudgetMs: number; waitMs: number },
): RequestError {
  const seconds = Math.ceil(waitMs / 1000)
  const cause = hasPaid
    ? `Failed requests of your account used ${inSeconds(budgetMs)} of processing in 10 minutes.`
    : `Failed requests of your network used ${inSeconds(freeBudgetMs)} of processing in 10 minutes. ` +
      'This limit is for accounts that never bought credits.'
  const next = `Check the errors of those requests. Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return new RequestError('rate_limited', `${cause} ${next}`, { headers: { 'Retry-After': String(seconds) } })
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
