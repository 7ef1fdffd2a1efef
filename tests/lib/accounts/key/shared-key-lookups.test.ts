import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSharedKeyLookups } from '../../../../lib/accounts/key/shared-key-lookups'

/** Lookups that end on command, numbered in the order in which they began. */
function makeLooks() {
  const begun: { resolve(): void; reject(error: Error): void }[] = []
  const look = () =>
    new Promise<number>((resolve, reject) => {
      const number = begun.length + 1
      begun.push({ resolve: () => resolve(number), reject })
    })
  return { begun, look }
}

describe('shared key lookups', () => {
  it('run at most twice for simultaneous requests, and never return a result from before the request', async () => {
    const share = createSharedKeyLookups<number>()
    const { begun, look } = makeLooks()
    const first = share('a', look)
    const others = [share('a', look), share('a', look), share('a', look)]
    await setImmediate()
    expect(begun).toHaveLength(1)
    begun[0]?.resolve()
    expect(await first).toBe(1)
    await setImmediate()
    const later = share('a', look) // This request arrives while the second lookup runs.
    begun[1]?.resolve()
    expect(await Promise.all(others)).toEqual([2, 2, 2])
    await setImmediate()
    begun[2]?.resolve()
    expect(await later).toBe(3)
    await setImmediate()
    void share('a', look)
    expect(begun).toHaveLength(4)
  })

  it('of different keys do not wait for each other', async () => {
    const share = createSharedKeyLookups<number>()
    const { begun, look } = makeLooks()
    const [, other] = [share('a', look), share('b', look)]
    begun[1]?.resolve()
    expect(await other).toBe(2)
  })

  it('fail together with the running lookup, and are repeated afterwards', async () => {
    const share = createSharedKeyLookups<number>()
    const { begun, look } = makeLooks()
    const asked = [share('a', look), share('a', look), share('a', look)]
    begun[0]?.reject(new Error('away'))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(begun).toHaveLength(1)
    const again = share('a', look)
    begun[1]?.resolve()
    expect(await again).toBe(2)
  })
})
