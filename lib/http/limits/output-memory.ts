import { CallError } from '../../errors'

interface OutputMemorySettings {
  /** Bytes of all outputs together. */
  maxBytes: number
  /** The share that one account may hold, from 0 to 1. */
  accountShare: number
}

/** A memory budget for finished outputs that clients haven't read yet. */
export interface OutputMemory {
  /**
   * Returns whether an account may start one more request. Assumes that each running request and the new one produce an
   * output as large as the account's largest.
   */
  hasRoom(accountId: string, running: number): boolean
  /**
   * Counts an output. The caller releases the memory with the returned function, which can be called more than once.
   * Throws CallError `rate_limited` if the account's share is used up, and `service_unavailable` if the server's memory
   * is. A single output may have any size.
   */
  take(accountId: string, bytes: number): () => void
  /** Calls `listener` each time memory is released. */
  onRelease(listener: () => void): void
  /** Bytes that are counted now. */
  readonly used: number
}

/** Creates a memory budget for outputs. */
export function createOutputMemory({ maxBytes, accountShare }: OutputMemorySettings): OutputMemory {
  /** The sizes of each account's outputs. */
  const accounts = new Map<string, number[]>()
  const listeners: (() => void)[] = []
  let usedBytes = 0
  const maxAccountBytes = accountShare * maxBytes

  return {
    get used() {
      return usedBytes
    },
    hasRoom(accountId, running) {
      const sizes = accounts.get(accountId) ?? []
      return sizes.length === 0 || sum(sizes) + (running + 1) * Math.max(...sizes) <= maxAccountBytes
    },
    take(accountId, bytes) {
      const sizes = accounts.get(accountId) ?? []
      if (sizes.length > 0 && sum(sizes) + bytes > maxAccountBytes) throw accountFull()
      if (usedBytes > 0 && usedBytes + bytes > maxBytes) throw serverFull()
      accounts.set(accountId, sizes)
      sizes.push(bytes)
      usedBytes += bytes
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        sizes.splice(sizes.indexOf(bytes), 1)
        if (sizes.length === 0) accounts.delete(accountId)
        usedBytes -= bytes
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

/** Returns the error for an account that doesn't read its outputs. */
export function accountFull(): CallError {
  const message =
    'Output limit reached: unread responses use all output memory of your account. Read responses faster, or send ' +
    'fewer requests at the same time.'
  return new CallError('rate_limited', message, RETRY)
}

function serverFull(): CallError {
  return new CallError(
    'service_unavailable',
    'The server has no memory left for this response. Retry after 5 seconds.',
    RETRY,
  )
}
