/** Whose a key is. */
export interface KnownOwner {
  keyId: string
  accountId: string
}

/**
 * Whose keys are, of accounts that can pay for a call, as far as this process has looked them up in a month. Only a
 * database that nobody else can change has it; whoever changes keys or lowers a balance there tells it, after the
 * statement that did.
 */
export interface KeyOwners {
  /** The owner of the key with this hash, if it is remembered of this month, `2026-11`. */
  find(hash: string, month: string): KnownOwner | undefined
  /**
   * Remembers what a look finds if `isLasting` says so of it; not where something was forgotten since the look began.
   */
  look<T extends KnownOwner>(
    key: { hash: string; month: string },
    look: () => Promise<T | undefined>,
    isLasting: (found: T) => boolean,
  ): Promise<T | undefined>
  /** Forgets all of an account's keys. */
  forget(accountId: string): void
  /** Forgets an account's keys where its balance pays for no call: the next one is refused before its body is read. */
  noteBalance(accountId: string, balance: number | undefined): void
}

/** Owners that are remembered at most; beyond that, those go who were remembered first. */
const MOST_OWNERS = 10_000

/** Makes an empty memory. */
export function createKeyOwners(most = MOST_OWNERS): KeyOwners {
  const known = new Map<string, KnownOwner & { month: string }>()
  let forgotten = 0
  const forget = (accountId: string) => {
    forgotten += 1
    for (const [hash, owner] of known) if (owner.accountId === accountId) known.delete(hash)
  }
  return {
    find(hash, month) {
      const owner = known.get(hash)
      return owner?.month === month ? owner : undefined
    },
    async look({ hash, month }, look, isLasting) {
      const before = forgotten
      const found = await look()
      if (found === undefined || before !== forgotten || !isLasting(found)) return found
      known.set(hash, { keyId: found.keyId, accountId: found.accountId, month })
      const [first] = known.size > most ? known.keys() : []
      if (first !== undefined) known.delete(first)
      return found
    },
    forget,
    noteBalance(accountId, balance = 0) {
      if (balance < 1) forget(accountId)
    },
  }
}
