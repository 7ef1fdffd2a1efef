import { EngineError } from '../../../errors'

/** The maximum wall-clock time, as a multiple of the limit. It stops work that gets hardly any processor time. */
const MOST_PATIENCE = 6

const LEAST_WAIT_MS = 20

let running = 0

/**
 * Waits for work in a thread and measures its processor time. On a busy machine, wall-clock time says little. So the
 * limit applies to the processor time of this process, divided by the number of concurrent tasks. Throws EngineError
 * `timed_out` after `limitMs` of processor time. The caller must terminate the thread.
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
        const remainingMs = limitMs - measure()
        if (remainingMs <= 0 || performance.now() - since > MOST_PATIENCE * limitMs)
          reject(new EngineError('timed_out', 'The page could not be recognized in time.'))
        else timer = setTimeout(check, Math.max(LEAST_WAIT_MS, remainingMs))
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
