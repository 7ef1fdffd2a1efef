import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBodyMemory } from '../../../../lib/http/limits/body-memory'

const SETTINGS = { maxBytes: 100, accountShare: 0.5, smallBytes: 10, reserveBytes: 40, timeoutMs: 1000 }
const LARGE = 11

describe('memory for request bodies', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts reserved bytes and frees them at once', () => {
    const memory = createBodyMemory(SETTINGS)
    const share = memory.open('a', 60)
    expect(share.take(40)).toBeUndefined()
    expect(share.take(20)).toBeUndefined()
    expect(memory.used).toBe(60)
    share.close()
    share.close()
    expect(memory.used).toBe(0)
  })

  it('lets later bodies wait in order until there is room', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second, third] = [memory.open('a', 90), memory.open('b', 40), memory.open('c', LARGE)]
    const order: string[] = []
    expect(first.take(90)).toBeUndefined()
    const note = async (name: string, wait: Promise<void> | undefined) => {
      expect(wait).toBeInstanceOf(Promise)
      await wait
      order.push(name)
    }
    const waits = [note('second', second.take(40)), note('third', third.take(5))]
    first.close()
    await Promise.all(waits)
    expect(order).toEqual(['second', 'third'])
    expect(memory.used).toBe(45)
  })

  it("never lets the oldest body wait, so that partly read bodies can't block each other", () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second] = [memory.open('a', 50), memory.open('b', 50)]
    expect(first.take(50)).toBeUndefined()
    expect(second.take(50)).toBeUndefined()
    const third = memory.open('c', LARGE)
    expect(third.take(1)).toBeInstanceOf(Promise)
    expect(first.take(70)).toBeUndefined()
    third.close()
    first.close()
    expect(second.take(70)).toBeUndefined()
  })

  it('forgets a body that waited too long', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, late] = [memory.open('a', 100), memory.open('b', LARGE)]
    expect(first.take(100)).toBeUndefined()
    const refused = expect(late.take(5)).rejects.toMatchObject({ code: 'service_unavailable' })
    await vi.advanceTimersByTimeAsync(1000)
    await refused
    first.close()
    expect(memory.used).toBe(0)
  })

  it('ends the wait of a canceled body', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second] = [memory.open('a', 100), memory.open('b', LARGE)]
    expect(first.take(100)).toBeUndefined()
    const wait = second.take(1)
    second.close()
    await wait
    expect(memory.used).toBe(100)
    first.close()
    expect([memory.used, vi.getTimerCount()]).toEqual([0, 0])
  })

  it('gives an account its share, by announced length, and then refuses with rate_limited', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second, other] = [memory.open('a', 40), memory.open('a', LARGE), memory.open('b', 50)]
    expect(first.take(1)).toBeUndefined()
    const refused = expect(second.take(1)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '5' },
    })
    expect(other.take(50)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1000)
    await refused
    expect(memory.used).toBe(51)
  })

  it('continues a body of an account as soon as another body of it ends', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second] = [memory.open('a', 50), memory.open('a', 50)]
    expect(first.take(1)).toBeUndefined()
    const wait = second.take(1)
    first.close()
    await wait
    expect(second.take(49)).toBeUndefined()
  })

  it('refuses with service_unavailable if other accounts use the memory', async () => {
    const memory = createBodyMemory(SETTINGS)
    for (const account of ['a', 'b']) expect(memory.open(account, 50).take(50)).toBeUndefined()
    const refused = expect(memory.open('c', 20).take(1)).rejects.toMatchObject({ code: 'service_unavailable' })
    await vi.advanceTimersByTimeAsync(1000)
    await refused
  })

  it('admits small bodies whatever large bodies use, also chunked bodies', () => {
    const memory = createBodyMemory(SETTINGS)
    for (const account of ['a', 'b']) expect(memory.open(account, 50).take(50)).toBeUndefined()
    for (const announced of [10, undefined]) {
      for (const account of ['a', 'c']) expect(memory.open(account, announced).take(10)).toBeUndefined()
    }
    expect(memory.used).toBe(140)
  })

  it('keeps half of the reserve for others, and lets further small bodies use the rest', async () => {
    const memory = createBodyMemory(SETTINGS)
    const shares = Array.from({ length: 8 }, () => memory.open('a', 10))
    const taken = shares.map(share => share.take(10))
    expect(taken.filter(wait => wait === undefined)).toHaveLength(7) // Two use the reserve, five the account's share.
    const refused = expect(taken[7]).rejects.toMatchObject({ code: 'rate_limited' })
    expect(memory.open('b', 10).take(10)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1000)
    await refused
  })

  it('counts a chunked body as large once it exceeds the size of a small body', () => {
    const memory = createBodyMemory(SETTINGS)
    const body = memory.open('a', undefined)
    for (const bytes of [10, 1]) expect(body.take(bytes)).toBeUndefined()
    const tooLarge = memory.open('a', 40)
    expect(tooLarge.take(1)).toBeInstanceOf(Promise)
    tooLarge.close()
    expect(memory.open('a', 39).take(39)).toBeUndefined()
    body.close()
    expect(memory.used).toBe(39)
  })

  it('lets a body wait until it fits, whatever became of those before it', async () => {
    const memory = createBodyMemory(SETTINGS)
    const [first, second, small] = [memory.open('a', 80), memory.open('b', 50), memory.open('d', LARGE)]
    expect(first.take(80)).toBeUndefined()
    expect(small.take(11)).toBeUndefined()
    const wait = second.take(50)
    first.close()
    await wait
    await vi.advanceTimersByTimeAsync(500)
    const third = memory.open('c', 60)
    const thirdWait = third.take(60)
    small.close()
    await vi.advanceTimersByTimeAsync(500)
    expect(memory.used).toBe(50)
    second.close()
    await thirdWait
    expect(memory.used).toBe(60)
  })

  it('treats a body that became large like any other: it leaves the reserve, and never waits if it is the oldest', () => {
    const memory = createBodyMemory(SETTINGS)
    const body = memory.open('a', undefined)
    for (const bytes of [10, 1]) expect(body.take(bytes)).toBeUndefined()
    expect(memory.open('b', 89).take(89)).toBeUndefined()
    for (const small of [memory.open('a', 10), memory.open('a', 10)]) expect(small.take(10)).toBeUndefined()
    expect(body.take(50)).toBeUndefined()
  })

  it('counts the large bodies of an account as long as it has any other body', () => {
    const memory = createBodyMemory(SETTINGS)
    expect(memory.open('a', 40).take(1)).toBeUndefined()
    memory.open('a', 1).close()
    expect(memory.open('a', LARGE).take(1)).toBeInstanceOf(Promise)
  })

  it('continues with the next body at once after one has waited too long', async () => {
    const memory = createBodyMemory(SETTINGS)
    expect(memory.open('a', 90).take(90)).toBeUndefined()
    const refused = expect(memory.open('b', 40).take(40)).rejects.toMatchObject({ code: 'service_unavailable' })
    await vi.advanceTimersByTimeAsync(500)
    const next = memory.open('c', LARGE).take(10)
    expect(next).toBeInstanceOf(Promise)
    await vi.advanceTimersByTimeAsync(500)
    await refused
    await next
    expect(memory.used).toBe(100)
  })

  it('accepts a body of any size if the account has no other', () => {
    const memory = createBodyMemory(SETTINGS)
    expect(memory.open('a', 400).take(400)).toBeUndefined()
  })
})
