/** Looks something up for all who ask at the same time. */
export type SharedKeyLookups<T> = (key: string, look: () => Promise<T>) => Promise<T>

interface Lookup<T> {
  running: Promise<T>
  next?: Promise<T>
}

/**
 * Makes lookups that are shared: whoever asks for a key while a look at it is under way gets what the next one finds,
 * with all others who have asked until then. So nobody sees what was so before the question, and a client that asks a
 * hundred times at once costs others two looks. Where one fails, those who wait behind it fail with it.
 */
export function createSharedKeyLookups<T>(): SharedKeyLookups<T> {
  const lookups = new Map<string, Lookup<T>>()

  const start = (key: string, look: () => Promise<T>): Promise<T> => {
    const lookup: Lookup<T> = { running: look() }
    lookups.set(key, lookup)
    lookup.running.then(
      () => {
        if (lookup.next === undefined) lookups.delete(key)
      },
      () => lookups.delete(key),
    )
    return lookup.running
  }

  return (key, look) => {
    const lookup = lookups.get(key)
    if (lookup === undefined) return start(key, look)
    lookup.next ??= lookup.running.then(() => start(key, look))
    return lookup.next
  }
}
