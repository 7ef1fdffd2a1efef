import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRefusedKeyUses } from '../../../../lib/accounts/key/refused-key-uses'

const client = (agent: string) => ({ address: null, agent })

describe('uses of rotated keys', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are written at once the first time, and then together once a minute', async () => {
    const write = vi.fn(() => Promise.resolve())
    const uses = createRefusedKeyUses(write)
    for (let use = 0; use < 1000; use++) await uses.record('key', client(`agent ${use}`))
    await uses.record('other', undefined)
    expect(write.mock.calls).toEqual([
      ['key', 1, client('agent 0')],
      ['other', 1, undefined],
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(write.mock.calls.slice(2)).toEqual([['key', 999, client('agent 999')]])
    // A minute after the uses were written together, none is written at once.
    for (let use = 0; use < 3; use++) await uses.record('key', undefined)
    expect(write.mock.calls).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(write.mock.calls.slice(3)).toEqual([['key', 3, undefined]])
    await vi.advanceTimersByTimeAsync(60_000)
    await uses.record('key', undefined)
    expect(write.mock.calls.slice(4)).toEqual([['key', 1, undefined]])
  })
})
