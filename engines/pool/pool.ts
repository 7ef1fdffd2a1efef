import { EngineError } from '../errors'
import type { Job, OutputFile } from '../types'
import { EngineProcess, type Deadlines, type ProcessSettings } from './engine-process'
import { measureResidentBytes } from './process-figures'

export interface PoolSettings extends ProcessSettings {
  /**
   * Jobs that run at the same time. One more process is kept warm: a kill or a recycling makes nobody wait for a cold
   * start, and an owner without a running job needn't wait for the long jobs of another one.
   */
  count: number
  /** Jobs that wait at most; one more is refused as `busy`. */
  maxQueue: number
  /** After so many jobs a process is replaced: libraries keep what they have once interned. */
  jobsPerProcess: number
  /** Told of each process that ended in mid job by itself; `isFinal` unless the job is tried once more. */
  onCrash?: (error: EngineError, isFinal: boolean) => void
}

export interface PoolStatus {
  /** Warm processes, the spare one included. */
  processes: number
  busy: number
  waiting: number
  /** Processes started so far. */
  started: number
  /** Processes killed so far in mid job: deadlines, memory, canceled calls. */
  killed: number
  /** Processes that ended in mid job by themselves. */
  crashed: number
}

interface WaitingJob {
  job: Job
  owner: string | undefined
  deadlines: Deadlines
  signal: AbortSignal | undefined
  since: number
  /** Whether a process crashed over it: only one without a job before this one takes it then. */
  isRetry: boolean
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
  /** What runs where. */
  readonly #running = new Map<EngineProcess, WaitingJob>()
  readonly #ending = new Set<Promise<void>>()
  readonly #whenReady: { resolve(): void; reject(error: EngineError): void }[] = []
  #isClosed = false
  #started = 0
  #killed = 0
  #crashed = 0
  #failedStarts = 0
  #lastFailure: unknown
  #nextStart: NodeJS.Timeout | undefined

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#settle()
  }

  /** See `Engines.run`. */
  run(
    job: Job,
    { signal, owner, ...deadlines }: Deadlines & { signal?: AbortSignal; owner?: string },
  ): Promise<OutputFile> {
    if (this.#isClosed) return Promise.reject(closing())
    if (signal?.aborted) return Promise.reject(canceled())
    if (this.#isBroken) return Promise.reject(this.#unavailable())
    if (this.#queue.length >= this.#settings.maxQueue && this.#findFree({ owner, isRetry: false }) === undefined)
      return Promise.reject(full())
    return new Promise((resolve, reject) => {
      const waiting: WaitingJob = {
        job,
        owner,
        deadlines,
        signal,
        since: performance.now(),
        isRetry: false,
        resolve,
        reject,
        abort: () => this.#withdraw(waiting),
      }
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
    return {
      processes: this.#countWarm(),
      busy: this.#countBusy(),
      waiting: this.#queue.length,
      started: this.#started,
      killed: this.#killed,
      crashed: this.#crashed,
    }
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
    for (let index = 0; index < this.#queue.length;) {
      const next = this.#queue[index] as WaitingJob // as the loop's condition says
      const free = this.#findFree(next)
      if (free === undefined) index++
      else {
        this.#queue.splice(index, 1)
        this.#assign(free, next)
      }
    }
  }

  /**
   * The process that worked last is taken first: its code is compiled best. A second attempt takes only one that had no
   * job yet. The last one is left for owners without a running job.
   */
  #findFree({ owner, isRetry }: Pick<WaitingJob, 'owner' | 'isRetry'>): EngineProcess | undefined {
    const isRunning = owner !== undefined && [...this.#running.values()].some(running => running.owner === owner)
    const isGuest = owner !== undefined && !isRunning
    if (this.#countBusy() >= this.#settings.count + (isGuest ? 1 : 0)) return undefined
    const idle = [...this.#processes].filter(process => process.state === 'idle')
    if (isRunning && idle.length < 2) return undefined
    const able = idle.filter(process => !isRetry || process.jobCount === 0)
    return able.sort((a, b) => Number(this.#isWorn(a)) - Number(this.#isWorn(b)) || b.jobCount - a.jobCount)[0]
  }

  #assign(process: EngineProcess, waiting: WaitingJob): void {
    const { job, deadlines, signal, since, abort } = waiting
    const queue = performance.now() - since
    signal?.removeEventListener('abort', abort)
    const cancel = () => process.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    const startedMs = performance.now()
    this.#running.set(process, waiting)
    // The process empties the lists of chunks that it is sent; a second attempt needs them again.
    const copy = { ...job, files: job.files.map(file => ({ ...file, chunks: [...file.chunks] })) }
    process
      .run(copy, deadlines)
      .finally(() => {
        if (this.#running.get(process) === waiting) this.#running.delete(process) // it may have the next job already
        signal?.removeEventListener('abort', cancel)
      })
      .then(
        output => {
          letGo(job)
          waiting.resolve({ ...output, timings: { queue, ...output.timings } })
        },
        (thrown: unknown) => {
          const error = thrown as EngineError // a process rejects with nothing else
          error.workMs = performance.now() - startedMs
          if (error.reason === 'crashed') this.#retry(waiting, error)
          else this.#fail(waiting, error)
        },
      )
  }

  #fail(waiting: WaitingJob, error: EngineError): void {
    letGo(waiting.job)
    waiting.reject(error)
  }

  /** A crash may be nobody's fault: the job gets a second attempt, in a process that worked on nothing else. */
  #retry(waiting: WaitingJob, error: EngineError): void {
    const isFinal = waiting.isRetry || this.#isClosed || waiting.signal?.aborted === true
    this.#crashed += 1
    this.#settings.onCrash?.(error, isFinal)
    if (isFinal) return this.#fail(waiting, error)
    waiting.isRetry = true
    waiting.signal?.addEventListener('abort', waiting.abort, { once: true })
    this.#queue.unshift(waiting)
    this.#settle()
  }

  #withdraw(waiting: WaitingJob): void {
    const place = this.#queue.indexOf(waiting)
    if (place >= 0) this.#queue.splice(place, 1)
    waiting.reject(canceled())
  }

  /** Ends worn processes, but only when their successors are warm, so that nobody waits for them. */
  #retireWorn(): void {
    for (const process of this.#processes) {
      if (process.state === 'idle' && this.#isWorn(process) && this.#countFreshWarm() > this.#settings.count)
        process.end()
    }
  }

  #startMissing(): void {
    while (this.#failedStarts === 0 && this.#countMissing() > 0 && !this.#isFirstWarmingUp) this.#start()
    if (this.#nextStart !== undefined || this.#failedStarts === 0 || this.#countMissing() <= 0) return
    this.#nextStart = setTimeout(
      () => {
        this.#nextStart = undefined
        if (this.#countMissing() > 0) this.#start()
        this.#startMissing()
      },
      Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failedStarts - 1)),
    )
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
    // The word that it is idle mostly comes with the answer: then the warmest process takes the next job, not the spare
    // one.
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
    return new EngineError('busy', 'The engines cannot be started at the moment. Please send the call again later.', {
      cause: this.#lastFailure,
    })
  }

  #refuseAll(error: EngineError): void {
    for (const { reject } of this.#whenReady.splice(0)) reject(error)
    for (const { signal, abort, reject } of this.#queue.splice(0)) {
      signal?.removeEventListener('abort', abort)
      reject(error)
    }
  }

  #isWorn({ jobCount, residentBytes }: EngineProcess): boolean {
    return (
      jobCount >= this.#settings.jobsPerProcess || residentBytes > this.#settings.maxRssBytes * WORN_AT_SHARE_OF_MEMORY
    )
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

function letGo({ files }: Job): void {
  for (const { chunks } of files) chunks.length = 0
}

const canceled = () => new EngineError('canceled', 'The call was canceled.')
const closing = () => new EngineError('busy', 'The service is shutting down. Please send the call again in a moment.')
const full = () => new EngineError('busy', 'Too many calls are waiting. Please send the call again in a moment.')

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000
const BROKEN_AFTER_STARTS = 4
const WORN_AT_SHARE_OF_MEMORY = 0.5
