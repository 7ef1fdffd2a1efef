import type { EngineError } from './errors'
import { Pool, type PoolStatus } from './pool/pool'
import type { Job, OutputFile } from './types'
import { PooledWebPrinter } from './webpage/web-printer'
import type { PageRequest, WebPrinter as Renderer } from './webpage/web-printer'
import { PrinterProcess } from './webpage/browser/printer-process'
import type { PrinterProcessSettings } from './webpage/browser/printer-process'

interface EngineSettings {
  /** Path of the bundled engine process (`engines/pool/child.ts`). */
  childPath: string
  /** Number of jobs that run at the same time, each in a separate process. */
  count: number
  /** Resident set size above which a process is killed during a job. */
  maxRssBytes: number
  /** Maximum number of waiting jobs. */
  maxQueue: number
  /** Number of jobs after which a process is replaced. Default: 1000. */
  jobsPerProcess?: number
  /** An existing folder for outputs over 1 MiB. No other pool may use it. */
  spoolFolder: string
  /** Returns whether a small output of the next job of this owner may stay in memory. Default: always. */
  mayHold?: (owner: string | undefined) => boolean
  /** Called for each process that ended by itself during a job. `isFinal` unless the job is retried. */
  onCrash?: (error: EngineError, isFinal: boolean) => void
}

interface RunOptions {
  /** Cancels the job. Its process is killed if it doesn't finish within a moment. */
  signal?: AbortSignal
  /**
   * Owner of the job. If no job of this owner is running, the job may start in addition to `count` jobs of other
   * owners.
   */
  owner?: string
  openTimeoutMs: number
  toolTimeoutMs: number
}

/** Warm child processes that work on documents, so that a hostile document can disrupt only its own request. */
export interface Engines {
  /**
   * Runs a job after the jobs that arrived before it. A job whose process crashed is retried once, in a process without
   * previous jobs. The `chunks` of the job's files are empty afterwards. An output over 1 MiB is in a spool
   * file, which disappears when its content is released. `timings` begins with `queue` and `send`.
   *
   * Throws only EngineError: what the tool throws, `timed_out` (openTimeoutMs until the documents are open,
   * toolTimeoutMs from then on), `output_too_large`, `out_of_memory`, `crashed`, `canceled`, and `busy` if the queue or
   * the disk is full, the engines are closing or no process can be started.
   */
  run(job: Job, options: RunOptions): Promise<OutputFile>
  /**
   * Resolves as soon as the first process is warm. Throws EngineError `busy` if processes keep ending at their start.
   */
  ready(): Promise<void>
  status(): PoolStatus
  /** Bytes of physical memory that all engine processes hold. Shared memory pages count for each process. */
  residentBytes(): Promise<number>
  /** Ends all processes. Waiting and running jobs are rejected as `busy`. Resolves when no process is left. */
  close(): Promise<void>
}

/** Starts the engine processes. Jobs can be sent at once and wait until a process is warm. */
export function createEngines({ jobsPerProcess = JOBS_PER_PROCESS, ...settings }: EngineSettings): Engines {
  return new Pool({ ...settings, jobsPerProcess })
}

/**
 * A new process needs 400 ms of work to warm up and nearly as much until its code is compiled, as much as a thousand
 * small jobs. The memory that libraries retain stops growing at about 200 MB after the first thousand documents. A
 * process that has grown large is replaced earlier (pool.ts).
 */
const JOBS_PER_PROCESS = 1000

/** Prints web pages with a browser that is kept warm. See `engines/webpage/web-printer.ts`. */
export type WebPrinter = Renderer

interface WebPrinterSettings extends PrinterProcessSettings {
  /** Maximum number of bytes of an output. */
  maxOutputBytes: number
  /** Runs the last step of a print in an engine process. */
  finish(job: Job, page: Pick<PageRequest, 'owner' | 'signal'>): Promise<OutputFile>
}

/**
 * Starts a process with a browser and prints web pages with it. Pages can be sent at once and wait until a browser
 * runs.
 */
export function createWebPrinter({ finish, maxOutputBytes, ...settings }: WebPrinterSettings): WebPrinter {
  return new PooledWebPrinter({ finish, maxOutputBytes, printer: new PrinterProcess(settings) })
}
