import { CallError } from '../../errors'

interface FailedWorkSettings {
  /** Milliseconds of failed work that an account may cause within a window. */
  budgetMs: number
  nowMs?: () => number
}

/** Limits the work of failed requests, because failed requests are free. */
export interface FailedWork {
  /** Throws CallError `rate_limited` if the account has used up its budget. */
  admit(accountId: string): void
  /** Counts the engine or browser time of a failed request, in milliseconds. */
  note(accountId: string, ms: number): void
}

const WINDOW_MS = 600_000
/** Times within one step are added up, so that an account holds only a few numbers. */
const STEP_MS = 10_000

interface Step {
  startMs: number
  ms: number
}

/** Creates the budget of failed work that every account has in any 10 minutes. */
export function createFailedWork({ budgetMs, nowMs = () => performance.now() }: FailedWorkSettings): FailedWork {
  const accounts = new Map<string, Step[]>()
  const findRecentSteps = (accountId: string): Step[] => {
    const steps = accounts.get(accountId) ?? []
    const windowStartMs = nowMs() - WINDOW_MS
    while (steps[0] && steps[0].startMs <= windowStartMs) steps.shift()
    if (steps.length === 0) accounts.delete(accountId)
    return steps
  }
  let notes = 0

  return {
    admit(accountId) {
      const steps = findRecentSteps(accountId)
      let remainingMs = steps.reduce((total, { ms }) => total + ms, 0)
      if (remainingMs < budgetMs) return
      let allowedAtMs = nowMs()
      for (const { startMs, ms } of steps) {
        remainingMs -= ms
        allowedAtMs = startMs + WINDOW_MS
        if (remainingMs < budgetMs) break
      }
      throw createBudgetError(budgetMs, Math.max(1, Math.ceil((allowedAtMs - nowMs()) / 1000)))
    },
    note(accountId, ms) {
      const steps = findRecentSteps(accountId)
      const startMs = Math.floor(nowMs() / STEP_MS) * STEP_MS
      const last = steps.at(-1)
      if (last?.startMs === startMs) last.ms += ms
      else steps.push({ startMs, ms })
      accounts.set(accountId, steps)
      if (++notes % 1000 === 0) for (const id of [...accounts.keys()]) findRecentSteps(id)
    },
  }
}

function createBudgetError(budgetMs: number, seconds: number): CallError {
  const message =
    `Failed requests of your account used ${Math.round(budgetMs / 1000)} s of processing in 10 minutes. Check the ` +
    `errors of those requests. Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return new CallError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
}
