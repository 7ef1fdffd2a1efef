import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer'

/** Resource types whose absence changes the visible page. */
const VISIBLE_RESOURCES = new Set(['document', 'font', 'image', 'script', 'stylesheet'])

/** A request that takes longer doesn't prevent a page from counting as settled. */
const HANGING_MS = 1500

/** The main document of a page, as received from the network. */
export interface MainDocument {
  request: HTTPRequest
  response: HTTPResponse | undefined
  failure: string | undefined
}

/** Tracks the network requests and load state of a page. */
export class NetworkActivity {
  isLoaded = false
  isParsed = false
  /** Whether a visible resource failed to load. */
  hasFailures = false
  /** Number of documents that the page navigated to after the first one. */
  navigations = 0
  /** Number of requests so far. */
  begun = 0
  main: MainDocument | undefined
  readonly #page: Page
  readonly #pending = new Map<HTTPRequest, number>()
  #quietSince = performance.now()
  /** The document that the page still shows while it navigates to another one. */
  #shown: Pick<NetworkActivity, 'main' | 'isLoaded' | 'isParsed'> | undefined

  constructor(page: Page) {
    this.#page = page
    page.on('request', request => this.#begin(request))
    page.on('response', response => {
      const request = response.request()
      if (this.main?.request === request) this.main.response = response
      else if (response.status() >= 400 && VISIBLE_RESOURCES.has(request.resourceType())) this.hasFailures = true
    })
    page.on('requestfinished', request => this.#end(request))
    page.on('requestfailed', request => this.#fail(request))
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) this.#shown = undefined
    })
    page.on('domcontentloaded', () => Object.assign(this.#shown ?? this, { isParsed: true }))
    page.on('load', () => Object.assign(this.#shown ?? this, { isParsed: true, isLoaded: true }))
  }

  /**
   * Returns the milliseconds without a pending request, or 0 if one is pending. With `ignoresHanging`, requests that
   * have been pending for `HANGING_MS` don't count.
   */
  quietMs({ ignoresHanging }: { ignoresHanging: boolean }): number {
    const now = performance.now()
    const isBusy = [...this.#pending.values()].some(since => !ignoresHanging || now - since < HANGING_MS)
    return isBusy ? 0 : now - this.#quietSince
  }

  /** Whether no request is pending. */
  get isIdle(): boolean {
    return this.#pending.size === 0
  }

  /** Whether a request for a visible resource is pending. */
  get isWaiting(): boolean {
    return [...this.#pending.keys()].some(request => VISIBLE_RESOURCES.has(request.resourceType()))
  }

  #begin(request: HTTPRequest): void {
    this.begun += 1
    if (this.#isMain(request)) {
      if (request.redirectChain().length === 0) {
        if (this.main) this.navigations += 1
        this.#shown = this.main && { main: this.main, isLoaded: this.isLoaded, isParsed: this.isParsed }
      }
      this.main = { request, response: undefined, failure: undefined }
      this.isLoaded = false
      this.isParsed = false
      this.#pending.clear() // The requests of the previous document no longer matter.
    }
    this.#pending.set(request, performance.now())
  }

  #end(request: HTTPRequest): void {
    if (this.#pending.delete(request)) this.#quietSince = performance.now()
  }

  #fail(request: HTTPRequest): void {
    this.#end(request)
    const reason = request.failure()?.errorText ?? 'failed'
    if (this.main?.request === request) {
      // A download or a response without a body doesn't change the page.
      if (/ABORTED/.test(reason) && this.#shown) Object.assign(this, this.#shown)
      else this.main.failure = reason
      return
    }
    if (!/ABORTED|csp/i.test(reason) && VISIBLE_RESOURCES.has(request.resourceType())) this.hasFailures = true
  }

  #isMain(request: HTTPRequest): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
  }
}
