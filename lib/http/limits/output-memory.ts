import { type OutputContent, SMALL_OUTPUT_BYTES } from '../../../engines/output-content'
import { RequestError } from '../../errors'

/** Sizes in bytes. */
interface OutputMemorySettings {
  /** Memory for small outputs of all accounts together. */
  maxHeldBytes: number
  /** Disk space for all other outputs together. */
  maxSpooledBytes: number
  /** The share of each of them that one account may use, from 0 to 1. */
  accountShare: number
}

/** Counts finished outputs that clients haven't read yet: small ones in memory, others in spool files. */
export interface OutputMemory {
  /**
   * Returns whether an account may start one more request. Assumes that each running request and the new one produce an
   * output as large as the largest spooled one of the account. Outputs of other accounts don't matter.
   */
  hasRoom(accountId: string, running: number): boolean
  /** Returns whether one more small output of an account may stay in memory. Otherwise it must be spooled. */
  mayHold(accountId: string | undefined): boolean
  /**
   * Counts an output and takes it over. The caller releases it with the returned function, which can be called more than
   * once. An output in memory is always accepted. A spooled one must fit into the account's share, and the disk space of
   * all accounts must have room unless the output is small. Otherwise, releases the output and throws RequestError
   * `rate_limited` or `service_unavailable`.
   */
  take(accountId: string, content: OutputContent): () => void
  /** Calls `listener` each time an output is released. */
  onRelease(listener: () => void): void
  /** Bytes of outputs in memory. */
  readonly heldBytes: number
  /** Bytes of outputs in spool files. */
  readonly spooledBytes: number
}

/** Creates the count of outputs. */
export function createOutputMemory({
  maxHeldBytes,
  maxSpooledBytes,
  accountShare,
}: OutputMemorySettings): OutputMemory {
  const held = new Sizes()
  const spooled = new Sizes()
  const listeners: (() => void)[] = []
  const fitsAccount = (accountId: string, bytes: number) =>
    spooled.sumOf(accountId) + bytes <= accountShare * maxSpooledBytes

  const findRefusal = (accountId: string, { byteLength, isSpooled }: OutputContent): RequestError | undefined => {
    if (!isSpooled) return undefined
    if (!fitsAccount(accountId, byteLength)) return accountFull()
    const isFull = spooled.total + byteLength > maxSpooledBytes
    return isFull && byteLength > SMALL_OUTPUT_BYTES ? serverFull() : undefined
  }

  return {
    get heldBytes() {
      return held.total
    },
    get spooledBytes() {
      return spooled.total
    },
    hasRoom(accountId, running) {
      const largest = spooled.largestOf(accountId)
      return largest === 0 || fitsAccount(accountId, (running + 1) * largest)
    },
    mayHold(accountId) {
      const fits = (bytes: number, limit: number) => bytes + SMALL_OUTPUT_BYTES <= limit
      return (
        fits(held.total, maxHeldBytes) &&
        (accountId === undefined || fits(held.sumOf(accountId), accountShare * maxHeldBytes))
      )
    },
    take(accountId, content) {
      const refusal = findRefusal(accountId, content)
      if (refusal) {
        content.release()
        throw refusal
      }
      const remove = (content.isSpooled ? spooled : held).add(accountId, content.byteLength)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        content.release()
        remove()
        for (const listener of listeners) listener()
      }
    },
    onRelease(listener) {
      listeners.push(listener)
    },
  }
}

/** The sizes of outputs, by account. */
class Sizes {
  total = 0
  readonly #accounts = new Map<string, number[]>()

  sumOf(accountId: string): number {
    return (this.#accounts.get(accountId) ?? []).reduce((sum, size) => sum + size, 0)
  }

  largestOf(accountId: string): number {
    return (this.#accounts.get(accountId) ?? []).reduce((most, size) => Math.max(most, size), 0)
  }

  /** Adds a size. The returned function removes it. */
  add(accountId: string, bytes: number): () => void {
    const sizes = this.#accounts.get(accountId) ?? []
    this.#accounts.set(accountId, sizes)
    sizes.push(bytes)
    this.total += bytes
    return () => {
      sizes.splice(sizes.indexOf(bytes), 1)
      if (sizes.length === 0) this.#accounts.delete(accountId)
      this.total -= bytes
    }
  }
}

const RETRY = { headers: { 'Retry-After': '5' } }

/** Returns the error for an account that doesn't read its outputs. */
export function accountFull(): RequestError {
  const message =
    'Output limit reached: unread responses use all disk space of your account. Read responses faster, or send ' +
    'fewer requests at the same time.'
  return new RequestError('rate_limited', message, RETRY)
}

function serverFull(): RequestError {
  return new RequestError(
    'service_unavailable',
    'The server has no disk space left for this response. Retry after 5 seconds.',
    RETRY,
  )
}
