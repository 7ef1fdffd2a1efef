import type { Browser } from 'puppeteer'
import { EngineError } from '../errors'
import { findCacheFolder } from './cache-folder'
import { findBrowser } from './find-browser'
import { launchBrowser } from './launch'
import type { LaunchSettings } from './launch'
import { killLargeRenderers, measureFamilyBytes } from './memory'
import { makeFonts } from './unpack'

export interface BrowserSettings {
  cacheDir: string | undefined
  executablePath: string | undefined
  /** A browser elsewhere, in place of one of this machine. */
  endpoint: string | undefined
  searchPath: string
  mayLackSandbox: boolean
  /** Bundle of `make-fonts.ts`. */
  makeFontsPath: string
  /** Told what an operator should know. */
  onNotice(notice: BrowserNotice): void
}

/** Something that happened to the browser; `isTrouble` when pages can't be printed, or less safely, because of it. */
export interface BrowserNotice {
  isTrouble: boolean
  message: string
  cause?: unknown
}

export interface BrowserStatus {
  state: 'starting' | 'ready' | 'unavailable'
  /** Such as `Chrome/147.0.7727.0`; undefined until there is one. */
  version?: string
  /** Whether pages run in a sandbox; unknown of a browser elsewhere. */
  sandbox?: boolean
  /** Of its first process; none of a browser elsewhere. */
  pid?: number
  running: number
  printed: number
  /** Browsers started so far. */
  started: number
}

/** One browser process (or connection) from its start to its end. */
interface Generation {
  browser: Browser
  version: string
  pid: number | undefined
  startedAtMs: number
  jobs: number
  running: number
  isRetired: boolean
  close(): Promise<void>
  kill(): void
}

const MOST_JOBS = 1000
const MOST_AGE_MS = 3_600_000
const MOST_BYTES = 1.5 * 2 ** 30
const LOOK_EVERY_MS = 1000
const RETRY_MS = [500, 2000, 10_000, 60_000]
const WAIT_MS = 60_000

/** Keeps one browser warm: starts it, replaces it when it was lost or is worn, and ends it. */
export class BrowserKeeper {
  readonly #settings: BrowserSettings
  readonly #generations = new Set<Generation>()
  readonly #waiting = new Set<() => void>()
  #launch: LaunchSettings | undefined
  #current: Generation | undefined
  #failure: Error | undefined
  #isClosed = false
  #isStarting = false
  #failedStarts = 0
  #printed = 0
  #started = 0
  #retry: NodeJS.Timeout | undefined
  readonly #watch: NodeJS.Timeout

  constructor(settings: BrowserSettings) {
    this.#settings = settings
    this.#watch = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    this.#watch.unref()
    void this.#start()
  }

