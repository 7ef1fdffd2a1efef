/** Runs one lookup for all callers that need the same key at the same time. */
export type SharedKeyLookups<T> = (key: string, lookUp: () => Promise<T>) => Promise<T>

interface Lookup<T> {
  running: Promise<T>
  next?: Promise<T>
}

/**
 * Creates shared lookups. A caller that arrives during a lookup of its key gets the result of the next lookup, together
 * with all other callers that arrived until then. So no caller gets a result from before its request, and a hundred
 * simultaneous requests cost two lookups. If a lookup fails, the callers that wait for the next one fail too.
 */
export function createSharedKeyLookups<T>(): SharedKeyLookups<T> {
  const lookups = new Map<string, Lookup<T>>()

  const start = (key: string, lookUp: () => Promise<T>): Promise<T> => {
    const lookup: Lookup<T> = { running: lookUp() }
    lookups.set(key, lookup)
    lookup.running.then(
      () => {
        if (lookup.next === undefined) lookups.delete(key)
      },
      () => lookups.delete(key),
    )
    return lookup.running
  }

  return (key, lookUp) => {
    const lookup = lookups.get(key)
    if (lookup === undefined) return start(key, lookUp)
    lookup.next ??= lookup.running.then(() => start(key, lookUp))
    return lookup.next
  }
}
