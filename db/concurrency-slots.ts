/** Slots for concurrent tasks. */
export interface ConcurrencySlots {
  run<T>(work: () => Promise<T>): Promise<T>
  status(): { used: number; waiting: number }
}

/** Runs at most `count` tasks at once. Further tasks wait in order of arrival. */
export function createConcurrencySlots(count: number): ConcurrencySlots {
  const waiting: (() => void)[] = []
  let free = count
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    status: () => ({ used: count - free, waiting: waiting.length }),
    async run(work) {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
