import type { EngineError } from './errors'
import { Pool, type PoolStatus } from './pool/pool'
import type { Job, OutputFile } from './types'
import { PooledWebPrinter } from './webpage/web-printer'
import type { PageCall, WebPrinter as Renderer } from './webpage/web-printer'
import { PrinterProcess } from './webpage/browser/printer-process'
import type { PrinterProcessSettings } from './webpage/browser/printer-process'

interface EngineSettings {
  /** Path of the bundled engine process (`engines/pool/child.ts`). */
  childPath: string
  /** Jobs that run at the same time, each in a process of its own. */
  count: number
  /** Resident set above which a process is killed in mid job. */
  maxRssBytes: number
  /** Jobs that wait at most. */
  maxQueue: number
  /** Jobs after which a process is replaced by a fresh one; 1000 when missing. */
  jobsPerProcess?: number
  /** Told of each process that ended in mid job by itself; `isFinal` unless the job is tried once more. */
  onCrash?: (error: EngineError, isFinal: boolean) => void
}

interface RunOptions {
  /** Ends the work; the process that does it is killed when it does not finish within a moment. */
  signal?: AbortSignal
  /** Whose job it is. If none of the owner's runs, it may begin beside `count` jobs of others. */
  owner?: string
  openTimeoutMs: number
  toolTimeoutMs: number
}

/**
 * Warm child processes that do the work on documents, so that a hostile one can take down no more than its own call.
 */
export interface Engines {
  /**
   * Does one job, after those that came before it. A job whose process crashed is tried once more, in a process that
   * had no other job. The `chunks` of the job's files are empty afterwards. The output's chunks are the pieces as they
   * came; its `timings` begin with `queue` and `send`.
   *
   * Throws EngineError only: whatever the tool refuses; `timed-out` (openTimeoutMs until the documents are open,
   * toolTimeoutMs from there), `out-of-memory`, `crashed`, `canceled`; `busy` when the queue is full, the engines are
   * closing or no process can be started.
   */
  run(job: Job, options: RunOptions): Promise<OutputFile>
  /** Resolves when the first process is warm; EngineError `busy` when processes keep dying at their start. */
  ready(): Promise<void>
  status(): PoolStatus
  /** Bytes of physical memory that all engine processes hold; pages that they share count for each. */
  residentBytes(): Promise<number>
  /** Ends all processes; waiting and running jobs are rejected as `busy`. Resolves when no process is left. */
  close(): Promise<void>
}

/** Starts the engine processes; jobs may be given at once and wait until a process is warm. */
export function createEngines({ jobsPerProcess = JOBS_PER_PROCESS, ...settings }: EngineSettings): Engines {
  return new Pool({ ...settings, jobsPerProcess })
}

/**
 * A fresh process costs 400 ms of work until it is warm and nearly as much again until its code is compiled, as much as
 * a thousand small jobs; what libraries keep stops growing at some 200 MB after the first thousand documents. One that
 * has grown large is replaced before (pool.ts).
 */
const JOBS_PER_PROCESS = 1000

/** Prints web pages with a browser that is kept warm; see `engines/webpage/web-printer.ts`. */
export type WebPrinter = Renderer

interface WebPrinterSettings extends PrinterProcessSettings {
  /** Does the last step of a print, in an engine process. */
  finish(job: Job, page: Pick<PageCall, 'owner' | 'signal'>): Promise<OutputFile>
}

/**
 * Starts a process with a browser and prints web pages with it; pages may be given at once and wait until there is one.
 */
export function createWebPrinter({ finish, ...settings }: WebPrinterSettings): WebPrinter {
  return new PooledWebPrinter({ finish, printer: new PrinterProcess(settings) })
}
