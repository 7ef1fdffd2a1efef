import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { rm } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { EngineError } from '../errors'
import { SMALL_OUTPUT_BYTES, holdChunks, openSpoolFile } from '../output-content'
import type { OutputContent } from '../output-content'
import type { Job, OutputFile } from '../types'
import { OUT_OF_MEMORY_SENTENCE } from './describe-error'
import { idleSchema, readErrorMessage, resultSchema } from './messages'
import type { SpoolTarget } from './messages'
import { listNodeFlags } from './node-flags'
import { measureProcessorMs, measureResidentBytes } from './process-figures'
import { readInterleaved } from './interleaved-read'
import { sendJob } from './send-job'
import { FrameReader, type Frame } from './frames'

export interface ProcessSettings {
  /** Path of the bundled script that the process runs. */
  childPath: string
  maxRssBytes: number
}

/**
 * Time limits in milliseconds of elapsed time. If a process got little CPU time, because of other jobs or a suspended
 * machine, its document isn't proven to be slow. The limit is then extended by the missing time, at most twice.
 */
export interface Deadlines {
  /** From the moment when the job is sent until the documents are open and inspected. */
  openTimeoutMs: number
  /** From then until the last byte of the response. */
  toolTimeoutMs: number
}

/**
 * `starting` until the process has warmed up, `tidying` between its response and its readiness for the next job, `gone`
 * as soon as it is told to end or has ended by itself.
 */
export type ProcessState = 'starting' | 'idle' | 'busy' | 'tidying' | 'gone'

interface RunningJob {
  resolve(output: OutputFile): void
  reject(error: EngineError): void
  deadlines: Deadlines
  spoolPath: string
  isOpened: boolean
  isCanceled: boolean
  /**
   * CPU time of the process a tenth of a second after the start of the job, because short jobs don't need the
   * measurement. Undefined if the system doesn't report CPU time.
   */
  processorMs?: number | undefined
  extensions: number
  timings: Record<string, number>
}

/**
 * A child process with its pipes. It runs one job at a time. It is killed with SIGKILL if the job exceeds a deadline or
 * the memory limit, because nothing else stops code that processes a hostile document.
 */
export class EngineProcess {
  state: ProcessState = 'starting'
  jobCount = 0
  /** Resident memory after the last heavy job. */
  residentBytes = 0
  /** Whether the process was killed during a job. */
  isKilledInJob = false
  /** Why the process ended by itself. */
  failure: EngineError | undefined
  /** Settles as soon as the operating system has removed the process. */
  readonly ended: Promise<void>

  readonly #child: ChildProcess
  readonly #input: Socket
  readonly #maxRssBytes: number
  readonly #onChange: (process: EngineProcess) => void
  #job: RunningJob | undefined
  #deadline: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #stderrText = ''

