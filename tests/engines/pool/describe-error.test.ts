import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../engines/errors'
import { describeError } from '../../../engines/pool/describe-error'

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}

describe('describeFault', () => {
  it('keeps the message of an EngineError', () => {
    const problem = describeError(new EngineError('encrypted', 'The file is encrypted.', { param: 'file' }))
    expect(problem).toEqual({
      reason: 'encrypted',
      message: 'The file is encrypted.',
      problems: [{ param: 'file', message: 'The file is encrypted.' }],
    })
  })

  it('recognizes an EngineError of another copy of the module', () => {
    const copy = Object.assign(new Error('Too many pages.'), { name: 'EngineError', reason: 'too_large', problems: [] })
    expect(describeError(copy).reason).toBe('too_large')
  })

  it.each([
    [
      'infinite recursion',
      () => {
        const nest = (): number => 1 + nest()
        return nest()
      },
    ],
    ['a member of undefined', () => (undefined as unknown as { a: number }).a],
    ['an array of invalid length', () => new Uint8Array(-1)],
  ])('reports a document that caused %s as unreadable', (_, work) => {
    expect(describeError(thrownBy(work)).reason).toBe('damaged')
  })

  it('distinguishes failed memory allocations from other errors', () => {
    expect(describeError(thrownBy(() => new ArrayBuffer(2 ** 52))).reason).toBe('out_of_memory')
    expect(describeError(new Error('Aborted(OOM). Cannot enlarge memory, out of memory')).reason).toBe('out_of_memory')
  })

  it('describes the cause for the log without text of the document', () => {
    const problem = describeError(
      new Error('no field "Jane Doe" in \'secret\'', {
        cause: new TypeError('`iban` (DE02 1203 0000 0000 2020 51 and so on and so on)'),
      }),
    )
    expect(problem.cause).toMatch(/^Error: no field … in … at .*; caused by TypeError: … …/)
    expect(problem.cause).not.toMatch(/Jane|secret|iban|1203/)
    expect(problem.message).not.toContain('field')
    expect(problem.cause?.match(/caused by/g)).toHaveLength(1)
  })

  it.each([
    ['a "secret"  text', 'a … text'],
    [42, 'a thrown number'],
    [null, 'a thrown object'],
  ])('describes the cause %o', (cause, description) => {
    expect(describeError(new EngineError('internal', 'm', { cause })).cause).toBe(description)
  })

  it('describes at most three causes of a cause', () => {
    const cyclic = new Error('again')
    cyclic.cause = cyclic
    expect(describeError(cyclic).cause?.match(/caused by/g)).toHaveLength(3)
  })
})
