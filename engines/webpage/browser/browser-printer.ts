import type { Browser } from 'puppeteer'
import type { AllowedHosts } from '../egress/allowed-hosts'
import { BrowserPool } from './browser-pool'
import type { BrowserStatus, Hold } from './browser-pool'
import type { BrowserSettings } from './browser-opener'
import { BrowserLost, notRendered } from '../page/page-guard'
import { createLocalAddresses } from '../egress/local-addresses'
import type { IsLocalAddress, ListInterfaces } from '../egress/local-addresses'
import { createEgressPolicy } from '../egress/egress-policy'
import type { ResolveName } from '../egress/egress-policy'
import { renderPage } from '../page/render-page'
import type { PageJob, RenderedPage } from '../page/render-page'

export interface PrinterSettings extends BrowserSettings {
  /** Hosts that pages may reach although they are not public. */
  allowed: AllowedHosts
  /** How names are resolved; by the name servers of this machine when missing. */
  resolve?: ResolveName
  /** The network interfaces of this machine; as the system tells when missing. */
  listInterfaces?: ListInterfaces
  /** An address of this machine that a browser elsewhere reaches. */
  egressHost: string | undefined
  /** Milliseconds that one page may take at most. */
  mostMs: number
}

/** Prints pages, here or in another process. */
export interface Printer {
  /** Throws EngineError `not-rendered`, `busy` while no browser works, and `canceled`. */
  print(job: PageJob, signal: AbortSignal): Promise<RenderedPage>
  /** Resolves when there is a browser; EngineError `busy` when none works. */
  ready(): Promise<void>
  status(): BrowserStatus
  /** Bytes of physical memory that it holds, with its browser; 0 where the system does not tell. */
  residentBytes(): number
  close(): Promise<void>
}

/** Prints pages with a browser of this process. */
export class BrowserPrinter implements Printer {
  readonly #settings: PrinterSettings
  readonly #keeper: BrowserPool
  readonly #isOwn: IsLocalAddress

  constructor(settings: PrinterSettings) {
    this.#settings = settings
    this.#isOwn = createLocalAddresses(settings.listInterfaces)
    this.#keeper = new BrowserPool(settings)
  }

  /** A page whose browser was lost is printed once more: it may have been another one's fault. */
  async print(job: PageJob, signal: AbortSignal): Promise<RenderedPage> {
    const { allowed, resolve, egressHost, mostMs } = this.#settings
    const work = (browser: Browser, hold: Hold) => {
      const reach = createEgressPolicy({ allowed, isOwn: this.#isOwn, ...(resolve && { resolve }) })
      return renderPage(browser, job, {
        reach,
        egressHost,
        signal,
        mostMs,
        hold,
        onStuck: stuck => this.#keeper.replace(stuck),
      })
    }
    try {
      return await this.#keeper.use(work, signal)
    } catch (error) {
      if (!(error instanceof BrowserLost)) throw error
    }
    return this.#keeper.use(work, signal).catch((error: unknown) => {
      throw error instanceof BrowserLost ? notRendered(error) : error
    })
  }

  ready(): Promise<void> {
    return this.#keeper.ready()
  }

  status(): BrowserStatus {
    return this.#keeper.status()
  }

  residentBytes(): number {
    return this.#keeper.residentBytes()
  }

  close(): Promise<void> {
    return this.#keeper.close()
  }
}
