import { describe, expect, it, vi } from 'vitest'
import type { OutputContent } from '../../../../engines/output-content'
import { createOutputMemory } from '../../../../lib/http/limits/output-memory'

const MIB = 2 ** 20
const SETTINGS = { maxHeldBytes: 8 * MIB, maxSpooledBytes: 100 * MIB, accountShare: 0.5 }

/** An output of this size that only counts its releases. */
function createContent(mib: number, isSpooled: boolean) {
  const release = vi.fn()
  const content: OutputContent = { byteLength: mib * MIB, isSpooled, read: () => neverRead(), release }
  return { content, release }
}

function neverRead(): never {
  throw new Error('The budget must not read outputs')
}

const held = (mib: number) => createContent(mib, false).content
const spooled = (mib: number) => createContent(mib, true).content

describe('outputs in memory and on disk', () => {
  it('are counted until they are released, once', () => {
    const memory = createOutputMemory(SETTINGS)
    const listener = vi.fn()
    memory.onRelease(listener)
    const { content, release } = createContent(1, false)
    const end = memory.take('a', content)
    const endSpooled = memory.take('a', spooled(30))
    expect([memory.heldBytes, memory.spooledBytes]).toEqual([MIB, 30 * MIB])
    end()
    end()
    expect([memory.heldBytes, memory.spooledBytes]).toEqual([0, 30 * MIB])
    expect([release, listener].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    endSpooled()
    expect(memory.spooledBytes).toBe(0)
  })

  it('are refused and released beyond the share of the account, even the first one', () => {
    const memory = createOutputMemory(SETTINGS)
    const { content, release } = createContent(51, true)
    expect(() => memory.take('a', content)).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '5' } }),
    )
    expect(release).toHaveBeenCalledOnce()
    memory.take('a', spooled(40))
    const end = memory.take('a', spooled(10))
    expect(() => memory.take('a', spooled(1))).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    end()
    expect(() => memory.take('a', spooled(11))).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    memory.take('a', held(1))
  })

  it('are refused if the disk space of all accounts is used up, unless they are small', () => {
    const memory = createOutputMemory(SETTINGS)
    for (const account of ['a', 'b']) memory.take(account, spooled(50))
    expect(() => memory.take('c', spooled(2))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } }),
    )
    memory.take('c', spooled(1))
    memory.take('c', held(1))
    expect(memory.spooledBytes).toBe(101 * MIB)
  })

  it('stay in memory as long as the reserve and the share of the account have room for one more', () => {
    const memory = createOutputMemory(SETTINGS)
    for (let count = 0; count < 4; count++) {
      expect(memory.mayHold('a')).toBe(true)
      memory.take('a', held(1))
    }
    expect(memory.mayHold('a')).toBe(false)
    expect(memory.mayHold('b')).toBe(true)
    const ends = Array.from({ length: 4 }, () => memory.take('b', held(1)))
    expect(memory.mayHold('c')).toBe(false)
    expect(memory.mayHold(undefined)).toBe(false)
    ends[0]?.()
    expect(memory.mayHold('c')).toBe(true)
  })
})

describe('a request before it starts', () => {
  it('waits if its account already has large outputs, and never because of other accounts', () => {
    const memory = createOutputMemory(SETTINGS)
    expect(memory.hasRoom('a', 7)).toBe(true)
    const end = memory.take('a', spooled(20))
    expect([0, 1].map(running => memory.hasRoom('a', running))).toEqual([true, false])
    memory.take('b', spooled(50))
    expect([memory.hasRoom('b', 0), memory.hasRoom('c', 7)]).toEqual([false, true])
    end()
    expect(memory.hasRoom('a', 7)).toBe(true)
  })
})
