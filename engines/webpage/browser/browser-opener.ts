import type { Browser } from 'puppeteer'
import type { BlankPage } from '../page/blank-page'
import { findCacheFolder } from './cache-folder'
import { findBrowser } from './find-browser'
import { launchBrowser } from './launch-browser'
import type { LaunchSettings, RunningBrowser } from './launch-browser'
import { makeFonts } from './unpack-browser'

/** Settings that determine which browsers are started, and how many. */
export interface BrowserSettings {
  cacheDir: string | undefined
  executablePath: string | undefined
  /** WebSocket URL of a remote browser, which replaces browsers on this machine. */
  endpoint: string | undefined
  /** Address of this machine under which a remote browser reaches the proxies of pages. */
  egressHost: string | undefined
  searchPath: string
  mayLackSandbox: boolean
  /** Number of pages that are printed at the same time, each in a separate browser. */
  mostPages: number
  /** Bytes of physical memory that the browser of a page may use, including all of its processes. */
  mostPageBytes: number
  /** Path of the bundle of `make-fonts.ts`. */
  makeFontsPath: string
  /** Receives messages for the operator. */
  onNotice(notice: BrowserNotice): void
}

/** A browser event. `isTrouble` is set if it prevents printing or makes printing less safe. */
export interface BrowserNotice {
  isTrouble: boolean
  /** Whether the event is part of normal operation, such as the start of a browser. */
  isRoutine?: boolean
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
  /** Whether a page uses this browser. */
  isBusy: boolean
  /** Whether another browser must replace this one. */
  isWorn: boolean
  /** Memory of its processes at the time when the browser was ended for using too much. */
  excessBytes: number | undefined
  /** The blank page for the next request. Undefined if it isn't being opened yet. */
  blank: Promise<BlankPage> | undefined
  /** Whether the blank page is open. */
  isPrepared: boolean
  close(): Promise<void>
  kill(): void
}

/** How the version of a headless shell starts. A full browser reports `Chrome/`, also in headless mode. */
const SHELL_PREFIX = 'HeadlessChrome/'
const FULL_BROWSER =
  'the browser is a full Chromium. A headless shell, such as chromium-headless-shell, needs less processor time and ' +
  'memory for each page'

/** Starts browsers, or connects to remote ones. */
export class BrowserOpener {
  readonly #settings: BrowserSettings
  #launch: LaunchSettings | undefined
  #hasRemoteSandbox: boolean | undefined

  constructor(settings: BrowserSettings) {
    this.#settings = settings
  }

  /** Whether the way to start a browser is known. Until then, a slower search for a working browser is necessary. */
  get isSure(): boolean {
    return this.#launch !== undefined || this.#settings.endpoint !== undefined
  }

  /** Whether browsers have a sandbox. Undefined while this isn't known, and if a remote browser doesn't tell. */
  get hasSandbox(): boolean | undefined {
    return this.#launch?.hasSandbox ?? this.#hasRemoteSandbox
  }

  /** Starts another browser. Rejects with an Error that says why no browser could be started. */
  async open(): Promise<Generation> {
    const { endpoint } = this.#settings
    const now = performance.now()
    const facts = {
      startedAtMs: now,
      idleSinceMs: now,
      jobs: 0,
      isBusy: false,
      isWorn: false,
      excessBytes: undefined,
      blank: undefined,
      isPrepared: false,
    }
    try {
      if (endpoint !== undefined) {
        const { connect } = await import('puppeteer')
        const browser = await connect({ browserWSEndpoint: endpoint, protocolTimeout: 0, defaultViewport: null })
        this.#hasRemoteSandbox = await askForSandbox(browser)
        const disconnect = () => browser.disconnect()
        const version = await browser.version()
        return { ...facts, browser, version, pid: undefined, close: disconnect, kill: () => void disconnect() }
      }
      const isFirst = this.#launch === undefined
      const running = this.#launch ? await launchBrowser(this.#launch) : await this.#find()
      const version = await running.browser.version()
      if (isFirst && !version.startsWith(SHELL_PREFIX))
        this.#settings.onNotice({ isTrouble: false, isRoutine: true, message: FULL_BROWSER })
      return { ...facts, ...running, version: version.replace('Headless', '') }
    } catch (error) {
      throw errorOf(error)
    }
  }

  /** Searches for a working browser, before the first start. */
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

/** Returns whether a remote browser was started with its sandbox. Undefined if the browser doesn't tell. */
async function askForSandbox(browser: Browser): Promise<boolean | undefined> {
  try {
    const session = await browser.target().createCDPSession()
    const { commandLine } = await session.send('SystemInfo.getInfo')
    await session.detach()
    return commandLine === '' ? undefined : !/(^|\s)--no-sandbox(\s|$)/.test(commandLine)
  } catch {
    return undefined // Other programs that speak this protocol may not know the method.
  }
}

/** Returns the error behind a thrown value. A WebSocket throws an event that contains the error. */
function errorOf(thrown: unknown): Error {
  const cause = typeof thrown === 'object' && thrown !== null && 'error' in thrown ? thrown.error : thrown
  return cause instanceof Error ? cause : new Error(String(cause))
}
