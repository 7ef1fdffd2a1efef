import { EngineError } from '../../errors'

/** How many times longer work may last that gets next to no processor. */
const MOST_PATIENCE = 6

const LEAST_WAIT_MS = 20

let running = 0

/**
 * Waits for work in a thread, and tells how long that took of its share of the processor. On a machine where many wait
 * for the processor the clock says little; what counts is what this process used, shared among the works that run at
 * once. Throws EngineError `timed-out` after `limitMs` of work; ending the thread is left to the caller.
 */
export async function limitWork<Result>(
  work: Promise<Result>,
  limitMs: number,
): Promise<{ result: Result; workMs: number }> {
  let timer: NodeJS.Timeout | undefined
  const usage = process.cpuUsage()
  const since = performance.now()
  const measure = (): number => {
    const { user, system } = process.cpuUsage(usage)
    return Math.min(performance.now() - since, (user + system) / 1000 / Math.max(1, running))
  }
  running++
  try {
    const passed = new Promise<never>((_, reject) => {
      const check = (): void => {
        const leftMs = limitMs - measure()
        if (leftMs <= 0 || performance.now() - since > MOST_PATIENCE * limitMs)
          reject(new EngineError('timed-out', 'The page could not be read in time.'))
        else timer = setTimeout(check, Math.max(LEAST_WAIT_MS, leftMs))
      }
      timer = setTimeout(check, limitMs)
    })
    const result = await Promise.race([work, passed])
    return { result, workMs: measure() }
  } finally {
    running--
    clearTimeout(timer)
  }
}
