/** Failure of a request: the host isn't allowed or can't be reached, or the response ended early. */
type Outcome = 'unreachable' | 'cut'

const MAX_NOTED = 1000

/** Records the network requests of a page and their failures. */
export class EgressRecord {
  /** Whether the page exceeded the limit for requests or bytes. */
  isOverLimit = false
  #requests = 0
  #bytes = 0
  readonly #failures = new Map<string, Outcome>()

  /** Records a request. Returns `false` if it exceeds the limit. */
  begin(most: number): boolean {
    this.#requests += 1
    if (this.#requests > most) this.isOverLimit = true
    return !this.isOverLimit
  }

  /** Records bytes in either direction. Returns `false` if they exceed the limit. */
  add(bytes: number, most: number): boolean {
    this.#bytes += bytes
    if (this.#bytes > most) this.isOverLimit = true
    return !this.isOverLimit
  }

  /** Records that the request for a URL (or a tunnel to `host:port`) failed. */
  fail(url: string, outcome: Outcome): void {
    if (this.#failures.size < MAX_NOTED) this.#failures.set(url, outcome)
  }

  /** Returns whether the response for this URL failed or was interrupted. */
  hasFailed(url: string): boolean {
    return this.#failures.has(URL.canParse(url) ? withoutFragment(url) : url)
  }
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
