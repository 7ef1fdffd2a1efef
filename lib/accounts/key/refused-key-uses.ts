import type { CallClient } from '../../calls/call-client'

/** Writes down how often a rotated key was tried since it was written down last, and by whom the last time. */
type WriteUses = (keyId: string, uses: number, client: CallClient | undefined) => Promise<void>

/** Uses of rotated keys, counted in memory in between. */
export interface RefusedKeyUses {
  /** Counts a use; the first one is written at once, those of the minute after it together. */
  note(keyId: string, client: CallClient | undefined): Promise<void>
}

interface Pending {
  uses: number
  client: CallClient | undefined
}

const PERIOD_MS = 60_000

/** Makes the counter of refused uses: a rotated key that a program keeps trying costs one write a minute. */
export function createRefusedKeyUses(write: WriteUses): RefusedKeyUses {
  const pending = new Map<string, Pending>()

  const waitForMore = (keyId: string) => {
    pending.set(keyId, { uses: 0, client: undefined })
    setTimeout(() => void flush(keyId), PERIOD_MS).unref()
  }
  const flush = async (keyId: string): Promise<void> => {
    const { uses, client } = pending.get(keyId) ?? { uses: 0, client: undefined }
    pending.delete(keyId)
    if (uses === 0) return
    waitForMore(keyId)
    await write(keyId, uses, client).catch(() => {}) // the database is away: what it missed is only a count
  }
  return {
    async note(keyId, client) {
      const known = pending.get(keyId)
      if (known) {
        known.uses += 1
        known.client = client
        return
      }
      waitForMore(keyId)
      await write(keyId, 1, client)
    },
  }
}
