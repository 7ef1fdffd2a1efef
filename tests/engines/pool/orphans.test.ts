import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, isAlive } from './fake-engines'
import { waitFor } from '../../support/wait-for'

let child: ReturnType<typeof bundle>
let parent: ReturnType<typeof bundle>

beforeAll(() => {
  child = bundle('fake-child.ts')
  parent = bundle('fake-parent.ts')
})
afterAll(() => {
  child.remove()
  parent.remove()
})

describe('engine processes', () => {
  it.each([
    ['idle', []],
    ['waiting', ['hang']],
    ['busy without a pause', ['spin']],
  ])('end if the service is killed while they are %s', async (_, tools) => {
    const service = spawn(process.execPath, [parent.path, child.path, ...tools], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(service.stdout, 'data')
    const pids = JSON.parse(String(line)) as number[]
    expect(pids.map(isAlive)).toEqual([true, true])
    service.kill('SIGKILL')
    await waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]))
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'survive a %s to the whole group, because the service drains first',
    async signal => {
      const service = spawn(process.execPath, [parent.path, child.path], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [line] = await once(service.stdout, 'data')
      const pids = JSON.parse(String(line)) as number[]
      for (const pid of pids) process.kill(pid, signal)
      // The test expects no output.
      await once(service.stdout, 'data', { signal: AbortSignal.timeout(300) }).catch(() => undefined)
      expect(pids.map(isAlive)).toEqual([true, true])
      service.kill('SIGKILL')
      await waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]))
    },
  )
})
