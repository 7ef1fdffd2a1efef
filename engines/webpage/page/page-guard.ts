import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'puppeteer'
import { EngineError } from '../../errors'

/** The browser ended while it printed a page. The page may not be the cause, and can be printed by another browser. */
export class BrowserLost extends Error {
  override readonly name = 'BrowserLost'
}

/** All failures after name resolution have the same message, so that the message reveals nothing about the network. */
const NOT_RENDERED =
  'The page could not be converted. It must be reachable from the public internet, load completely and without ' +
  'an error, and finish within the timeout. Check its URL, or send a simpler page.'

/** Returns the error for a failed page. The cause is only for the log. */
export function notRendered(cause: unknown): EngineError {
  return new EngineError('not_rendered', NOT_RENDERED, {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  })
}

interface GuardSettings {
  browser: Browser
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Ends every wait for a page if the browser is lost, the page crashes, the timeout expires, or the request is canceled.
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
    this.#failed.catch(() => {}) // `race` reports the error.
    const onLost = () => this.#fail(new BrowserLost('the browser was lost'))
    const onAbort = () => this.#fail(new EngineError('canceled', 'The request was canceled.'))
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

  /** Milliseconds since the guard was created. */
  get elapsedMs(): number {
    return performance.now() - this.#started
  }

  get timeoutMs(): number {
    return this.#timeoutMs
  }

  /** Fails all waits if the page crashes. */
  watch(page: Page): void {
    page.on('error', error => this.#fail(notRendered(error)))
  }

  /** Waits for the promise, unless an event ends the wait first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#failed])
  }

  /** Waits for a time, unless an event ends the wait first. */
  async pause(ms: number): Promise<void> {
    const controller = new AbortController()
    try {
      await this.race(wait(ms, undefined, { signal: controller.signal }))
    } finally {
      controller.abort()
    }
  }

  /** Removes all listeners and the timer. */
  release(): void {
    this.#release()
  }
}
