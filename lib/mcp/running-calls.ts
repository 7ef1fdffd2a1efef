/** The running tool calls, so that a later message can cancel one. */
export interface RunningCalls {
  /** Returns the signal of a call, and a function to call when the call has ended. */
  start(client: string, requestId: unknown): { signal: AbortSignal; end: () => void }
  /**
   * Cancels the call of a client with this JSON-RPC ID. Does nothing if several calls fit: without sessions, programs
   * that share a key, a network and a name can use the same ID.
   */
  cancel(client: string, requestId: unknown): void
}

/** Creates the list of running calls of this process. */
export function createRunningCalls(): RunningCalls {
  const calls = new Map<string, Set<AbortController>>()
  const keyOf = (client: string, requestId: unknown) => `${client} ${typeof requestId} ${String(requestId)}`
  return {
    start(client, requestId) {
      const key = keyOf(client, requestId)
      const controller = new AbortController()
      const same = calls.get(key) ?? new Set()
      calls.set(key, same.add(controller))
      const end = () => {
        same.delete(controller)
        if (same.size === 0) calls.delete(key)
      }
      return { signal: controller.signal, end }
    },
    cancel(client, requestId) {
      const [first, ...others] = calls.get(keyOf(client, requestId)) ?? []
      if (others.length === 0) first?.abort()
    },
  }
}
