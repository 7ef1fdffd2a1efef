import type { AllowedHosts } from '../egress/allowed-hosts'
import { BrowserPool } from './browser-pool'
import type { BrowserStatus } from './browser-pool'
import type { BrowserSettings } from './browser-opener'
import { BrowserLost, notRendered } from '../page/page-guard'
import { createLocalAddresses } from '../egress/local-addresses'
import type { IsLocalAddress, ListInterfaces } from '../egress/local-addresses'
import { createEgressPolicy } from '../egress/egress-policy'
import type { ResolveName } from '../egress/egress-policy'
import { renderPage } from '../page/render-page'
import type { PageJob, RenderedPage, ReservedPage } from '../page/render-page'

export interface PrinterSettings extends BrowserSettings {
  /** Hosts that pages may reach although they aren't public. */
  allowed: AllowedHosts
  /** Resolves host names. Default: the name servers of this machine. */
  resolve?: ResolveName
  /** Lists the network interfaces of this machine. Default: the interfaces that the system reports. */
  listInterfaces?: ListInterfaces
  /** Milliseconds that one page may take at most. */
  mostMs: number
}

/** Prints pages, in this process or in another one. */
export interface Printer {
  /** Throws EngineError `not_rendered`, `busy` if no browser works, and `canceled`. */
  print(job: PageJob, signal: AbortSignal): Promise<RenderedPage>
  /** Resolves as soon as a browser runs. Throws EngineError `busy` if none works. */
  ready(): Promise<void>
  status(): BrowserStatus
  /** Bytes of physical memory of the printer and its browser. 0 if the system doesn't report memory. */
  residentBytes(): number
  close(): Promise<void>
}

/** Prints pages with a browser that this process starts. */
export class BrowserPrinter implements Printer {
  readonly #settings: PrinterSettings
  readonly #pool: BrowserPool
  readonly #isLocalAddress: IsLocalAddress

  constructor(settings: PrinterSettings) {
    this.#settings = settings
    this.#isLocalAddress = createLocalAddresses(settings.listInterfaces)
    this.#pool = new BrowserPool(settings)
  }

  /** Prints a page once more if its browser was lost, because another page may have caused the loss. */
  async print(job: PageJob, signal: AbortSignal): Promise<RenderedPage> {
    const { allowed, resolve, mostMs } = this.#settings
    const work = (reserved: ReservedPage) => {
      const policy = createEgressPolicy({ allowed, isLocalAddress: this.#isLocalAddress, ...(resolve && { resolve }) })
      return renderPage(reserved, job, { policy, signal, mostMs })
    }
    try {
      return await this.#pool.use(work, signal)
    } catch (error) {
      if (!(error instanceof BrowserLost)) throw error
    }
    return this.#pool.use(work, signal).catch((error: unknown) => {
      throw error instanceof BrowserLost ? notRendered(error) : error
    })
  }

  ready(): Promise<void> {
    return this.#pool.ready()
  }

  status(): BrowserStatus {
    return this.#pool.status()
  }

  residentBytes(): number {
    return this.#pool.residentBytes()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
