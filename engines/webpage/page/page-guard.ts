import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'puppeteer'
import { EngineError } from '../../errors'

/** The browser went away while a page was printed; the page is not to blame, and may be printed by another one. */
export class BrowserLost extends Error {
  override readonly name = 'BrowserLost'
}

/** The same words for whatever is decided after a name was resolved: they tell nothing of what is where. */
const NOT_RENDERED =
  'The page could not be converted. It has to be reachable from the public internet, answer without an error and ' +
  'in full, and come to rest within the timeout; check its address, or send a simpler page.'

/** The failure of a page; what really happened is for the log. */
export function notRendered(cause: unknown): EngineError {
  return new EngineError('not-rendered', NOT_RENDERED, {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  })
}

interface GuardSettings {
  browser: Browser
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Ends every wait for a page when the browser is lost, the page crashes, time is up, or nobody waits for the answer any
 * more.
 */
export class PageGuard {
  readonly #started = performance.now()
  readonly #timeoutMs: number
  readonly #failed: Promise<never>
  readonly #release: () => void
  #fail: (error: Error) => void = () => {}

  constructor({ browser, signal, timeoutMs }: GuardSettings) {
    this.#timeoutMs = timeoutMs
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {}) // whoever races with it is told
    const onLost = () => this.#fail(new BrowserLost('the browser was lost'))
    const onAbort = () => this.#fail(new EngineError('canceled', 'The call was canceled.'))
    const timer = setTimeout(() => this.#fail(notRendered(`time was up after ${timeoutMs} ms`)), timeoutMs)
    browser.on('disconnected', onLost)
    signal.addEventListener('abort', onAbort)
    this.#release = () => {
      clearTimeout(timer)
      browser.off('disconnected', onLost)
      signal.removeEventListener('abort', onAbort)
    }
    if (!browser.connected) onLost()
    if (signal.aborted) onAbort()
  }

  /** Milliseconds since the beginning. */
  get elapsedMs(): number {
    return performance.now() - this.#started
  }

  get timeoutMs(): number {
    return this.#timeoutMs
  }

  /** A page that crashes fails everything. */
  watch(page: Page): void {
    page.on('error', error => this.#fail(notRendered(error)))
  }

  /** What the promise gives, unless something ends the wait first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#failed])
  }

  /** Waits, and no longer than something lets it. */
  async pause(ms: number): Promise<void> {
    const controller = new AbortController()
    try {
      await this.race(wait(ms, undefined, { signal: controller.signal }))
    } finally {
      controller.abort()
    }
  }

  /** Lets go of what it listens to. */
  release(): void {
    this.#release()
  }
}
