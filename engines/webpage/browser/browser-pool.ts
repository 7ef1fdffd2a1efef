import { availableParallelism } from 'node:os'
import { EngineError } from '../../errors'
import { BrowserOpener } from './browser-opener'
import type { BrowserSettings, Generation } from './browser-opener'
import { openBlankPage } from '../page/blank-page'
import type { BlankPage } from '../page/blank-page'
import { notRendered } from '../page/page-guard'
import type { ReservedPage } from '../page/render-page'
import { comesToRest, measureTreeBytes } from './process-memory'
import { PageWatchdog } from './page-watchdog'
import { killProcessTree } from './process-tree'

export interface BrowserStatus {
  state: 'starting' | 'ready' | 'unavailable'
  /** For example `Chrome/147.0.7727.0`. Undefined until a browser runs. */
  version?: string
  /** Whether pages run in a sandbox. Undefined if a remote browser doesn't tell. */
  sandbox?: boolean
  /** ID of the main process of a running browser. Undefined for a remote browser. */
  pid?: number
  /** Number of pages that are being printed. */
  running: number
  printed: number
  /** Number of browsers started so far. */
  started: number
}

const MOST_JOBS = 1000
/** A starting browser uses at least one core. The other cores stay free for pages that are being printed. */
const MOST_STARTING = Math.max(1, Math.floor(availableParallelism() / 2))
const MOST_AGE_MS = 3_600_000
/** Number of idle browsers beside those that print. One of them replaces a lost browser at once. */
const STANDBY = 1
/** The pool ends additional browsers after this time without a page. */
const MOST_IDLE_MS = 120_000
const LOOK_EVERY_MS = 1000
const RETRY_MS = [500, 2000, 10_000, 60_000]
const WAIT_MS = 60_000
/** A page that isn't closed by then ends with its browser. */
const CLOSE_MS = 5000
/**
 * The memory that a browser holds after its page counts toward the limit of the next page. A browser above this share
 * of the limit is ended.
 */
const MOST_SHARE_AT_REST = 1 / 3

/**
 * Keeps browsers warm. The pool starts browsers, assigns each to one page at a time, replaces lost or worn ones, and
 * ends them. A browser has only one page, so the memory of all its processes belongs to that page. Pages that share a
 * browser can't be told apart by their processes. The pool keeps one browser more than pages were recently printed at
 * once, up to its limit. While a page is printed, another browser opens the blank page for the next one.
 */
export class BrowserPool {
  readonly #settings: BrowserSettings
  readonly #generations = new Set<Generation>()
  readonly #waiting = new Set<() => void>()
  readonly #pageWatch: PageWatchdog
  readonly #opener: BrowserOpener
  #failure: Error | undefined
  #isClosed = false
  #starting = 0
  /** Target number of browsers. */
  #wanted = 1
  #failedStarts = 0
  #running = 0
  #printed = 0
  #started = 0
  #retry: NodeJS.Timeout | undefined
  readonly #watch: NodeJS.Timeout

