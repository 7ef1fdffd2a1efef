import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { measureProcessorMs, measureResidentBytes } from '../../../engines/pool/process-figures'

describe('measureResidentBytes', () => {
  it('returns what Node itself reports', async () => {
    const reported = process.memoryUsage.rss()
    const measured = (await measureResidentBytes(process.pid)) ?? 0
    expect(measured / reported).toBeGreaterThan(0.8)
    expect(measured / reported).toBeLessThan(1.25)
  })

  it('returns nothing for a process that has ended', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'close')
    expect(await measureResidentBytes(ended.pid ?? 0)).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('measureProcessorMs', () => {
  it('returns what Node itself reports', () => {
    const reportMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000
    const before = reportMs()
    const measured = measureProcessorMs(process.pid) ?? 0
    expect(measured).toBeGreaterThan(before - 20) // The system counts in steps of 10 ms, each for user and system time.
    expect(measured).toBeLessThan(reportMs() + 20)
  })

  it('returns nothing on a system without /proc, where ps reports the memory', async () => {
    type Callback = (error: null, output: { stdout: string }) => void
    const execFile = vi.fn((_file: string, _args: string[], done: Callback) => done(null, { stdout: ' 2048\n' }))
    const readFileSync = vi.fn().mockThrow(new Error('ENOENT'))
    vi.resetModules()
    vi.doMock('node:fs', () => ({ readFileSync }))
    vi.doMock('node:child_process', () => ({ execFile }))
    const figures = await import('../../../engines/pool/process-figures')
    vi.doUnmock('node:fs')
    vi.doUnmock('node:child_process')
    expect(figures.measureProcessorMs(7)).toBeUndefined()
    expect(await figures.measureResidentBytes(7)).toBe(2048 * 1024)
    expect(execFile.mock.calls[0]?.[1]).toEqual(['-o', 'rss=', '-p', '7'])
  })

  it('returns nothing for a process that has ended', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'close')
    expect(measureProcessorMs(ended.pid ?? 0)).toBeUndefined()
  })
})
