import { join } from 'node:path'
import { EngineError } from '../errors'
import { SMALL_OUTPUT_BYTES } from '../output-content'
import type { Job, OutputFile } from '../types'
import { EngineProcess, type Deadlines, type ProcessSettings } from './engine-process'
import type { SpoolTarget } from './messages'
import { measureResidentBytes } from './process-figures'

export interface PoolSettings extends ProcessSettings {
  /**
   * Number of jobs that run at the same time. The pool keeps one more process warm. After a kill or a replacement, no
   * job waits for a cold start, and an owner without a running job doesn't wait for long jobs of other owners.
   */
  count: number
  /** Maximum number of waiting jobs. Further jobs are rejected as `busy`. */
  maxQueue: number
  /** Number of jobs after which a process is replaced, because libraries never release interned objects. */
  jobsPerProcess: number
  /** An existing folder for large outputs. No other pool may use it. */
  spoolFolder: string
  /** Returns whether a small output of the next job of this owner may stay in memory. Default: always. */
  mayHold?: (owner: string | undefined) => boolean
  /** Called for each process that ended by itself during a job. `isFinal` unless the job is retried. */
  onCrash?: (error: EngineError, isFinal: boolean) => void
}

export interface PoolStatus {
  /** Number of warm processes, including the spare one. */
  processes: number
  busy: number
  waiting: number
  /** Processes started so far. */
  started: number
  /** Number of processes killed during a job so far, because of deadlines, memory limits and canceled requests. */
  killed: number
  /** Number of processes that ended by themselves during a job. */
  crashed: number
}

interface WaitingJob {
  job: Job
  owner: string | undefined
  deadlines: Deadlines
  signal: AbortSignal | undefined
  since: number
  /** Whether a process crashed during this job. The retry needs a process without previous jobs. */
  isRetry: boolean
  resolve(output: OutputFile): void
  reject(error: EngineError): void
}

