import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineError } from '../../../engines/errors'
import { EngineProcess } from '../../../engines/pool/engine-process'
import { encodeFrame, type FrameKind } from '../../../engines/pool/frames'
import { fakeJob } from './fake-engines'

/** What the system reports about the process. */
const figures = vi.hoisted(() => ({
  processorMs: 0 as number | undefined,
  residentBytes: Promise.resolve<number | undefined>(0),
}))

class Pipe extends Socket {
  override write() {
    return true
  }
}

class FakeChild extends EventEmitter {
  readonly pid = 2 ** 30
  readonly stdio = [null, null, new Pipe(), new Pipe(), new Pipe()]
  readonly stderr = this.stdio[2]
  kill = vi.fn()
}

const RESULT = { name: 'a', contentType: 'b', warnings: [], headers: {}, timings: { open: 1 } }

let child: FakeChild
vi.mock('node:child_process', () => ({ spawn: () => (child = new FakeChild()) }))
vi.mock('../../../engines/pool/process-figures', () => ({
  measureProcessorMs: () => figures.processorMs,
  measureResidentBytes: () => figures.residentBytes,
}))

describe('an engine process', () => {
  const states: string[] = []
  let engine: EngineProcess
  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(figures, { processorMs: undefined, residentBytes: Promise.resolve(0) })
    states.length = 0
    engine = new EngineProcess({ childPath: '', maxRssBytes: 1000 }, ({ state }) => states.push(state))
  })
  afterEach(() => {
    engine.end()
    vi.useRealTimers()
  })

  const receive = (kind: FrameKind, message?: unknown, rawBytes = 0) =>
    child.stdio[4]?.emit('data', encodeFrame(kind, message, rawBytes))
  const finish = () => receive('result', RESULT)
  const sendIdle = () => receive('idle', { residentBytes: 5 })
  const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  /** Starts a job, and returns its outcome as soon as there is one. */
  const run = ({ openTimeoutMs = 1000, toolTimeoutMs = 1000 } = {}) => {
    const job: { outcome?: string; error?: EngineError } = {}
    engine.run(fakeJob('echo'), { openTimeoutMs, toolTimeoutMs }, { path: '/nowhere/1.out', maxHeldBytes: 0 }).then(
      ({ name }) => (job.outcome = name),
      (error: unknown) => {
        job.error = error as EngineError // `run` rejects with no other errors.
        job.outcome = job.error.reason
      },
    )
    return job
  }

  it('has 120 s to start, and any time until its first job', async () => {
    await after(119_999)
    expect(engine).toMatchObject({ state: 'starting', failure: undefined })
    receive('ready')
    await after(2)
    expect(states).toEqual(['idle'])
    engine = new EngineProcess({ childPath: '', maxRssBytes: 1000 }, () => {})
    await after(120_000)
    expect(engine).toMatchObject({ state: 'gone', isKilledInJob: false })
    expect(engine.failure?.message).toBe(
      'An engine was not ready within 120 s of its start. The machine may be overloaded.',
    )
    expect(child.kill).toHaveBeenCalledWith('SIGKILL')
  })

  it('reports each change once, and its memory when it is idle again', async () => {
    receive('ready')
    const job = run()
    receive('opened')
    finish()
    await after(0)
    expect([job.outcome, engine.residentBytes]).toEqual(['a', 0])
    await after(9999)
    sendIdle()
    expect(vi.getTimerCount()).toBe(0)
    expect(engine).toMatchObject({ state: 'idle', residentBytes: 5, jobCount: 1 })
    engine.end()
    child.emit('close', null, 'SIGKILL')
    await engine.ended
    expect(states).toEqual(['idle', 'busy', 'tidying', 'idle', 'gone'])
    expect(engine).toMatchObject({ isKilledInJob: false, failure: undefined })
  })

  it('is killed if it is not idle 10 s after its job', async () => {
    receive('ready')
    run()
    finish()
    await after(10_000)
    expect(engine).toMatchObject({ state: 'gone', isKilledInJob: false })
  })

  it.each<FrameKind[]>([
    ['opened'],
    ['result'],
    ['error'],
    ['ready', 'ready'],
    ['ready', 'opened'],
    ['ready', 'idle'],
    ['ready', 'job', 'idle'],
    ['ready', 'job', 'ready'],
    ['ready', 'job', 'opened', 'opened'],
  ])('is killed if a frame is unexpected (%s %s %s %s)', async (...kinds) => {
    let job
    for (const kind of kinds) {
      expect(engine.state).not.toBe('gone')
      if (kind === 'job') job = run()
      else receive(kind, { ...RESULT, residentBytes: 5 })
    }
    await after(0)
    expect(job?.outcome).toBe(job && 'crashed')
    receive('ready')
    expect(engine.state).toBe('gone')
    expect(child.kill).toHaveBeenCalledTimes(1)
  })

  it('has one time limit until the document is open, and another one from then on', async () => {
    receive('ready')
    const job = run({ openTimeoutMs: 1000, toolTimeoutMs: 2000 })
    await after(999)
    receive('opened')
    await after(1999)
    expect(job.outcome).toBeUndefined()
    await after(1)
    expect(job.outcome).toBe('timed_out')
    expect(job.error?.cause).toBeUndefined()
    expect(job.error?.message).toContain('could not be finished within 2 seconds')
    expect(engine).toMatchObject({ isKilledInJob: true, failure: undefined })
  })

  it('gets the missing time twice if it used less than half of the processor time', async () => {
    figures.processorMs = 50
    receive('ready')
    const job = run()
    await after(999)
    figures.processorMs += 499
    await after(501) // Until 1,501 ms, because 501 ms were missing at 1,000 ms.
    expect(job.outcome).toBeUndefined()
    await after(501)
    expect(job.outcome).toBeUndefined()
    await after(501)
    expect(job).toMatchObject({ outcome: 'timed_out', error: { cause: '499 ms of processor time' } })
  })

  it.each([
    ['it used half of the processor time', 1000, 550],
    ['its processor time is unknown at the end', 1000, undefined],
    ['its processor time is unknown at the start', 50, 60],
  ])('gets no more time if %s', async (_, openTimeoutMs, processorMs) => {
    figures.processorMs = 50
    receive('ready')
    const job = run({ openTimeoutMs })
    await after(openTimeoutMs - 1)
    figures.processorMs = processorMs
    expect(job.outcome).toBeUndefined()
    await after(1)
    expect(job.outcome).toBe('timed_out')
  })

  it('is killed if a job needs more memory than allowed', async () => {
    receive('ready')
    figures.residentBytes = Promise.resolve(1000)
    const job = run()
    await after(100)
    expect(job.outcome).toBeUndefined()
    figures.residentBytes = Promise.resolve(1001)
    await after(99)
    expect(job.outcome).toBeUndefined()
    await after(1)
    expect(job).toMatchObject({ outcome: 'out_of_memory', error: { cause: 'resident set of 1001 bytes' } })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not killed for the memory of an ended job', async () => {
    receive('ready')
    figures.residentBytes = new Promise(resolve => setTimeout(resolve, 150, 1001))
    run()
    await after(100)
    finish()
    sendIdle()
    await after(150)
    expect(engine.state).toBe('idle')
  })

  it('has 250 ms to end a canceled job, even if the document is opened meanwhile', async () => {
    receive('ready')
    const job = run()
    engine.cancel()
    await after(100)
    expect(job.outcome).toBe('canceled')
    engine.cancel()
    receive('opened')
    await after(149)
    expect(engine.state).toBe('busy')
    await after(1)
    expect(engine).toMatchObject({ state: 'gone', isKilledInJob: true, failure: undefined })
  })

  it('remains if it ends a canceled job in time', async () => {
    receive('ready')
    run()
    engine.cancel()
    await after(249)
    finish()
    sendIdle()
    engine.cancel()
    await after(1000)
    expect(engine.state).toBe('idle')
  })

  it.each([
    ['of itself', 'noise', 'crashed'],
    ['without memory', 'FATAL ERROR: Reached heap limit Allocation failed', 'out_of_memory'],
  ])('rejects its job if it ends %s, with the last 2,000 characters that it printed', async (_, words, reason) => {
    receive('ready')
    child.stderr?.emit('data', Buffer.from('FATAL ERROR: Reached heap limit'))
    const job = run()
    child.stderr?.emit('data', Buffer.from('x'.repeat(2000)))
    child.stderr?.emit('data', Buffer.from(words))
    for (const pipe of child.stdio) pipe?.emit('error', new Error('EPIPE'))
    child.emit('close', 1, null)
    await after(0)
    expect(job.outcome).toBe(reason)
    expect(engine.failure?.cause).toBe(
      `engine process ended: exit code 1, signal null\n${'x'.repeat(2000 - words.length)}${words}`,
    )
    expect(engine.isKilledInJob).toBe(false)
  })

  it('fails if it could not be started', () => {
    child.emit('error', new Error('ENOENT'))
    expect(engine).toMatchObject({ state: 'gone', failure: { reason: 'crashed', cause: new Error('ENOENT') } })
  })
})
