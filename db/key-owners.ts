/** The owner of a key. */
export interface KnownOwner {
  keyId: string
  accountId: string
  hasPaid?: boolean
}

/** An owner with the balance after the latest change that this process knows of. */
type OwnerWithBalance = KnownOwner & { balance: number }

/**
 * A cache of key owners that can pay for a request, for the current month. After a statement that changes keys or
 * lowers a balance, the cache must be updated.
 */
export interface KeyOwners {
  /**
   * Whether no other process can change the database, so that every cached owner is right. Otherwise another instance
   * may have ended the key or spent the balance, and the charge must check the key.
   */
  readonly isExact: boolean
  /** Returns the cached owner of the key with this hash for the month, such as `2026-11`. */
  find(hash: string, month: string): OwnerWithBalance | undefined
  /**
   * Runs `loadOwner` and caches its result if `isLasting` returns true. Otherwise removes the key. Doesn't cache the
   * result if an entry was removed in the meantime.
   */
  load<T extends OwnerWithBalance>(
    key: { hash: string; month: string },
    loadOwner: () => Promise<T | undefined>,
    isLasting: (owner: T) => boolean,
  ): Promise<T | undefined>
  /** Removes all keys of an account. */
  forget(accountId: string): void
  /**
   * Stores the balance of an account with a cached key. Removes its keys if the balance is too low for a request, so
   * that the next request is refused before its body is read.
   */
  recordBalance(accountId: string, balance: number | undefined): void
}

interface KeyOwnersSettings {
  isExact: boolean
  maxOwners?: number
  nowMs?: () => number
}

/** Owners that haven't paid are looked up again after this time, because they may have paid, on any instance. */
const UNPAID_MS = 60_000

/** Maximum number of cached owners. The oldest entries are removed first. */
const MOST_OWNERS = 10_000

/** Creates an empty cache. */
export function createKeyOwners({
  isExact,
  maxOwners = MOST_OWNERS,
  nowMs = () => performance.now(),
}: KeyOwnersSettings): KeyOwners {
  const owners = new Map<string, KnownOwner & { month: string; untilMs: number }>()
  const balances = new Map<string, number>()
  let removals = 0
  const forget = (accountId: string) => {
    removals += 1
    if (!balances.delete(accountId)) return
    for (const [hash, owner] of owners) if (owner.accountId === accountId) owners.delete(hash)
  }
  const removeOldest = () => {
    const [oldest] = owners
    if (oldest === undefined) return
    const [hash, { accountId }] = oldest
    owners.delete(hash)
    balances.delete(accountId)
  }
  return {
    isExact,
    find(hash, month) {
      const owner = owners.get(hash)
      const balance = owner === undefined ? undefined : balances.get(owner.accountId)
      if (owner === undefined || balance === undefined || owner.month !== month || owner.untilMs < nowMs())
        return undefined
      return { ...owner, balance }
    },
    async load({ hash, month }, loadOwner, isLasting) {
      const removalsBefore = removals
      const owner = await loadOwner()
      if (owner === undefined || !isLasting(owner)) {
        const cachedOwner = owners.get(hash)
        if (cachedOwner !== undefined) forget(cachedOwner.accountId)
        return owner
      }
      if (removalsBefore !== removals) return owner
      const { keyId, accountId, hasPaid = false } = owner
      owners.set(hash, { keyId, accountId, hasPaid, month, untilMs: hasPaid ? Infinity : nowMs() + UNPAID_MS })
      balances.set(owner.accountId, owner.balance)
      if (owners.size > maxOwners) removeOldest()
      return owner
    },
    forget,
    recordBalance(accountId, balance = 0) {
      if (balance < 1) forget(accountId)
      else if (balances.has(accountId)) balances.set(accountId, balance)
    },
  }
}
