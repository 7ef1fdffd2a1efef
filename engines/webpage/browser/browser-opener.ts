import type { Browser } from 'puppeteer'
import { findCacheFolder } from './cache-folder'
import { findBrowser } from './find-browser'
import { launchBrowser } from './launch-browser'
import type { LaunchSettings, RunningBrowser } from './launch-browser'
import { makeFonts } from './unpack-browser'

/** Which browsers are started, and how many. */
export interface BrowserSettings {
  cacheDir: string | undefined
  executablePath: string | undefined
  /** A browser elsewhere, in place of one of this machine. */
  endpoint: string | undefined
  searchPath: string
  mayLackSandbox: boolean
  /** Pages that are printed at the same time, each by a browser of its own. */
  mostPages: number
  /** Bytes of physical memory that a page's browser may hold, with all of its processes. */
  mostPageBytes: number
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

/** One browser process (or connection) from its start to its end. */
export interface Generation {
  browser: Browser
  version: string
  pid: number | undefined
  startedAtMs: number
  idleSinceMs: number
  jobs: number
  /** Whether it has a page. */
  isBusy: boolean
  /** Whether another one has to take its place. */
  isWorn: boolean
  /** What its processes held when it was ended for that. */
  excessBytes: number | undefined
  close(): Promise<void>
  kill(): void
}

/** Starts browsers, or connects to those elsewhere. */
export class BrowserOpener {
  readonly #settings: BrowserSettings
  #launch: LaunchSettings | undefined

  constructor(settings: BrowserSettings) {
    this.#settings = settings
  }

  /** Whether it is known how a browser is started; until then one has to be looked for, which takes longer. */
  get isSure(): boolean {
    return this.#launch !== undefined || this.#settings.endpoint !== undefined
  }

  /** Whether browsers of this machine have a sandbox; undefined while that isn't known. */
  get hasSandbox(): boolean | undefined {
    return this.#launch?.hasSandbox
  }

  /** Starts one more. Rejects with an Error that says why there is none. */
  async open(): Promise<Generation> {
    const { endpoint } = this.#settings
    const now = performance.now()
    const facts = { startedAtMs: now, idleSinceMs: now, jobs: 0, isBusy: false, isWorn: false, excessBytes: undefined }
    try {
      if (endpoint !== undefined) {
        const { connect } = await import('puppeteer')
        const browser = await connect({ browserWSEndpoint: endpoint, protocolTimeout: 0, defaultViewport: null })
        const disconnect = () => browser.disconnect()
        const version = await browser.version()
        return { ...facts, browser, version, pid: undefined, close: disconnect, kill: () => void disconnect() }
      }
      const running = this.#launch ? await launchBrowser(this.#launch) : await this.#find()
      return { ...facts, ...running, version: (await running.browser.version()).replace('Headless', '') }
    } catch (error) {
      throw errorOf(error)
    }
  }

  /** Looks for a browser that works, the first time. */
  async #find(): Promise<RunningBrowser> {
    const { cacheDir, makeFontsPath, executablePath, searchPath, mayLackSandbox, onNotice } = this.#settings
    const cache = findCacheFolder(cacheDir)
    const fontsPath = await makeFonts(cache, makeFontsPath)
    const { running, settings } = await findBrowser({ cache, fontsPath, executablePath, searchPath, mayLackSandbox })
    this.#launch = settings
    const message = 'the browser runs WITHOUT its sandbox: a page that breaks out of it has the rights of this service'
    if (!settings.hasSandbox) onNotice({ isTrouble: true, message })
    return running
  }
}

/** The error behind what was thrown; a web socket throws an event that holds it. */
function errorOf(thrown: unknown): Error {
  const held = typeof thrown === 'object' && thrown !== null && 'error' in thrown ? thrown.error : thrown
  return held instanceof Error ? held : new Error(String(held))
}