  /** `onChange` is called after each change of `state`. */
  constructor({ childPath, maxRssBytes }: ProcessSettings, onChange: (process: EngineProcess) => void) {
    this.#maxRssBytes = maxRssBytes
    this.#onChange = onChange
    this.#child = spawn(process.execPath, [...listNodeFlags(maxRssBytes), childPath], {
      cwd: '/',
      // The environment of the service isn't passed on, because it contains the secrets of the database and of the
      // sessions.
      env: { NODE_ENV: 'production', TZ: 'UTC', LANG: 'C.UTF-8' },
      // Standard input stays open and unused. Its end tells the child that this process has ended (watchdog.ts).
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    })
    this.#child.once('error', cause => this.#handleEnd(new EngineError('crashed', CRASHED_SENTENCE, { cause })))
    this.ended = new Promise(resolve => this.#child.once('close', () => resolve()))
    lowerPriority(this.#child.pid)
    this.#input = socketOf(this.#child, 3)
    this.#listen(socketOf(this.#child, 4))
    this.#setDeadline(START_TIMEOUT_MS, () => {
      this.failure = new EngineError(
        'crashed',
        `An engine was not ready within ${START_TIMEOUT_MS / 1000} s of its start. The machine may be overloaded.`,
      )
      this.end()
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Sends a job to an idle process. The chunks of the job's files are removed while they are written. The spool file
   * has no name when this method returns, and doesn't remain after a failure. Throws EngineError: what the tool throws,
   * `timed_out`, `out_of_memory`, `crashed`, `canceled`.
   */
  run(job: Job, deadlines: Deadlines, spool: SpoolTarget): Promise<OutputFile> {
    this.jobCount += 1
    this.#stderrText = ''
    return new Promise((resolve, reject) => {
      const running: RunningJob = {
        resolve,
        reject,
        deadlines,
        spoolPath: spool.path,
        isOpened: false,
        isCanceled: false,
        extensions: 0,
        timings: {},
      }
      this.#job = running
      this.#awaitProgress('opened and inspected', deadlines.openTimeoutMs, running)
      this.#watch = setInterval(() => {
        running.processorMs ??= this.#measureProcessor()
        void this.#checkMemory(running)
      }, WATCH_INTERVAL_MS)
      this.#change('busy')
      const sentAt = performance.now()
      void sendJob(this.#input, job, spool).then(() => (running.timings.send = performance.now() - sentAt))
    })
  }

  /**
   * Rejects the running job as `canceled`. The process gets a moment to finish by itself before it is killed, because a
   * warm process is worth keeping.
   */
  cancel(): void {
    if (this.#job === undefined || this.#job.isCanceled) return
    this.#job.isCanceled = true
    this.#job.reject(new EngineError('canceled', 'The request was canceled.'))
    this.#setDeadline(CANCEL_GRACE_MS, () => this.end())
  }

  /** Kills the process in any state. A running job is rejected with `error`. */
  end(error = new EngineError('canceled', 'The request was canceled.')): void {
    this.isKilledInJob = this.#job !== undefined
    this.#child.kill('SIGKILL')
    this.#markGone(error)
  }

  #listen(output: Socket): void {
    const reader = new FrameReader({ maxTextBytes: MAX_TEXT_BYTES, maxRawBytes: SMALL_OUTPUT_BYTES }, frame =>
      this.#handleFrame(frame),
    )
    readInterleaved(output, chunk => this.#guard(() => reader.push(chunk)))
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderrText = (this.#stderrText + chunk.toString('latin1')).slice(-MAX_COMPLAINT_CHARACTERS)
    })
    // Writing to a process that has just ended fails. The `close` event reports its end.
    for (const stream of this.#child.stdio) stream?.on('error', () => undefined)
    this.#child.once('close', (code, signal) => this.#handleEnd(this.#describeEnd(code, signal)))
  }

  #handleFrame({ kind, message, chunks }: Frame): void {
    if (kind === 'ready' && this.state === 'starting') return this.#becomeIdle()
    if (kind === 'idle' && this.state === 'tidying') {
      this.residentBytes = idleSchema.parse(message).residentBytes
      return this.#becomeIdle()
    }
    const job = this.#job
    if (job === undefined) throw new Error(`unexpected ${kind}`)
    if (kind === 'opened' && !job.isOpened) {
      job.isOpened = true
      if (job.isCanceled) return
      const { toolTimeoutMs } = job.deadlines
      return this.#awaitProgress('finished', toolTimeoutMs, job)
    }
    if (kind === 'error') {
      const error = readErrorMessage(message)
      return this.#finish(() => job.reject(error))
    }
    if (kind !== 'result') throw new Error(`unexpected ${kind}`)
    const { timings, spooledBytes, ...result } = resultSchema.parse(message)
    if (job.isCanceled) return this.#finish(() => removeFile(job.spoolPath))
    const content = openContent(chunks, job.spoolPath, spooledBytes)
    this.#finish(() => job.resolve({ ...result, content, timings: { ...job.timings, ...timings } }))
  }

  /** Ends a process that sends invalid frames, like a crashed one. */
  #guard(read: () => void): void {
    if (this.state === 'gone') return
    try {
      read()
    } catch (cause) {
      this.end(new EngineError('crashed', CRASHED_SENTENCE, { cause }))
    }
  }

  /** Settles the running job. The process then has a limited time to report that it is idle. */
  #finish(settle: () => void): void {
    clearInterval(this.#watch)
    this.#job = undefined
    settle()
    this.#setDeadline(TIDY_TIMEOUT_MS, () => this.end())
    this.#change('tidying')
  }

  #becomeIdle(): void {
    clearTimeout(this.#deadline)
    this.#change('idle')
  }

  #handleEnd(error: EngineError): void {
    if (this.state !== 'gone') this.failure = error
    this.#markGone(error)
  }

  #markGone(error: EngineError): void {
    const job = this.#job
    this.#job = undefined
    clearInterval(this.#watch)
    job?.reject(error)
    if (job) void this.#removeSpoolAfterEnd(job)
    this.#change('gone')
  }

  /** A killed process can still write until the system has removed it. */
  async #removeSpoolAfterEnd({ spoolPath }: RunningJob): Promise<void> {
    await this.ended
    removeFile(spoolPath)
  }

  #change(state: ProcessState): void {
    if (state === 'gone') clearTimeout(this.#deadline)
    if (this.state === 'gone') return
    this.state = state
    this.#onChange(this)
  }

  /** Ends the process unless the job progresses within `timeoutMs`. */
  #awaitProgress(step: string, timeoutMs: number, job: RunningJob, allowedMs = timeoutMs): void {
    this.#setDeadline(allowedMs, () => {
      const now = this.#measureProcessor()
      const usedMs = job.processorMs === undefined || now === undefined ? undefined : now - job.processorMs
      if (usedMs === undefined || usedMs >= timeoutMs * STARVED_PART || job.extensions === MAX_EXTENSIONS)
        return this.end(timedOut(step, timeoutMs, usedMs))
      job.extensions += 1
      this.#awaitProgress(step, timeoutMs, job, timeoutMs - usedMs)
    })
  }

  #measureProcessor(): number | undefined {
    return this.pid === undefined ? undefined : measureProcessorMs(this.pid)
  }

  #setDeadline(timeoutMs: number, onPassed: () => void): void {
    clearTimeout(this.#deadline)
    if (this.state !== 'gone') this.#deadline = setTimeout(onPassed, timeoutMs)
  }

  async #checkMemory(job: RunningJob): Promise<void> {
    const residentBytes = this.pid === undefined ? undefined : await measureResidentBytes(this.pid)
    if (residentBytes === undefined || residentBytes <= this.#maxRssBytes || this.#job !== job) return
    this.end(
      new EngineError('out_of_memory', OUT_OF_MEMORY_SENTENCE, { cause: `resident set of ${residentBytes} bytes` }),
    )
  }

  #describeEnd(code: number | null, signal: NodeJS.Signals | null): EngineError {
    const cause = `engine process ended: exit code ${code}, signal ${signal}\n${this.#stderrText}`
    const isHeapFull = /heap out of memory|heap limit/i.test(this.#stderrText)
    return isHeapFull
      ? new EngineError('out_of_memory', OUT_OF_MEMORY_SENTENCE, { cause })
      : new EngineError('crashed', CRASHED_SENTENCE, { cause })
  }
}

