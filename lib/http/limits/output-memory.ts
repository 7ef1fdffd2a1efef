import { CallError } from '../../errors'

interface OutputMemorySettings {
  /** Bytes of all outputs together. */
  maxBytes: number
  /** The share of them that one account may hold, from 0 to 1. */
  accountShare: number
}

/** A budget of memory for finished outputs that their clients haven't read yet. */
export interface OutputMemory {
  /**
   * Whether an account may begin another request beside those that it runs: whether its outputs leave room for one more
   * like its largest, for each of them.
   */
  hasRoom(accountId: string, running: number): boolean
  /**
   * Counts an output; the caller lets go of it by calling what it gets, once or more often. Throws CallError
   * `rate_limited` if the account's share is used up, `service_unavailable` if the server's memory is. One output alone
   * may be as large as it likes.
   */
  take(accountId: string, bytes: number): () => void
  /** Has `listener` called whenever memory was let go of. */
  onRelease(listener: () => void): void
  /** Bytes counted at the moment. */
  readonly used: number
}

/** Makes a budget for outputs. */
export function createOutputMemory({ maxBytes, accountShare }: OutputMemorySettings): OutputMemory {
  /** Sizes of the outputs of each account that has any. */
  const accounts = new Map<string, number[]>()
  const listeners: (() => void)[] = []
  let used = 0
  const most = accountShare * maxBytes

  return {
    get used() {
      return used
    },
    hasRoom(accountId, running) {
      const sizes = accounts.get(accountId) ?? []
      return sizes.length === 0 || sum(sizes) + (running + 1) * Math.max(...sizes) <= most
    },
    take(accountId, bytes) {
      const sizes = accounts.get(accountId) ?? []
      if (sizes.length > 0 && sum(sizes) + bytes > most) throw accountFull()
      if (used > 0 && used + bytes > maxBytes) throw serverFull()
      accounts.set(accountId, sizes)
      sizes.push(bytes)
      used += bytes
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        sizes.splice(sizes.indexOf(bytes), 1)
        if (sizes.length === 0) accounts.delete(accountId)
        used -= bytes
        for (const listener of listeners) listener()
      }
    },
    onRelease(listener) {
      listeners.push(listener)
    },
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

const RETRY = { headers: { 'Retry-After': '5' } }

/** The refusal of a request whose account leaves its outputs unread. */
export function accountFull(): CallError {
  const message =
    'Responses of this account that were not read yet use its share of the output memory. Read them faster, or ' +
    'send fewer requests at the same time'
  return new CallError('rate_limited', message, RETRY)
}

function serverFull(): CallError {
  return new CallError(
    'service_unavailable',
    'The server has no memory left for this response. Try again in a few seconds',
    RETRY,
  )
}
