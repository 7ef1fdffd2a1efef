/** The owner of a key. */
export interface KnownOwner {
  keyId: string
  accountId: string
}

/**
 * A cache of key owners that can pay for a request, for the current month. Only exists for a database that no other
 * process can change. After a statement that changes keys or lowers a balance, the cache must be updated.
 */
export interface KeyOwners {
  /** Returns the cached owner of the key with this hash for the month, such as `2026-11`. */
  find(hash: string, month: string): KnownOwner | undefined
  /**
   * Runs `loadOwner` and caches its result if `isLasting` returns true. Doesn't cache the result if an entry was
   * removed in the meantime.
   */
  load<T extends KnownOwner>(
    key: { hash: string; month: string },
    loadOwner: () => Promise<T | undefined>,
    isLasting: (owner: T) => boolean,
  ): Promise<T | undefined>
  /** Removes all keys of an account. */
  forget(accountId: string): void
  /**
   * Removes an account's keys if its balance is too low for a request, so that the next request is refused before its
   * body is read.
   */
  noteBalance(accountId: string, balance: number | undefined): void
}

/** Maximum number of cached owners. The oldest entries are removed first. */
const MOST_OWNERS = 10_000

/** Creates an empty cache. */
export function createKeyOwners(maxOwners = MOST_OWNERS): KeyOwners {
  const owners = new Map<string, KnownOwner & { month: string }>()
  let removals = 0
  const forget = (accountId: string) => {
    removals += 1
    for (const [hash, owner] of owners) if (owner.accountId === accountId) owners.delete(hash)
  }
  return {
    find(hash, month) {
      const owner = owners.get(hash)
      return owner?.month === month ? owner : undefined
    },
    async load({ hash, month }, loadOwner, isLasting) {
      const removalsBefore = removals
      const owner = await loadOwner()
      if (owner === undefined || removalsBefore !== removals || !isLasting(owner)) return owner
      owners.set(hash, { keyId: owner.keyId, accountId: owner.accountId, month })
      const [first] = owners.size > maxOwners ? owners.keys() : []
      if (first !== undefined) owners.delete(first)
      return owner
    },
    forget,
    noteBalance(accountId, balance = 0) {
      if (balance < 1) forget(accountId)
    },
  }
}
