import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineError } from '../../../engines/errors'
import type { ProcessState } from '../../../engines/pool/engine-process'
import { Pool, type PoolSettings } from '../../../engines/pool/pool'
import type { OutputFile } from '../../../engines/types'
import { fakeJob } from './fake-engines'

/** A process that does only what the test tells it. `pids` are counted from 1. */
interface FakeProcess {
  pid: number
  state: ProcessState
  jobCount: number
  residentBytes: number
  canceled: boolean
  become(state: ProcessState): void
  finish(): void
  crash(): void
  end(error: unknown): void
}

const { processes, control, FakeEngineProcess } = vi.hoisted(() => {
  const started: FakeProcess[] = []
  const settings = { failStarts: false }
  class Fake implements FakeProcess {
    state: ProcessState = 'starting'
    jobCount = 0
    residentBytes = 0
    isKilledInJob = false
    failure: unknown
    canceled = false
    readonly pid = started.push(this)
    #job: { resolve(output: unknown): void; reject(error: unknown): void } | undefined
    #gone = () => {}
    readonly ended = new Promise<void>(resolve => (this.#gone = resolve))

    constructor(
      _: unknown,
      private readonly onChange: (process: Fake) => void,
    ) {
      if (settings.failStarts) throw new Error('no more processes')
    }
    become(state: ProcessState): void {
      this.state = state
      if (state === 'gone') this.#gone()
      this.onChange(this)
    }
    run(): Promise<unknown> {
      this.jobCount += 1
      const output = new Promise((resolve, reject) => (this.#job = { resolve, reject }))
      this.become('busy')
      return output
    }
    finish(): void {
      this.#job?.resolve({ name: `by ${this.pid}`, timings: {} })
      this.become('idle')
    }
    crash(): void {
      this.#job?.reject(Object.assign(new Error('crashed'), { reason: 'crashed' }))
      this.become('gone')
    }
    cancel(): void {
      this.canceled = true
    }
    end(error?: unknown): void {
      this.isKilledInJob = this.state === 'busy'
      this.#job?.reject(error)
      this.become('gone')
    }
  }
  return { processes: started, control: settings, FakeEngineProcess: Fake }
})
vi.mock('../../../engines/pool/engine-process', () => ({ EngineProcess: FakeEngineProcess }))

const DEADLINES = { openTimeoutMs: 1000, toolTimeoutMs: 1000 }

describe('the pool', () => {
  let pool: Pool
  beforeEach(() => {
    vi.useFakeTimers()
    processes.length = 0
    control.failStarts = false
  })
  afterEach(async () => {
    await pool.close()
    vi.useRealTimers()
  })

  const open = (settings: Partial<PoolSettings> = {}) => {
    pool = new Pool({
      count: 2,
      maxQueue: 100,
      jobsPerProcess: 100,
      maxRssBytes: 1000,
      childPath: '',
      spoolFolder: '/spool',
      ...settings,
    })
  }
  /** A pool whose processes are all warm. */
  const openWarm = (settings: Partial<PoolSettings> = {}) => {
    open(settings)
    nth(1).become('idle')
    for (const process of processes.slice(1)) process.become('idle')
  }
  const nth = (pid: number): FakeProcess => processes[pid - 1] ?? expect.fail(`no process ${pid}`)
  const states = () => processes.map(({ state }) => state)
  const outcomes = new Map<string, string>()
  /** How long each job waited, or how long an engine worked on a failed one. */
  const times = new Map<string, number | undefined>()
  const run = (name: string, owner?: string, signal?: AbortSignal) => {
    outcomes.set(name, 'unsettled')
    void pool
      .run(fakeJob('echo'), { ...DEADLINES, ...(owner !== undefined && { owner }), ...(signal && { signal }) })
      .then(
        (output: OutputFile) => {
          outcomes.set(name, output.name)
          times.set(name, output.timings['queue'])
        },
        (error: unknown) => {
          outcomes.set(name, (error as EngineError).reason)
          times.set(name, (error as EngineError).workMs)
        },
      )
  }
  const settled = async (...names: string[]) => {
    await vi.advanceTimersByTimeAsync(0)
    return names.map(name => outcomes.get(name))
  }

  it('starts the others, one more than jobs may run, when the first process is warm', () => {
    open({ count: 3 })
    expect(states()).toEqual(['starting'])
    nth(1).become('idle')
    expect(states()).toEqual(['idle', 'starting', 'starting', 'starting'])
    expect(pool.status()).toMatchObject({ processes: 1, started: 4, busy: 0 })
  })

  it('keeps the last idle process for owners without a running job, while others still start', async () => {
    open()
    nth(1).become('idle')
    nth(2).become('idle')
    run('a1', 'a')
    run('a2', 'a')
    expect(states()).toEqual(['busy', 'idle', 'starting'])
    expect(pool.status()).toMatchObject({ busy: 1, waiting: 1 })
    run('b1', 'b')
    expect(states()).toEqual(['busy', 'busy', 'starting'])
    nth(2).finish()
    expect(await settled('a2', 'b1')).toEqual(['unsettled', 'by 2'])
    nth(3).become('idle')
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 0 })
    expect(nth(2).jobCount).toBe(2)
  })

  it('gives the last idle process to jobs without an owner', () => {
    open()
    nth(1).become('idle')
    nth(2).become('idle')
    run('one')
    run('two')
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 0 })
  })

  it('runs as many jobs as configured, and one more only for an owner without a running job', async () => {
    openWarm()
    for (const name of ['a1', 'a2', 'a3']) run(name, 'a')
    run('nobody')
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 2 })
    run('b1', 'b')
    run('b2', 'b')
    expect(pool.status()).toMatchObject({ busy: 3, waiting: 3 })
    nth(1).finish()
    nth(2).finish()
    expect(await settled('a1', 'a2', 'a3', 'nobody')).toEqual(['by 1', 'by 2', 'unsettled', 'unsettled'])
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 2 })
  })

  it('prefers the process with the most jobs, but a worn one comes last', async () => {
    openWarm({ jobsPerProcess: 3 })
    for (const name of ['first', 'second', 'third']) {
      run(name)
      processes.find(({ state }) => state === 'busy')?.finish()
    }
    expect(await settled('first', 'second', 'third')).toEqual(['by 1', 'by 1', 'by 1'])
    expect(states()).toEqual(['idle', 'idle', 'idle', 'starting'])
    run('fourth')
    expect(states()).toEqual(['idle', 'busy', 'idle', 'starting'])
    nth(4).become('idle')
    expect(states()).toEqual(['gone', 'busy', 'idle', 'idle'])
    nth(4).jobCount = 1
    run('fifth')
    expect(states()).toEqual(['gone', 'busy', 'idle', 'busy'])
  })

  it('replaces a process that holds more than half of the memory', () => {
    openWarm()
    nth(1).residentBytes = 500
    nth(1).become('idle')
    expect(states()).toEqual(['idle', 'idle', 'idle'])
    nth(1).residentBytes = 501
    nth(1).become('idle')
    expect(states()).toEqual(['idle', 'idle', 'idle', 'starting'])
    nth(4).become('idle')
    expect(states()).toEqual(['gone', 'idle', 'idle', 'idle'])
    expect(pool.status()).toMatchObject({ killed: 0, crashed: 0 })
  })

  it('retries a crashed job once, only in a process without previous jobs', async () => {
    const onCrash = vi.fn()
    openWarm({ count: 1, onCrash })
    run('one')
    nth(1).finish()
    run('crashing')
    run('waiting')
    nth(1).crash()
    expect(await settled('one', 'crashing', 'waiting')).toEqual(['by 1', 'unsettled', 'unsettled'])
    nth(2).finish()
    expect(await settled('crashing', 'waiting')).toEqual(['unsettled', 'by 2'])
    nth(3).become('idle')
    nth(3).finish()
    expect(await settled('crashing')).toEqual(['by 3'])
    run('lost')
    nth(2).crash()
    await settled()
    nth(4).become('idle')
    nth(4).crash()
    expect(await settled('lost')).toEqual(['crashed'])
    expect(onCrash.mock.calls.map(([, isFinal]) => isFinal as boolean)).toEqual([false, false, true])
    expect(pool.status()).toMatchObject({ crashed: 3, waiting: 0 })
  })

  it.each([
    ['its client has disconnected', async (leaving: AbortController) => leaving.abort()],
    ['the pool is closed', () => pool.close()],
  ])('does not retry a crashed job if %s', async (_, end) => {
    openWarm({ count: 1 })
    const leaving = new AbortController()
    run('crashing', 'a', leaving.signal)
    nth(1).crash()
    await end(leaving)
    expect(await settled('crashing')).toEqual(['crashed'])
    expect(pool.status()).toMatchObject({ crashed: 1, busy: 0 })
  })

  it('cancels a job that waits for its retry', async () => {
    openWarm({ count: 1 })
    const leaving = new AbortController()
    run('other', 'b')
    run('crashing', 'a', leaving.signal)
    nth(2).crash()
    await settled()
    leaving.abort()
    expect(await settled('crashing')).toEqual(['canceled'])
    expect(pool.status().waiting).toBe(0)
  })

  it('retries a crashed job before jobs that wait', async () => {
    openWarm({ count: 1 })
    for (const name of ['crashing', 'second', 'third']) run(name)
    nth(1).crash()
    nth(3).become('idle')
    await settled()
    nth(2).finish()
    nth(3).finish()
    expect(await settled('crashing', 'second', 'third')).toEqual(['by 3', 'by 2', 'unsettled'])
  })

  it('retries a crashed job at once if the spare process is fresh', async () => {
    openWarm({ count: 1 })
    run('crashing')
    nth(1).crash()
    await settled()
    expect(nth(2)).toMatchObject({ state: 'busy', jobCount: 1 })
  })

  it('starts a waiting job in the spare process if the process of the last one is not soon idle', async () => {
    openWarm({ count: 1 })
    run('first')
    run('second')
    nth(1).become('tidying')
    expect(states().slice(0, 2)).toEqual(['tidying', 'idle'])
    await settled()
    expect(states().slice(0, 2)).toEqual(['tidying', 'busy'])
  })

  it.each(['finish', 'crash'] as const)('releases the files of a job (%s)', async end => {
    openWarm({ count: 1 })
    const job = fakeJob('echo', [Buffer.from('file')])
    const ended = pool.run(job, DEADLINES).catch(() => undefined)
    nth(1)[end]()
    await settled()
    expect(job.files[0]?.chunks).toHaveLength(end === 'crash' ? 1 : 0)
    if (end === 'crash') nth(2).crash()
    await ended
    expect(job.files[0]?.chunks).toEqual([])
  })

  it('measures how long a job waited and how long a failed one was worked on', async () => {
    openWarm({ count: 1 })
    run('first')
    run('second')
    await vi.advanceTimersByTimeAsync(30)
    nth(1).finish()
    await vi.advanceTimersByTimeAsync(50)
    nth(1).end(Object.assign(new Error('too slow'), { reason: 'timed_out' }))
    expect(await settled('first', 'second')).toEqual(['by 1', 'timed_out'])
    expect([times.get('first'), times.get('second')]).toEqual([0, 50])
    run('third')
    run('fourth')
    await vi.advanceTimersByTimeAsync(20)
    nth(2).finish()
    nth(2).finish()
    await settled()
    expect([times.get('third'), times.get('fourth')]).toEqual([0, 20])
  })

  it('accepts a job without waiting places if a process is idle, whatever that process did before', async () => {
    openWarm({ count: 1, maxQueue: 0 })
    run('a1', 'a')
    run('b1', 'b')
    nth(1).finish()
    nth(2).finish()
    run('next')
    processes.find(({ state }) => state === 'busy')?.finish()
    expect(await settled('next')).toEqual(['by 1'])
  })

  it('refuses a job if exactly as many wait as may, unless the job can start at once', async () => {
    openWarm({ count: 1, maxQueue: 2 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) run(name, 'a')
    expect(await settled('a1', 'a2', 'a3', 'a4')).toEqual(['unsettled', 'unsettled', 'unsettled', 'busy'])
    run('b1', 'b')
    expect(pool.status()).toMatchObject({ busy: 2, waiting: 2 })
  })

  it('cancels waiting jobs at once, and tells the process of a running one', async () => {
    openWarm({ count: 1 })
    const [running, second, waiting] = [new AbortController(), new AbortController(), new AbortController()]
    run('running', 'a', running.signal)
    run('second', 'a', second.signal)
    run('waiting', 'a', waiting.signal)
    waiting.abort()
    expect(await settled('waiting')).toEqual(['canceled'])
    expect(pool.status().waiting).toBe(1)
    running.abort()
    expect(nth(1).canceled).toBe(true)
    nth(1).finish()
    nth(1).canceled = false
    second.abort()
    expect(await settled('running', 'second')).toEqual(['by 1', 'unsettled'])
    expect(nth(1).canceled).toBe(true)
    run('too late', 'a', AbortSignal.abort())
    expect(await settled('too late')).toEqual(['canceled'])
  })

  it('no longer listens to the client of an ended job', async () => {
    openWarm({ count: 1 })
    const leaving = new AbortController()
    run('ended', 'a', leaving.signal)
    nth(1).finish()
    await settled('ended')
    run('next', 'b')
    leaving.abort()
    expect(nth(1).canceled).toBe(false)
  })

  it('waits twice as long after each failed start, at most 30 s, and refuses jobs after the fourth', async () => {
    control.failStarts = true
    open()
    const ready = pool.ready().catch((error: unknown) => error)
    run('early')
    for (const [index, delayMs] of [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      expect(outcomes.get('early')).toBe(index < 3 ? 'unsettled' : 'busy')
      await vi.advanceTimersByTimeAsync(delayMs - 1)
      expect(pool.status().started).toBe(index + 1)
      await vi.advanceTimersByTimeAsync(1)
      expect(pool.status().started).toBe(index + 2)
    }
    expect(await ready).toMatchObject({
      reason: 'busy',
      cause: expect.objectContaining({ message: 'no more processes' }),
    })
    run('late')
    expect(await settled('late')).toEqual(['busy'])
    await expect(pool.ready()).rejects.toMatchObject({ reason: 'busy' })
    control.failStarts = false
    await vi.advanceTimersByTimeAsync(30_000)
    processes.at(-1)?.become('idle')
    run('again')
    processes.at(-1)?.finish()
    expect((await settled('again'))[0]).toMatch(/^by /)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(pool.status()).toMatchObject({ started: 13, waiting: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits after a process that ended at its start, but not after it was closed', async () => {
    open()
    nth(1).become('gone')
    await vi.advanceTimersByTimeAsync(249)
    expect(states()).toEqual(['gone'])
    await vi.advanceTimersByTimeAsync(1)
    expect(states()).toEqual(['gone', 'starting'])
    await pool.close()
    expect(vi.getTimerCount()).toBe(0)
    expect(states()).toEqual(['gone', 'gone'])
  })

  it('is ready with its first warm process, and refuses everything after it was closed', async () => {
    open()
    const ready = pool.ready()
    nth(1).become('idle')
    await ready
    await pool.ready()
    run('running')
    for (const name of ['a1', 'a2']) run(name, 'a')
    expect(pool.status().waiting).toBe(2)
    await pool.close()
    expect(await settled('running', 'a1', 'a2')).toEqual(['busy', 'busy', 'busy'])
    expect(states()).toEqual(['gone', 'gone', 'gone'])
    run('late')
    expect(await settled('late')).toEqual(['busy'])
    await expect(pool.ready()).rejects.toMatchObject({ reason: 'busy' })
    expect(pool.status()).toMatchObject({ started: 3, killed: 1 })
  })
})
