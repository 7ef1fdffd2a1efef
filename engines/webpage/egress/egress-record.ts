/** What became of a request: nobody may or can be reached there, or the answer ended before its time. */
type Outcome = 'unreachable' | 'cut'

const MAX_NOTED = 1000

/** What a page asked of the network, and what it did not get. */
export class EgressRecord {
  /** Whether the page asked for more than one page may. */
  isOverLimit = false
  #requests = 0
  #bytes = 0
  readonly #failures = new Map<string, Outcome>()

  /** Notes a request; false when it is one too many. */
  begin(most: number): boolean {
    this.#requests += 1
    if (this.#requests > most) this.isOverLimit = true
    return !this.isOverLimit
  }

  /** Notes bytes in either direction; false when they are too many. */
  add(bytes: number, most: number): boolean {
    this.#bytes += bytes
    if (this.#bytes > most) this.isOverLimit = true
    return !this.isOverLimit
  }

  /** Notes that the request for an address (or for a tunnel to `host:port`) failed. */
  fail(address: string, outcome: Outcome): void {
    if (this.#failures.size < MAX_NOTED) this.#failures.set(address, outcome)
  }

  /** Whether the answer to this address failed, or broke off, on its way. */
  hasFailed(address: string): boolean {
    return this.#failures.has(URL.canParse(address) ? withoutFragment(address) : address)
  }
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
