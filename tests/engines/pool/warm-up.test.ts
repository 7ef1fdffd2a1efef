import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunJob } from '../../../engines/types'
import { warmUpTools } from '../../../engines/tools/warm-up'
import { readPdf } from '../../support/reader'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tools warm up on a document of five pages until the time is over, even if they fail', async () => {
  const runJob = vi.fn<RunJob>(() => {
    vi.advanceTimersByTime(100)
    return Promise.reject(new Error('failed'))
  })
  await warmUpTools(runJob, 299)
  expect(runJob).toHaveBeenCalledTimes(3)
  await warmUpTools(runJob, 300)
  expect(runJob).toHaveBeenCalledTimes(7)
  await warmUpTools(runJob, Number.POSITIVE_INFINITY)
  const tools = new Set(runJob.mock.calls.map(([{ tool }]) => tool))
  expect([tools.has('rotate-pdf'), tools.has('merge-pdf')]).toEqual([true, false]) // Only those that edit one document.
  const [{ files, options }] = runJob.mock.calls[0] ?? expect.fail('no job')
  expect(options).toBeDefined()
  vi.useRealTimers()
  expect((await readPdf(files[0]?.bytes ?? new Uint8Array())).pages).toHaveLength(5)
})
