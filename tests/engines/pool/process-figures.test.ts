import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
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
    const { user, system } = process.cpuUsage()
    expect(Math.abs((measureProcessorMs(process.pid) ?? 0) - (user + system) / 1000)).toBeLessThan(200)
  })

  it('returns nothing for a process that has ended', async () => {
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'close')
    expect(measureProcessorMs(ended.pid ?? 0)).toBeUndefined()
  })
})
