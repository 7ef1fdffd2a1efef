import type { ClientDetails } from '../../requests/client-details'

/** Stores the number of uses of a rotated key since the last write, and the client of the last use. */
type WriteUses = (keyId: string, uses: number, client: ClientDetails | undefined) => Promise<void>

/** Counts uses of rotated keys in memory between writes. */
export interface RefusedKeyUses {
  /** Counts a use. The first use is written at once, and the uses of the next minute are written together. */
  record(keyId: string, client: ClientDetails | undefined): Promise<void>
}

interface Pending {
  uses: number
  client: ClientDetails | undefined
}

const PERIOD_MS = 60_000

/** Creates the counter of refused uses. A rotated key that a program keeps using costs one write per minute. */
export function createRefusedKeyUses(write: WriteUses): RefusedKeyUses {
  const pending = new Map<string, Pending>()

  const startPeriod = (keyId: string) => {
    pending.set(keyId, { uses: 0, client: undefined })
    setTimeout(() => void flush(keyId), PERIOD_MS).unref()
  }
  const flush = async (keyId: string): Promise<void> => {
    const { uses, client } = pending.get(keyId) ?? { uses: 0, client: undefined }
    pending.delete(keyId)
    if (uses === 0) return
    startPeriod(keyId)
    await write(keyId, uses, client).catch(() => {}) // If the database is unavailable, only a count is lost.
  }
  return {
    async record(keyId, client) {
      const pendingUses = pending.get(keyId)
      if (pendingUses) {
        pendingUses.uses += 1
        pendingUses.client = client
        return
      }
      startPeriod(keyId)
      await write(keyId, 1, client)
    },
  }
}