  status(): BrowserStatus {
    const running = [...this.#generations].reduce((sum, generation) => sum + generation.running, 0)
    const state = this.#current ? 'ready' : this.#failure ? 'unavailable' : 'starting'
    return { state, ...(this.#current && { version: this.#current.version }), ...(this.#current?.pid !== undefined && { pid: this.#current.pid }), ...(this.#launch && { sandbox: this.#launch.hasSandbox }), running, printed: this.#printed, started: this.#started }
  }

  /** Resolves when there is a browser; EngineError `busy` when none works. */
  async ready(): Promise<void> {
    if (!this.#current) await this.#untilReady(new AbortController().signal)
  }

  /**
   * Lets `work` use the browser, once there is one. Throws what `work` throws; EngineError `busy` where no browser can be
   * had, and `cancelled` when the signal fires first.
   */
  async use<Result>(work: (browser: Browser) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const generation = this.#current ?? (await this.#untilReady(signal))
    generation.jobs += 1
    generation.running += 1
    try {
      const result = await work(generation.browser)
      this.#printed += 1
      return result
    } finally {
      generation.running -= 1
      this.#retireIfWorn(generation)
      if (generation.isRetired && generation.running === 0) void this.#end(generation)
    }
  }

  /** Replaces a browser in which something would not end. */
  replace(browser: Browser): void {
    const generation = [...this.#generations].find(one => one.browser === browser)
    if (generation) this.#retire(generation)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    clearTimeout(this.#retry)
    for (const wake of this.#waiting) wake()
    await Promise.all([...this.#generations].map(generation => this.#end(generation)))
  }

  async #start(): Promise<void> {
    if (this.#isStarting || this.#isClosed) return
    this.#isStarting = true
    try {
      const generation = await this.#open()
      if (this.#isClosed) return await generation.close()
      this.#generations.add(generation)
      this.#started += 1
      generation.browser.on('disconnected', () => this.#notice(generation))
      this.#current = generation
      this.#failure = undefined
      this.#failedStarts = 0
      for (const wake of this.#waiting) wake()
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#isStarting = false
    }
  }

  async #open(): Promise<Generation> {
    const { endpoint } = this.#settings
    const facts = { startedAtMs: performance.now(), jobs: 0, running: 0, isRetired: false }
    if (endpoint !== undefined) {
      const { connect } = await import('puppeteer')
      const browser = await connect({ browserWSEndpoint: endpoint, protocolTimeout: 0, defaultViewport: null })
      return { ...facts, browser, version: await browser.version(), pid: undefined, close: () => browser.disconnect(), kill: () => void browser.disconnect() }
    }
    const running = this.#launch ? await launchBrowser(this.#launch) : await this.#find()
    return { ...facts, ...running, version: (await running.browser.version()).replace('Headless', '') }
  }

  /** Looks for a browser that works, the first time. */
  async #find() {
    const { cacheDir, makeFontsPath, executablePath, searchPath, mayLackSandbox, onNotice } = this.#settings
    const cache = findCacheFolder(cacheDir)
    const fontsPath = await makeFonts(cache, makeFontsPath)
    const { running, settings } = await findBrowser({ cache, fontsPath, executablePath, searchPath, mayLackSandbox })
    this.#launch = settings
    if (!settings.hasSandbox) onNotice({ isTrouble: true, message: 'the browser runs WITHOUT its sandbox: a page that breaks out of it has the rights of this service' })
    return running
  }

  #fail(error: unknown): void {
    const cause = errorOf(error)
    const delay = RETRY_MS[Math.min(this.#failedStarts, RETRY_MS.length - 1)] ?? WAIT_MS
    this.#failedStarts += 1
    if (this.#failure?.message !== cause.message) this.#settings.onNotice({ isTrouble: true, message: 'no browser could be started; web pages can\'t be printed until one can', cause })
    this.#failure = cause
    for (const wake of this.#waiting) wake()
    if (this.#isClosed) return
    this.#retry = setTimeout(() => void this.#start(), delay)
    this.#retry.unref()
  }

  /** A browser that went away without being asked to is followed by another at once. */
  #notice(generation: Generation): void {
    this.#generations.delete(generation)
    generation.kill()
    if (this.#current === generation) this.#current = undefined
    if (generation.isRetired || this.#isClosed) return
    this.#settings.onNotice({ isTrouble: false, message: 'the browser was lost; another one is started' })
    void this.#start()
  }

  #untilReady(signal: AbortSignal): Promise<Generation> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#current) settle(() => resolve(this.#current as Generation)) // just seen
        else if (signal.aborted) settle(() => reject(new EngineError('cancelled', 'The call was cancelled.')))
        else if (this.#failure || this.#isClosed) settle(() => reject(unavailable(this.#failure)))
      }
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        signal.removeEventListener('abort', look)
        end()
      }
      const timer = setTimeout(() => settle(() => reject(unavailable(undefined))), WAIT_MS)
      this.#waiting.add(look)
      signal.addEventListener('abort', look)
      look()
    })
  }

  #retireIfWorn(generation: Generation): void {
    const isOld = generation.pid !== undefined && performance.now() - generation.startedAtMs > MOST_AGE_MS
    if (!generation.isRetired && (generation.jobs >= MOST_JOBS || isOld)) this.#retire(generation)
  }

  /** Another browser takes over before this one is ended, when its last page is done. */
  #retire(generation: Generation): void {
    if (generation.isRetired || this.#isStarting || this.#isClosed) return
    generation.isRetired = true
    void this.#start().then(() => {
      if (this.#current === generation) generation.isRetired = false // no other could be started
      else if (generation.running === 0) void this.#end(generation)
    })
  }

  async #end(generation: Generation): Promise<void> {
    if (!this.#generations.delete(generation)) return
    generation.isRetired = true
    if (this.#current === generation) this.#current = undefined
    await generation.close()
  }

  /** Ends pages that take too much memory, and replaces a browser that as a whole has come to hold too much. */
  async #look(): Promise<void> {
    for (const generation of this.#generations) {
      if (generation.pid === undefined) continue
      if (generation.running > 0) killLargeRenderers(generation.pid)
      else if (!generation.isRetired && measureFamilyBytes(generation.pid) > MOST_BYTES) this.#retire(generation)
    }
  }
}

/** The error behind what was thrown; a web socket throws an event that holds it. */
function errorOf(thrown: unknown): Error {
  const held = typeof thrown === 'object' && thrown !== null && 'error' in thrown ? thrown.error : thrown
  return held instanceof Error ? held : new Error(String(held))
}

function unavailable(cause: Error | undefined): EngineError {
  return new EngineError('busy', 'Web pages can\'t be printed on this server at the moment. Please send the call again later.', { cause })
}
