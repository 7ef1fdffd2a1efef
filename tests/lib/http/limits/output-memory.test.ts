import { describe, expect, it, vi } from 'vitest'
import { createOutputMemory } from '../../../../lib/http/limits/output-memory'

const SETTINGS = { maxBytes: 100, accountShare: 0.5 }

describe('memory for outputs', () => {
  it('counts an output until it is read, once', () => {
    const memory = createOutputMemory(SETTINGS)
    const listener = vi.fn()
    memory.onRelease(listener)
    const release = memory.take('a', 30)
    expect(memory.used).toBe(30)
    release()
    release()
    expect(memory.used).toBe(0)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('refuses an output beyond the share of an account, or beyond the total', () => {
    const memory = createOutputMemory(SETTINGS)
    memory.take('a', 40)
    expect(() => memory.take('a', 20)).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '5' } }),
    )
    memory.take('b', 45)
    expect(() => memory.take('c', 20)).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
    expect(memory.used).toBe(85)
  })

  it('accepts one output of any size', () => {
    expect(createOutputMemory(SETTINGS).take('a', 400)).toBeTypeOf('function')
  })

  it('lets an account start a request if there is room for outputs like its largest', () => {
    const memory = createOutputMemory(SETTINGS)
    expect(memory.hasRoom('a', 7)).toBe(true)
    const release = memory.take('a', 20)
    expect([0, 1].map(running => memory.hasRoom('a', running))).toEqual([true, false])
    expect(memory.hasRoom('b', 7)).toBe(true)
    release()
    expect(memory.hasRoom('a', 7)).toBe(true)
  })
})
