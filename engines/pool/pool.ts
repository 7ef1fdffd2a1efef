import { EngineError } from '../errors'
import type { Job, OutputFile } from '../types'
import { EngineProcess, type Deadlines, type ProcessSettings } from './engine-process'
import { measureResidentBytes } from './process-figures'

export interface PoolSettings extends ProcessSettings {
  /** Jobs that run at the same time. One more process is kept warm, so that a kill or a recycling makes nobody wait for a cold start. */
  count: number
  /** Jobs that wait at most; one more is refused as `busy`. */
  maxQueue: number
  /** After so many jobs a process is replaced: libraries keep what they have once interned. */
  jobsPerProcess: number
}

export interface PoolStatus {
  /** Warm processes, the spare one included. */
  processes: number
  busy: number
  waiting: number
  /** Processes started so far. */
  started: number
  /** Processes killed so far in mid job: deadlines, memory, cancelled calls. */
  killed: number
}

interface WaitingJob {
  job: Job
  deadlines: Deadlines
  signal: AbortSignal | undefined
  since: number
  resolve(output: OutputFile): void
  reject(error: EngineError): void
  /** Takes the job out of the queue, or stops the process that works on it. */
  abort: () => void
}

/** Hands jobs in the order of their coming to warm processes, and sees to it that there are warm processes. */
export class Pool {
  readonly #settings: PoolSettings
  readonly #queue: WaitingJob[] = []
  readonly #processes = new Set<EngineProcess>()
  readonly #ending = new Set<Promise<void>>()
  readonly #whenReady: { resolve(): void; reject(error: EngineError): void }[] = []
  #isClosed = false
  #started = 0
  #killed = 0
  #failedStarts = 0
  #lastFailure: unknown
  #nextStart: NodeJS.Timeout | undefined

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#settle()
  }

  /** See `Engines.run`. */
  run(job: Job, { signal, ...deadlines }: Deadlines & { signal?: AbortSignal }): Promise<OutputFile> {
    if (this.#isClosed) return Promise.reject(closing())
    if (signal?.aborted) return Promise.reject(cancelled())
    if (this.#isBroken) return Promise.reject(this.#unavailable())
    if (this.#queue.length >= this.#settings.maxQueue && this.#findFree() === undefined) return Promise.reject(full())
    return new Promise((resolve, reject) => {
      const waiting: WaitingJob = { job, deadlines, signal, since: performance.now(), resolve, reject, abort: () => this.#withdraw(waiting) }
      signal?.addEventListener('abort', waiting.abort, { once: true })
      this.#queue.push(waiting)
      this.#settle()
    })
  }

  /** See `Engines.ready`. */
  ready(): Promise<void> {
    if (this.#countWarm() > 0) return Promise.resolve()
    if (this.#isClosed) return Promise.reject(closing())
    if (this.#isBroken) return Promise.reject(this.#unavailable())
    return new Promise((resolve, reject) => this.#whenReady.push({ resolve, reject }))
  }

  status(): PoolStatus {
    return { processes: this.#countWarm(), busy: this.#countBusy(), waiting: this.#queue.length, started: this.#started, killed: this.#killed }
  }

  /** See `Engines.residentBytes`. */
  async residentBytes(): Promise<number> {
    const pids = [...this.#processes].flatMap(({ pid }) => pid ?? [])
    const all = await Promise.all(pids.map(measureResidentBytes))
    return all.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  }

  /** See `Engines.close`. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#nextStart)
    this.#refuseAll(closing())
    for (const process of this.#processes) process.end(closing())
    await Promise.all(this.#ending)
  }

  /** Brings processes and jobs together; called after whatever may have changed either. */
  #settle(): void {
    if (this.#isClosed) return
    this.#retireWorn()
    this.#startMissing()
    for (let free = this.#findFree(); free !== undefined; free = this.#findFree()) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#assign(free, next)
    }
  }

  /** The process that worked last is taken first: its code is compiled best. */
  #findFree(): EngineProcess | undefined {
    if (this.#countBusy() >= this.#settings.count) return undefined
    const idle = [...this.#processes].filter(process => process.state === 'idle')
    return idle.sort((a, b) => Number(this.#isWorn(a)) - Number(this.#isWorn(b)) || b.jobCount - a.jobCount)[0]
  }

  #assign(process: EngineProcess, waiting: WaitingJob): void {
    const { job, deadlines, signal, since, abort } = waiting
    const queue = performance.now() - since
    signal?.removeEventListener('abort', abort)
    const cancel = () => process.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    process
      .run(job, deadlines)
      .then(output => ({ ...output, timings: { queue, ...output.timings } }))
      .finally(() => signal?.removeEventListener('abort', cancel))
      .then(waiting.resolve, waiting.reject)
  }

  #withdraw(waiting: WaitingJob): void {
    const place = this.#queue.indexOf(waiting)
    if (place >= 0) this.#queue.splice(place, 1)
    waiting.reject(cancelled())
  }

  /** Ends worn processes, but only when enough fresh ones are warm, so that nobody waits for their successors. */
  #retireWorn(): void {
    for (const process of this.#processes) {
      if (process.state === 'idle' && this.#isWorn(process) && this.#countFreshWarm() >= this.#settings.count) process.end()
    }
  }

  #startMissing(): void {
    while (this.#failedStarts === 0 && this.#countMissing() > 0 && !this.#isFirstWarmingUp) this.#start()
    if (this.#nextStart !== undefined || this.#failedStarts === 0 || this.#countMissing() <= 0) return
    this.#nextStart = setTimeout(() => {
      this.#nextStart = undefined
      if (this.#countMissing() > 0) this.#start()
      this.#startMissing()
    }, Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failedStarts - 1)))
  }

  #start(): void {
    this.#started += 1
    try {
      const process = new EngineProcess(this.#settings, changed => this.#notice(changed))
      this.#processes.add(process)
      this.#ending.add(process.ended)
      void process.ended.then(() => this.#ending.delete(process.ended))
    } catch (cause) {
      this.#countFailedStart(cause) // the system gives no more processes or descriptors
    }
  }

  #notice(process: EngineProcess): void {
    if (process.state === 'gone') this.#bury(process)
    if (process.state === 'idle') for (const { resolve } of this.#whenReady.splice(0)) resolve()
    if (process.state === 'idle' && process.jobCount > 0) this.#failedStarts = 0
    // The word that it is idle mostly comes with the answer: then the warmest process takes the next job, not the spare one.
    if (process.state === 'tidying') queueMicrotask(() => this.#settle())
    else if (process.state !== 'busy') this.#settle()
  }

  #bury(process: EngineProcess): void {
    this.#processes.delete(process)
    if (process.isKilledInJob) this.#killed += 1
    if (process.jobCount === 0 && !this.#isClosed) this.#countFailedStart(process.failure)
  }

  #countFailedStart(cause: unknown): void {
    this.#failedStarts += 1
    this.#lastFailure = cause
    if (this.#isBroken) this.#refuseAll(this.#unavailable())
  }

  /** The first one is warm sooner when it has the machine for itself; the others come then. */
  get #isFirstWarmingUp(): boolean {
    return this.#processes.size > 0 && this.#countWarm() === 0
  }

  /** Processes die before their first job, again and again: nobody should wait for them. */
  get #isBroken(): boolean {
    return this.#failedStarts >= BROKEN_AFTER_STARTS && this.#countWarm() === 0
  }

  #unavailable(): EngineError {
    return new EngineError('busy', 'The engines cannot be started at the moment. Please send the call again later.', { cause: this.#lastFailure })
  }

  #refuseAll(error: EngineError): void {
    for (const { reject } of this.#whenReady.splice(0)) reject(error)
    for (const { signal, abort, reject } of this.#queue.splice(0)) {
      signal?.removeEventListener('abort', abort)
      reject(error)
    }
  }

  #isWorn({ jobCount, residentBytes }: EngineProcess): boolean {
    return jobCount >= this.#settings.jobsPerProcess || residentBytes > this.#settings.maxRssBytes * WORN_AT_SHARE_OF_MEMORY
  }

  #countMissing(): number {
    return this.#settings.count + 1 - [...this.#processes].filter(process => !this.#isWorn(process)).length
  }

  #countBusy(): number {
    return [...this.#processes].filter(process => process.state === 'busy').length
  }

  #countWarm(): number {
    return [...this.#processes].filter(process => process.state !== 'starting').length
  }

  #countFreshWarm(): number {
    return [...this.#processes].filter(process => process.state !== 'starting' && !this.#isWorn(process)).length
  }
}

const cancelled = () => new EngineError('cancelled', 'The call was cancelled.')
const closing = () => new EngineError('busy', 'The service is shutting down. Please send the call again in a moment.')
const full = () => new EngineError('busy', 'Too many calls are waiting. Please send the call again in a moment.')

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000
const BROKEN_AFTER_STARTS = 4
const WORN_AT_SHARE_OF_MEMORY = 0.5
