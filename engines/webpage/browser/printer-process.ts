import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs'
import { join } from 'node:path'
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { EngineError } from '../../errors'
import { measureResidentBytes } from '../../pool/process-figures'
import type { BrowserStatus } from './browser-pool'
import type { BrowserNotice } from './browser-opener'
import { notRendered } from '../page/page-guard'
import { measureTreeBytes } from './process-memory'
import { fromPlainError } from './printer-messages'
import type { PrinterCommand, ProcessSettings, Report } from './printer-messages'
import type { Printer } from './browser-printer'
import type { PageJob, RenderedPage } from '../page/render-page'

export interface PrinterProcessSettings extends ProcessSettings {
  /** Path of the bundle of `engines/webpage/browser/child.ts`. */
  childPath: string
  /** An existing folder for prints over 1 MiB. */
  spoolFolder: string
  onNotice(notice: BrowserNotice): void
}

/**
 * Memory limit of the process without its browser. Pages can flood the process with events. Above the limit, it is
 * replaced.
 */
const MOST_BYTES = 1.5 * 2 ** 30
/** The process reports its status every half second. It is ended after this time without a report. */
const MOST_SILENCE_MS = 20_000
const LOOK_EVERY_MS = 1000
const RESTART_MS = 1000
const CLOSE_MS = 5000

/** The process ended before it sent its result. */
class ProcessLost extends Error {}

interface PendingRequest {
  resolve(page: RenderedPage | undefined): void
  reject(error: Error): void
}

type Request = { kind: 'print'; job: PageJob; spoolPath: string } | { kind: 'ready' } | { kind: 'close' }

/** Prints pages in a separate process. If that process ends, it is started again. */
export class PrinterProcess implements Printer {
  readonly #settings: PrinterProcessSettings
  readonly #pending = new Map<number, PendingRequest>()
  readonly #watch: NodeJS.Timeout
  #child: ChildProcess | undefined
  #status: BrowserStatus = STARTING
  #heardAtMs = 0
  #startedAtMs = 0
  #lastId = 0
  #isClosed = false
  #restart: NodeJS.Timeout | undefined

  constructor(settings: PrinterProcessSettings) {
    this.#settings = settings
    this.#watch = setInterval(() => void this.#check(), LOOK_EVERY_MS)
    this.#watch.unref()
    this.#start()
  }

  /**
   * Prints a page once more if its process was lost, because another page may have caused the loss. The caller removes
   * the file of a large print.
   */
  async print(job: PageJob, signal: AbortSignal): Promise<RenderedPage> {
    for (let attempt = 0; ; attempt++) {
      const spoolPath = join(this.#settings.spoolFolder, `${randomUUID()}.print`)
      try {
        const page = await this.#request({ kind: 'print', job, spoolPath }, signal)
        if (page) return page
        throw new EngineError('internal', 'The page could not be printed.')
      } catch (error) {
        rm(spoolPath, { force: true }, () => {}) // The process may have ended while it wrote.
        if (!(error instanceof ProcessLost)) throw error
        if (attempt > 0 || this.#isClosed) throw notRendered(error)
      }
    }
  }

  async ready(): Promise<void> {
    await this.#request({ kind: 'ready' }, undefined)
  }

  status(): BrowserStatus {
    return this.#status
  }

  residentBytes(): number {
    return this.#child?.pid === undefined ? 0 : measureTreeBytes(this.#child.pid)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    clearTimeout(this.#restart)
    const child = this.#child
    if (!child) return
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
    await this.#request({ kind: 'close' }, undefined).catch(() => {}) // The process is ended in any case.
    clearTimeout(timer)
    child.kill('SIGKILL')
  }

  #start(): void {
    const { childPath, spoolFolder: _, onNotice, ...settings } = this.#settings
    const child = fork(childPath, [], {
      serialization: 'advanced',
      env: { NODE_ENV: 'production' },
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#startedAtMs = this.#heardAtMs = performance.now()
    child.on('message', (report: Report) => this.#handleReport(report, onNotice))
    child.on('error', () => {}) // An `exit` event follows, or a message could no longer be sent.
    child.on('exit', () => this.#handleExit(child))
    this.#send(child, { kind: 'begin', settings })
  }

  #handleExit(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = undefined
    this.#status = STARTING
    for (const { reject } of this.#pending.values()) reject(new ProcessLost('the printer process ended'))
    this.#pending.clear()
    if (this.#isClosed) return
    this.#settings.onNotice({
      isTrouble: false,
      message: 'the process that prints pages ended, another one is started',
    })
    const hasWorked = performance.now() - this.#startedAtMs > RESTART_MS
    if (hasWorked) this.#start()
    else this.#restart = setTimeout(() => this.#start(), RESTART_MS)
  }

  #request(request: Request, signal: AbortSignal | undefined): Promise<RenderedPage | undefined> {
    const child = this.#child
    if (signal?.aborted) return Promise.reject(new EngineError('canceled', 'The request was canceled.'))
    if (!child)
      return Promise.reject(new EngineError('busy', "The server can't print web pages at the moment. Try again later."))
    const id = ++this.#lastId
    return new Promise<RenderedPage | undefined>((resolve, reject) => {
      const abort = () => this.#send(child, { kind: 'abort', id })
      const settle = () => {
        this.#pending.delete(id)
        signal?.removeEventListener('abort', abort)
      }
      signal?.addEventListener('abort', abort)
      this.#pending.set(id, {
        resolve(page) {
          settle()
          resolve(page)
        },
        reject(error) {
          settle()
          reject(error)
        },
      })
      this.#send(child, { ...request, id })
    })
  }

  #send(child: ChildProcess, command: PrinterCommand): void {
    if (child.connected) child.send(command, () => {}) // The exit handler deals with a process that has ended.
  }

  #handleReport(report: Report, onNotice: PrinterProcessSettings['onNotice']): void {
    this.#heardAtMs = performance.now()
    if (report.kind === 'status') this.#status = report.status
    else if (report.kind === 'notice')
      onNotice({ ...report.notice, ...(report.cause === undefined ? {} : { cause: new Error(report.cause) }) })
    else if (report.kind === 'failed') this.#pending.get(report.id)?.reject(fromPlainError(report.error))
    else this.#pending.get(report.id)?.resolve(report.kind === 'printed' ? report.page : undefined)
  }

  async #check(): Promise<void> {
    const child = this.#child
    if (!child?.pid) return
    const bytes = (await measureResidentBytes(child.pid)) ?? 0
    if (bytes > MOST_BYTES || performance.now() - this.#heardAtMs > MOST_SILENCE_MS) child.kill('SIGKILL')
  }
}

const STARTING: BrowserStatus = { state: 'starting', running: 0, printed: 0, started: 0 }
