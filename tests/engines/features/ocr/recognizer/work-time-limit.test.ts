import { describe, expect, it } from 'vitest'
import { limitWork } from '../../../../../engines/features/ocr/recognizer/work-time-limit'

describe('a limit on work time', () => {
  it('does not count time without work', async () => {
    const waiting = new Promise<string>(resolve => setTimeout(() => resolve('done'), 200))
    const { result, workMs } = await limitWork(waiting, 100)
    expect(result).toBe('done')
    expect(workMs).toBeLessThan(100)
  })

  it('ends the wait for work that never starts', async () => {
    await expect(limitWork(new Promise(() => undefined), 10)).rejects.toMatchObject({ reason: 'timed_out' })
  })
})
