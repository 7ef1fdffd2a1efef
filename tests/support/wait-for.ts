import { vi } from 'vitest'

/** Far more than anything takes on a busy machine: the wait ends when what is waited for is there. */
const PATIENCE_MS = 60_000

/** Repeats an assertion until it holds; rejects with its last failure when it never does. */
export function waitFor<T>(assertion: () => T | Promise<T>, { interval = 20 }: { interval?: number } = {}): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS, interval })
}
