import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer'

/** Kinds of resources that are missed when they are not there. */
const SEEN_RESOURCES = new Set(['document', 'font', 'image', 'script', 'stylesheet'])

/** A request that takes longer no longer keeps a page from counting as settled. */
const HANGING_MS = 1500

/** The document of a page as the network gave it. */
export interface MainDocument {
  request: HTTPRequest
  response: HTTPResponse | undefined
  failure: string | undefined
}

/** What a page is busy with. */
export class NetworkActivity {
  isLoaded = false
  isParsed = false
  /** Whether a resource that is seen could not be loaded. */
  hasFailures = false
  /** Documents that the page went to after its first one. */
  navigations = 0
  /** Requests so far. */
  begun = 0
  main: MainDocument | undefined
  readonly #page: Page
  readonly #pending = new Map<HTTPRequest, number>()
  #quietSince = performance.now()
  /** The document that the page still shows while it is on its way to another one. */
  #shown: Pick<NetworkActivity, 'main' | 'isLoaded' | 'isParsed'> | undefined

  constructor(page: Page) {
    this.#page = page
    page.on('request', request => this.#begin(request))
    page.on('response', response => {
      const request = response.request()
      if (this.main?.request === request) this.main.response = response
      else if (response.status() >= 400 && SEEN_RESOURCES.has(request.resourceType())) this.hasFailures = true
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
   * Milliseconds for which nothing was asked of the network; 0 while something is. Requests that hang are left out
   * where `canHang`.
   */
  quietMs(canHang: boolean): number {
    const now = performance.now()
    const isBusy = [...this.#pending.values()].some(since => !canHang || now - since < HANGING_MS)
    return isBusy ? 0 : now - this.#quietSince
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return this.#pending.size === 0
  }

  /** Whether something that is seen is still on its way. */
  get isWaiting(): boolean {
    return [...this.#pending.keys()].some(request => SEEN_RESOURCES.has(request.resourceType()))
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
      this.#pending.clear() // what the earlier document asked for is no longer wanted
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
      // A download, or an answer without a body, leaves the page where it is.
      if (/ABORTED/.test(reason) && this.#shown) Object.assign(this, this.#shown)
      else this.main.failure = reason
      return
    }
    if (!/ABORTED|csp/i.test(reason) && SEEN_RESOURCES.has(request.resourceType())) this.hasFailures = true
  }

  #isMain(request: HTTPRequest): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
  }
}
