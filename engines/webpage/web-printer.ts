import { EngineError, isEngineError } from '../errors'
import type { EngineLimits, Job, OutputFile } from '../types'
import type { BrowserStatus } from './browser/browser-pool'
import { notRendered } from './page/page-guard'
import type { Printer } from './browser/browser-printer'
import type { PageJob } from './page/render-page'

interface PagesSettings {
  printer: Printer
  /** Does the last step of a print, in an engine process. */
  finish(job: Job, page: Pick<PageCall, 'owner' | 'signal'>): Promise<OutputFile>
}

/** A page to print, and the name of its file when the caller gives none. */
export interface PageCall extends PageJob {
  name: string
  /** Whose page it is, for the engines' turns. */
  owner?: string
  signal: AbortSignal
}

/** Prints web pages with a browser that is kept warm. */
export interface WebPrinter {
  /**
   * Prints one page. Throws EngineError only: `not-rendered`, in the same words for whatever is wrong behind its
   * address; `bad-options` where `pages` names some that are not there; `busy` while no browser works; `canceled`.
   */
  print(call: PageCall): Promise<OutputFile>
  /** Resolves when there is a browser; EngineError `busy` when none works. */
  ready(): Promise<void>
  status(): BrowserStatus
  /** Bytes of physical memory that the printing process and its browser hold; 0 where the system does not tell. */
  residentBytes(): number
  /** Ends the browser; pages under way fail. */
  close(): Promise<void>
}

/** What a print of our own browser may hold; it is no stranger's file. */
const LIMITS: EngineLimits = {
  maxPagesIn: 5000,
  maxPagesOut: 5000,
  maxObjects: 5_000_000,
  maxStreamBytes: 512_000_000,
  maxInflateBytes: 1_000_000_000,
  maxPixels: 25_000_000,
  ocrPageTimeoutMs: 1000,
}

/** See `PageRenderer`. */
export class PooledWebPrinter implements WebPrinter {
  readonly #settings: PagesSettings

  constructor(settings: PagesSettings) {
    this.#settings = settings
  }

  async print({ name, owner, signal, ...job }: PageCall): Promise<OutputFile> {
    const { printer, finish } = this.#settings
    const page = await printer.print(job, signal)
    const { pages, maxPages, metadata, outputName = name } = job.options
    const file = { name: 'page.pdf', chunks: page.chunks, byteLength: page.byteLength }
    const options = { pages, maxPages, metadata, outputName: `${outputName.replace(/\.pdf$/i, '')}.pdf` }
    const output = await finish(
      { tool: 'finish-page', options, files: [file], limits: LIMITS },
      { signal, ...(owner !== undefined && { owner }) },
    ).catch((error: unknown) => {
      throw describeFinishFailure(error)
    })
    return {
      ...output,
      warnings: [...new Set([...page.warnings, ...output.warnings])],
      timings: { ...page.timings, ...output.timings },
    }
  }

  ready(): Promise<void> {
    return this.#settings.printer.ready()
  }

  status(): BrowserStatus {
    return this.#settings.printer.status()
  }

  residentBytes(): number {
    return this.#settings.printer.residentBytes()
  }

  close(): Promise<void> {
    return this.#settings.printer.close()
  }
}

/** A print that the engine can't read is our failure, not the caller's. */
function describeFinishFailure(error: unknown): unknown {
  if (!isEngineError(error) || error.reason === 'busy' || error.reason === 'canceled') return error
  return error.reason === 'bad-options'
    ? new EngineError(error.reason, error.message, { problems: error.problems })
    : notRendered(error)
}