function socketOf(child: ChildProcess, fd: 3 | 4): Socket {
  const stream = (child.stdio as ChildProcess['stdio'] | undefined)?.[fd] // `stdio` is missing if no file descriptors are available.
  if (!(stream instanceof Socket)) throw new EngineError('internal', 'The engine process has no pipes.')
  return stream
}

/** Halves the CPU weight of a process compared to the service, whose event loop must respond quickly. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.max(ENGINE_NICE, getPriority()))
  } catch {
    // The process has ended, or the system doesn't allow the change. Requests then only take longer during long jobs.
  }
}

/** Returns an output that follows its frame, or one in the spool file. Throws Error if the file isn't as announced. */
function openContent(chunks: Uint8Array[], spoolPath: string, spooledBytes: number | undefined): OutputContent {
  return spooledBytes === undefined ? holdChunks(chunks) : openSpoolFile(spoolPath, spooledBytes)
}

function removeFile(path: string): void {
  rm(path, () => {}) // The next start removes what remains.
}

function timedOut(step: string, timeoutMs: number, usedMs: number | undefined): EngineError {
  const sentence =
    `The document could not be ${step} within ${Math.round(timeoutMs / 100) / 10} seconds. Use a smaller ` +
    'file, fewer pages or a simpler request body.'
  return new EngineError(
    'timed_out',
    sentence,
    usedMs === undefined ? {} : { cause: `${Math.round(usedMs)} ms of processor time` },
  )
}

/** A higher value would let other programs of the same session starve an engine. */
const ENGINE_NICE = 3
const CRASHED_SENTENCE = 'The engine stopped before the request was finished.'
const START_TIMEOUT_MS = 120_000
const TIDY_TIMEOUT_MS = 10_000
const CANCEL_GRACE_MS = 250
/** A process that used a smaller share of the elapsed time didn't get enough CPU time. */
const STARVED_PART = 0.5
const MAX_EXTENSIONS = 2
const WATCH_INTERVAL_MS = 100
const MAX_TEXT_BYTES = 2 ** 20
const MAX_COMPLAINT_CHARACTERS = 2000
