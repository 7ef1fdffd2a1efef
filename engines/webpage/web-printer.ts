import { rm } from 'node:fs'
import { EngineError, isEngineError, isErrorOfOptions } from '../errors'
import type { EngineLimits, Job, OutputFile } from '../types'
import type { BrowserStatus } from './browser/browser-pool'
import { notRendered } from './page/page-guard'
import type { Printer } from './browser/browser-printer'
import type { PageJob, RenderedPage } from './page/render-page'

interface PagesSettings {
  printer: Printer
  /** Maximum number of bytes of the output. */
  maxOutputBytes: number
  /** Runs the last step of a print in an engine process. */
  finish(job: Job, page: Pick<PageRequest, 'owner' | 'signal'>): Promise<OutputFile>
}

/** A page to print, and the default name of its file. */
export interface PageRequest extends PageJob {
  name: string
  /** The account that sent the request, for the queue of the engine pool. */
  owner?: string
  signal: AbortSignal
}

/** Prints web pages with a browser that is kept warm. */
export interface WebPrinter {
  /**
   * Prints a page. Throws only EngineError: `not_rendered`, with the same message for all failures behind the URL,
   * `page_missing` if `pages` selects pages that don't exist, `busy` if no browser works, and `canceled`.
   */
  print(request: PageRequest): Promise<OutputFile>
  /** Resolves as soon as a browser runs. Throws EngineError `busy` if none works. */
  ready(): Promise<void>
  status(): BrowserStatus
  /** Bytes of physical memory of the printer process and its browser. 0 if the system doesn't report memory. */
  residentBytes(): number
  /** Ends the browser. Pages that are being printed fail. */
  close(): Promise<void>
}

/** Limits for a PDF that our browser printed, which is a trusted file. */
const LIMITS: Omit<EngineLimits, 'maxOutputBytes'> = {
  maxPagesIn: 5000,
  maxPagesOut: 5000,
  maxObjects: 5_000_000,
  maxStreamBytes: 512_000_000,
  maxInflateBytes: 1_000_000_000,
  maxPixels: 25_000_000,
  ocrPageTimeoutMs: 1000,
}

/** Prints pages with a `Printer` and completes them in the engine pool. */
export class PooledWebPrinter implements WebPrinter {
  readonly #settings: PagesSettings

  constructor(settings: PagesSettings) {
    this.#settings = settings
  }

  async print(request: PageRequest): Promise<OutputFile> {
    const { source, options, signal } = request
    const page = await this.#settings.printer.print({ source, options }, signal)
    try {
      return await this.#finish(page, request)
    } finally {
      if (page.path !== undefined) rm(page.path, { force: true }, () => {}) // The next start removes what remains.
    }
  }

  async #finish(page: RenderedPage, { name, owner, signal, source, options: asked }: PageRequest): Promise<OutputFile> {
    const { finish, maxOutputBytes } = this.#settings
    const { pages, maxPages, metadata, conformance, outputName = name } = asked
    const { chunks, byteLength, path } = page
    const file = { name: 'page.pdf', chunks, byteLength, ...(path !== undefined && { path }) }
    const options = {
      pages,
      maxPages,
      metadata,
      conformance,
      isRemote: source.kind === 'url',
      outputName: `${outputName.replace(/\.pdf$/i, '')}.pdf`,
    }
    const output = await finish(
      { tool: 'finish-page', options, files: [file], limits: { ...LIMITS, maxOutputBytes } },
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

/** If the engine can't read a print, this is our failure, not the caller's. */
function describeFinishFailure(error: unknown): unknown {
  if (!isEngineError(error) || error.reason === 'busy' || error.reason === 'canceled') return error
  if (error.reason === 'output_too_large') return new EngineError('not_rendered', error.message)
  return isErrorOfOptions(error) || error.reason === 'not_rendered'
    ? new EngineError(error.reason, error.message, { problems: error.problems })
    : notRendered(error)
}
