import { beforeAll, describe, expect, it } from 'vitest'
import type { OutputContent } from '../../../../engines/output-content'
import { readConfig } from '../../../../lib/config'
import {
  getBalanceRate,
  getBodyMemory,
  getDraining,
  getFailedWork,
  getOutputMemory,
  getRequestQueue,
} from '../../../../lib/http/limits/process-limits'
import { placeSingleton } from '../../../../lib/registry'

const MIB = 2 ** 20
const never = new AbortController().signal
const paid = (accountId: string) => ({ accountId, network: '192.0.2.1', hasPaid: true })

/** An output of a size that is never read. */
const output = (byteLength: number, isSpooled: boolean): OutputContent => ({
  byteLength,
  isSpooled,
  read: () => {
    throw new Error('A limit must not read outputs')
  },
  release: () => {},
})

beforeAll(() => {
  const config = readConfig({ ENGINES: '3', WEB_PAGES: '2', FAILED_WORK_MS: '5000', FREE_FAILED_WORK_MS: '9000' })
  placeSingleton('config', config)
})

describe('the limits of a process', () => {
  it('prepare one request more than there are engines', () => {
    expect(getRequestQueue().lanes()).toMatchObject({ engines: { capacity: 4 }, browser: { capacity: 2 } })
  })

  it('start a waiting request of an account as soon as it has read its outputs', async () => {
    const release = getOutputMemory().take('a', output(2048 * MIB, true))
    const started = getRequestQueue().acquire(paid('a'), never)
    expect(getRequestQueue().status()).toEqual({ running: 0, waiting: 1 })
    release()
    ;(await started)()
  })

  it('have memory for 64 small bodies, whatever large bodies use', () => {
    const memory = getBodyMemory()
    expect(memory.open('large', 512 * MIB).take(512 * MIB)).toBeUndefined()
    const bodies = Array.from({ length: 65 }, (_, index) => memory.open(`small ${index}`, MIB))
    expect(bodies.filter(body => body.take(MIB) === undefined)).toHaveLength(64)
    for (const body of bodies) body.close()
  })

  it('have memory for 64 small outputs', () => {
    const memory = getOutputMemory()
    for (let index = 0; index < 64; index += 1) {
      expect(memory.mayHold(`account ${index}`)).toBe(true)
      memory.take(`account ${index}`, output(MIB, false))
    }
    expect(memory.mayHold('another')).toBe(false)
  })

  it('never give accounts that never paid the larger budget of failed work', () => {
    const free = { ...paid('a'), hasPaid: false }
    getFailedWork().record(free, 5000)
    expect(() => getFailedWork().admit(free)).toThrow('5 s of processing')
  })

  it('allow 60 reads of a balance a minute', () => {
    const taken = Array.from({ length: 61 }, () => getBalanceRate().take('a'))
    expect(taken.filter(seconds => seconds === 0)).toHaveLength(60)
  })

  it('begin without a shutdown', () => {
    expect(getDraining()).toEqual({ hasBegun: false, refusesRequests: false })
  })
})