  constructor(settings: BrowserSettings) {
    this.#settings = settings
    this.#opener = new BrowserOpener(settings)
    this.#pageWatch = new PageWatchdog({
      limitBytes: settings.mostPageBytes,
      onExcess: (pid, bytes) => this.#endForMemory(pid, bytes),
    })
    this.#watch = setInterval(() => this.#trim(), LOOK_EVERY_MS)
    this.#watch.unref()
    this.#grow()
  }

  status(): BrowserStatus {
    const [first] = this.#generations
    const { hasSandbox } = this.#opener
    const state = first ? 'ready' : this.#failure ? 'unavailable' : 'starting'
    return {
      state,
      ...(first && { version: first.version }),
      ...(first?.pid !== undefined && { pid: first.pid }),
      ...(hasSandbox !== undefined && { sandbox: hasSandbox }),
      running: this.#running,
      printed: this.#printed,
      started: this.#started,
    }
  }

  /** Returns the resident bytes of all browsers. 0 if the system doesn't report memory. */
  residentBytes(): number {
    return [...this.#generations].reduce((sum, { pid }) => sum + (pid === undefined ? 0 : measureTreeBytes(pid)), 0)
  }

  /** Resolves as soon as a browser runs. Throws EngineError `busy` if none works. */
  async ready(): Promise<void> {
    await this.#until(() => this.#generations.size > 0 || undefined, new AbortController().signal)
  }

  /**
   * Runs `work` with a blank page in a browser that no other page uses, as soon as one is available. Closes the page
   * afterwards. The result doesn't wait for that. Throws what `work` throws, EngineError `busy` if no browser is
   * available, `canceled` if the signal aborts first, and `not_rendered` if the browser was ended because its processes
   * held too much memory.
   */
  async use<Result>(work: (reserved: ReservedPage) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const generation = await this.#until(() => this.#take(), signal)
    const blank = this.#takeBlank(generation)
    this.#running += 1
    try {
      const result = await work({ browser: generation.browser, blank })
      this.#printed += 1
      return result
    } catch (error) {
      const { excessBytes } = generation
      throw excessBytes === undefined ? error : notRendered(`its processes held ${excessBytes} bytes of memory`)
    } finally {
      this.#running -= 1
      void this.#leave(generation, blank)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    clearTimeout(this.#retry)
    this.#wake()
    await Promise.all([...this.#generations].map(generation => this.#end(generation)))
  }

  /** Returns the idle browser that was used last, because its memory is warm. Prefers one with an open blank page. */
  #take(): Generation | undefined {
    const idle = this.#listIdle()
    const generation = idle.findLast(({ isPrepared }) => isPrepared) ?? idle.at(-1)
    if (!generation) return undefined
    generation.isBusy = true
    generation.jobs += 1
    if (generation.pid !== undefined) this.#pageWatch.add(generation.pid)
    return generation
  }

  /** Lists browsers without a page, the longest idle one first. */
  #listIdle(): Generation[] {
    return [...this.#generations].filter(({ isBusy }) => !isBusy).toSorted((a, b) => a.idleSinceMs - b.idleSinceMs)
  }

  /** Opens the blank page for the next request. */
  #prepare(generation: Generation): void {
    const blank = openBlankPage(generation.browser, this.#settings.egressHost)
    generation.blank = blank
    const settle = (isPrepared: boolean) => {
      if (generation.blank !== blank) return // A request has already taken it.
      generation.isPrepared = isPrepared
      if (!isPrepared) generation.blank = undefined
    }
    blank.then(
      () => settle(true),
      () => settle(false),
    )
  }

  /** Returns the blank page of a browser. Opens another one if it is missing or has crashed. */
  async #takeBlank(generation: Generation): Promise<BlankPage> {
    const { blank, browser } = generation
    generation.blank = undefined
    generation.isPrepared = false
    const opened = await blank
    if (opened?.isUsable) return opened
    await opened?.close().catch(() => {}) // The browser closes it later, together with its other pages.
    return openBlankPage(browser, this.#settings.egressHost)
  }

  /** Closes the page of a request and makes its browser available to the next one. */
  async #leave(generation: Generation, blank: Promise<BlankPage>): Promise<void> {
    const timer = setTimeout(() => void this.#end(generation), CLOSE_MS)
    await blank.then(page => page.close()).catch(() => {}) // If the browser is lost, the page is lost too.
    clearTimeout(timer)
    await this.#release(generation)
  }

  async #release(generation: Generation): Promise<void> {
    if (generation.pid !== undefined) {
      const maxRestBytes = this.#settings.mostPageBytes * MOST_SHARE_AT_REST
      const wasLarge = this.#pageWatch.remove(generation.pid) > maxRestBytes
      if (wasLarge && !(await comesToRest(generation.pid, maxRestBytes))) return this.#end(generation)
    }
    const isOld = generation.pid !== undefined && performance.now() - generation.startedAtMs > MOST_AGE_MS
    if (generation.jobs >= MOST_JOBS || isOld) generation.isWorn = true
    if (this.#generations.has(generation)) this.#prepare(generation)
    this.#want(this.#countBusy() + STANDBY) // After the page, because a starting browser would slow the page down.
    generation.isBusy = false
    generation.idleSinceMs = performance.now()
    this.#wake()
    this.#grow()
  }

  /** Starts browsers until the target number is reached. A worn browser prints until another one replaces it. */
  #grow(): void {
    if (this.#isClosed || this.#retry !== undefined) return
    this.#want(this.#countBusy() + this.#waiting.size)
    const missing = (this.#opener.isSure ? this.#wanted - this.#countFresh() : 1) - this.#starting
    for (let index = Math.min(missing, MOST_STARTING - this.#starting); index > 0; index--) void this.#start()
  }

  /** Raises the target number of browsers, up to the limit. */
  #want(browsers: number): void {
    this.#wanted = Math.max(this.#wanted, Math.min(this.#settings.mostPages, browsers))
  }

  #countBusy(): number {
    return [...this.#generations].filter(({ isBusy }) => isBusy).length
  }

  #countFresh(): number {
    return [...this.#generations].filter(({ isWorn }) => !isWorn).length
  }

  async #start(): Promise<void> {
    this.#starting += 1
    try {
      const generation = await this.#opener.open()
      if (this.#isClosed) return await generation.close()
      this.#generations.add(generation)
      this.#started += 1
      this.#prepare(generation)
      this.#settings.onNotice({ isTrouble: false, isRoutine: true, message: describeStart(generation) })
      generation.browser.on('disconnected', () => this.#notice(generation))
      this.#failure = undefined
      this.#failedStarts = 0
    } catch (error) {
      this.#fail(error as Error) // `open` throws only errors.
    } finally {
      this.#starting -= 1
      this.#wake()
      this.#trim()
      this.#grow()
    }
  }

  #fail(cause: Error): void {
    const delay = RETRY_MS[Math.min(this.#failedStarts, RETRY_MS.length - 1)] ?? WAIT_MS
    this.#failedStarts += 1
    if (this.#failure?.message !== cause.message)
      this.#settings.onNotice({
        isTrouble: true,
        message: "no browser could be started, so web pages can't be rendered",
        cause,
      })
    this.#failure = cause
    if (this.#isClosed || this.#retry !== undefined) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#grow()
    }, delay)
    this.#retry.unref()
  }

  /** Starts another browser at once after one ended unexpectedly. */
  #notice(generation: Generation): void {
    if (!this.#remove(generation)) return
    generation.kill()
    if (this.#isClosed) return
    this.#settings.onNotice({ isTrouble: false, message: 'the browser was lost, another one is started' })
    this.#wake()
    this.#grow()
  }

  /** Ends a browser because of its memory use. Its page fails like a crashed one. No other page uses this browser. */
  #endForMemory(pid: number, bytes: number): void {
    const generation = [...this.#generations].find(candidate => candidate.pid === pid)
    if (!generation) return
    generation.excessBytes = bytes
    this.#remove(generation)
    killProcessTree(pid)
    generation.kill()
    this.#settings.onNotice({
      isTrouble: false,
      message:
        `a page was ended: its processes held ${describeMebibytes(bytes)} of memory, of ` +
        `${describeMebibytes(this.#settings.mostPageBytes)} at most`,
    })
    this.#grow()
  }

  /** Returns the result of `find` as soon as it isn't undefined. */
  #until<Found>(find: () => Found | undefined, signal: AbortSignal): Promise<Found> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = signal.aborted || this.#isClosed ? undefined : find()
        if (found !== undefined) settle(() => resolve(found))
        else if (signal.aborted) settle(() => reject(new EngineError('canceled', 'The request was canceled.')))
        else if (this.#isClosed || (this.#failure && this.#generations.size === 0))
          settle(() => reject(unavailable(this.#failure)))
      }
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        signal.removeEventListener('abort', check)
        end()
      }
      const timer = setTimeout(() => settle(() => reject(unavailable(undefined))), WAIT_MS)
      this.#waiting.add(check)
      signal.addEventListener('abort', check)
      check()
      if (this.#waiting.has(check)) this.#grow()
    })
  }

  /** Wakes the waiting jobs, the longest waiting one first. */
  #wake(): void {
    for (const check of [...this.#waiting]) check()
  }

  /** Ends browsers that are worn or haven't been needed for a while. */
  #trim(): void {
    for (const generation of this.#listIdle()) {
      const isReplaced = generation.isWorn && this.#countFresh() >= this.#wanted
      const isNeedless = this.#wanted > 1 && performance.now() - generation.idleSinceMs > MOST_IDLE_MS
      if (isNeedless && !isReplaced) this.#wanted -= 1
      if (isReplaced || isNeedless) void this.#end(generation)
    }
  }

  /** Forgets a browser and closes the proxy of its unused page. Returns false if the browser was already forgotten. */
  #remove(generation: Generation): boolean {
    generation.blank?.then(({ egress }) => egress.close()).catch(() => {}) // A page that failed to open has no proxy.
    generation.blank = undefined
    generation.isPrepared = false
    return this.#generations.delete(generation)
  }

  async #end(generation: Generation): Promise<void> {
    if (!this.#remove(generation)) return
    if (generation.pid !== undefined) this.#pageWatch.remove(generation.pid)
    this.#grow()
    await generation.close()
  }
}

function describeStart({ version, pid }: Generation): string {
  return pid === undefined ? `connected to the remote browser ${version}` : `started ${version} as process ${pid}`
}

function describeMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}

function unavailable(cause: Error | undefined): EngineError {
  return new EngineError('busy', "The server can't print web pages at the moment. Try again later.", { cause })
}
