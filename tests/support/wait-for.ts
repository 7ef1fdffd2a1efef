import { vi } from 'vitest'

/** Much longer than anything takes on a busy machine. The wait ends as soon as the assertion holds. */
const PATIENCE_MS = 60_000

/** Repeats an assertion until it holds. Rejects with the last failure if it never does. */
export function waitFor<T>(assertion: () => T | Promise<T>, { interval = 20 }: { interval?: number } = {}): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS, interval })
}