/** Assigns jobs in order of arrival to warm processes, and keeps enough processes warm. */
export class Pool {
  readonly #settings: PoolSettings
  readonly #queue: WaitingJob[] = []
  readonly #processes = new Set<EngineProcess>()
  /** The running jobs by process. */
  readonly #running = new Map<EngineProcess, WaitingJob>()
  readonly #ending = new Set<Promise<void>>()
  readonly #whenReady: { resolve(): void; reject(error: EngineError): void }[] = []
  #isClosed = false
  #started = 0
  #killed = 0
  #crashed = 0
  #failedStarts = 0
  #spooledJobs = 0
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
      }
      signal?.addEventListener('abort', () => this.#cancel(waiting))
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
    const measurements = await Promise.all(pids.map(measureResidentBytes))
    return measurements.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  }

  /** See `Engines.close`. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#nextStart)
    this.#refuseAll(closing())
    for (const process of this.#processes) process.end(closing())
    await Promise.all(this.#ending)
  }

  /** Starts missing processes and assigns waiting jobs. Called after every change of processes or jobs. */
  #settle(): void {
    if (this.#isClosed) return
    this.#retireWorn()
    this.#startMissing()
    for (let index = 0; index < this.#queue.length;) {
      const next = this.#queue[index] as WaitingJob // The condition of the loop guarantees this index.
      const free = this.#findFree(next)
      if (free === undefined) index++
      else {
        this.#queue.splice(index, 1)
        this.#assign(free, next)
      }
    }
  }

  /**
   * Prefers the process with the most jobs, because its code is compiled best. A retry needs a process without previous
   * jobs. The last idle process is reserved for owners without a running job. The request queue can't decide this,
   * because it counts requests. Outlines, invoices of purchases and the last steps of web pages have no slot there.
   */
  #findFree({ owner, isRetry }: Pick<WaitingJob, 'owner' | 'isRetry'>): EngineProcess | undefined {
    const isRunning = owner !== undefined && [...this.#running.values()].some(running => running.owner === owner)
    const hasNoRunningJob = owner !== undefined && !isRunning
    if (this.#countBusy() >= this.#settings.count + (hasNoRunningJob ? 1 : 0)) return undefined
    const idle = [...this.#processes].filter(process => process.state === 'idle')
    if (isRunning && idle.length < 2) return undefined
    const candidates = idle.filter(process => !isRetry || process.jobCount === 0)
    return candidates.sort((a, b) => Number(this.#isWorn(a)) - Number(this.#isWorn(b)) || b.jobCount - a.jobCount)[0]
  }

  #assign(process: EngineProcess, waiting: WaitingJob): void {
    const { job, owner, deadlines, since } = waiting
    const queue = performance.now() - since
    const startedMs = performance.now()
    this.#running.set(process, waiting)
    // The process empties the arrays of chunks, but a retry needs the chunks again.
    const copy = { ...job, files: job.files.map(file => ({ ...file, chunks: [...file.chunks] })) }
    process
      .run(copy, deadlines, this.#chooseSpool(owner))
      .finally(() => {
        if (this.#running.get(process) === waiting) this.#running.delete(process) // The process may already run the next job.
      })
      .then(
        output => {
          releaseChunks(job)
          waiting.resolve({ ...output, timings: { queue, ...output.timings } })
        },
        (thrown: unknown) => {
          const error = thrown as EngineError // A process rejects with no other errors.
          error.workMs = performance.now() - startedMs
          if (error.reason === 'crashed') this.#retry(waiting, error)
          else this.#fail(waiting, error)
        },
      )
  }

  /** A retry gets a new name, because the crashed process may still be ending. */
  #chooseSpool(owner: string | undefined): SpoolTarget {
    const { spoolFolder, mayHold = () => true } = this.#settings
    this.#spooledJobs += 1
    return {
      path: join(spoolFolder, `${this.#spooledJobs}.out`),
      maxHeldBytes: mayHold(owner) ? SMALL_OUTPUT_BYTES : 0,
    }
  }

  #fail(waiting: WaitingJob, error: EngineError): void {
    releaseChunks(waiting.job)
    waiting.reject(error)
  }

  /**
   * Retries a job after a crash in a process without previous jobs, because an earlier job may have caused the crash.
   */
  #retry(waiting: WaitingJob, error: EngineError): void {
    const isFinal = waiting.isRetry || this.#isClosed || waiting.signal?.aborted === true
    this.#crashed += 1
    this.#settings.onCrash?.(error, isFinal)
    if (isFinal) return this.#fail(waiting, error)
    waiting.isRetry = true
    this.#queue.unshift(waiting)
    this.#settle()
  }

  /** Removes the job from the queue, or stops the process that runs it. */
  #cancel(waiting: WaitingJob): void {
    for (const [process, running] of this.#running) if (running === waiting) return process.cancel()
    const index = this.#queue.indexOf(waiting)
    if (index >= 0) this.#queue.splice(index, 1)
    waiting.reject(canceled())
  }

  /** Ends worn processes, but only if their successors are warm, so that no job waits for them. */
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
      const process = new EngineProcess(this.#settings, changedProcess => this.#handleChange(changedProcess))
      this.#processes.add(process)
      this.#ending.add(process.ended)
      void process.ended.then(() => this.#ending.delete(process.ended))
    } catch (cause) {
      this.#countFailedStart(cause) // The system is out of processes or file descriptors.
    }
  }

  #handleChange(process: EngineProcess): void {
    if (process.state === 'gone') this.#removeProcess(process)
    if (process.state === 'idle') for (const { resolve } of this.#whenReady.splice(0)) resolve()
    if (process.state === 'idle' && process.jobCount > 0) this.#failedStarts = 0
    // The `idle` frame usually arrives with the response. A microtask therefore lets the warmest process take the next
    // job, instead of the spare one.
    if (process.state === 'tidying') queueMicrotask(() => this.#settle())
    else if (process.state !== 'busy') this.#settle()
  }

  #removeProcess(process: EngineProcess): void {
    this.#processes.delete(process)
    if (process.isKilledInJob) this.#killed += 1
    if (process.jobCount === 0 && !this.#isClosed) this.#countFailedStart(process.failure)
  }

  #countFailedStart(cause: unknown): void {
    this.#failedStarts += 1
    this.#lastFailure = cause
    if (this.#isBroken) this.#refuseAll(this.#unavailable())
  }

  /** The first process warms up faster alone on the machine. The other processes start afterwards. */
  get #isFirstWarmingUp(): boolean {
    return this.#processes.size > 0 && this.#countWarm() === 0
  }

  /** Whether processes repeatedly end before their first job. Jobs are then rejected instead of waiting. */
  get #isBroken(): boolean {
    return this.#failedStarts >= BROKEN_AFTER_STARTS && this.#countWarm() === 0
  }

  #unavailable(): EngineError {
    return new EngineError('busy', "The engines can't be started at the moment. Try again later.", {
      cause: this.#lastFailure,
    })
  }

  #refuseAll(error: EngineError): void {
    for (const { reject } of this.#whenReady.splice(0)) reject(error)
    for (const { reject } of this.#queue.splice(0)) reject(error)
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

function releaseChunks({ files }: Job): void {
  for (const { chunks } of files) chunks.length = 0
}

const canceled = () => new EngineError('canceled', 'The request was canceled.')
const closing = () => new EngineError('busy', 'The service is shutting down. Try again in a moment.')
const full = () => new EngineError('busy', 'Too many requests are waiting. Try again in a moment.')

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000
const BROKEN_AFTER_STARTS = 4
const WORN_AT_SHARE_OF_MEMORY = 0.5
