import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../../../lib/http/body-memory'

describe('the memory of bodies', () => {
  it('counts what is taken and lets go of it at once', () => {
    const memory = createBodyMemory(100)
    const share = memory.open()
    expect(share.take(60)).toBeUndefined()
    expect(share.take(40)).toBeUndefined()
    expect(memory.used).toBe(100)
    share.close()
    share.close()
    expect(memory.used).toBe(0)
  })

  it('lets later bodies wait in their order until there is room', async () => {
    const memory = createBodyMemory(100)
    const [first, second, third] = [memory.open(), memory.open(), memory.open()]
    const order: string[] = []
    expect(first.take(90)).toBeUndefined()
    const note = async (name: string, wait: Promise<void> | undefined) => {
      expect(wait).toBeInstanceOf(Promise)
      await wait
      order.push(name)
    }
    const waits = [note('second', second.take(80)), note('third', third.take(5))]
    first.close()
    await Promise.all(waits)
    expect(order).toEqual(['second', 'third'])
    expect(memory.used).toBe(85)
  })

  it('never lets the oldest body wait, so that half-read ones cannot block each other', () => {
    const memory = createBodyMemory(100)
    const [first, second] = [memory.open(), memory.open()]
    expect(first.take(50)).toBeUndefined()
    expect(second.take(50)).toBeUndefined()
    expect(second.take(1)).toBeInstanceOf(Promise)
    expect(first.take(70)).toBeUndefined()
  })

  it('lets a body pass that became the oldest while it waited behind another', async () => {
    const memory = createBodyMemory(100)
    const [first, second, third] = [memory.open(), memory.open(), memory.open()]
    expect(first.take(100)).toBeUndefined()
    const thirdWaits = third.take(10)
    const secondWaits = second.take(200)
    first.close()
    await Promise.all([secondWaits, thirdWaits])
    expect(memory.used).toBe(210)
  })

  it('ends the wait of a body that is given up', async () => {
    const memory = createBodyMemory(100)
    const [first, second] = [memory.open(), memory.open()]
    expect(first.take(100)).toBeUndefined()
    const wait = second.take(1)
    second.close()
    await wait
    expect(memory.used).toBe(100)
  })
})
