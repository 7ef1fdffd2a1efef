import type { Database } from '../../../db/database'
import { countRecentCalls } from '../../../db/queries/calls'
import { findActiveKey, insertFirstKey, type KeySummary, replaceKey } from '../../../db/queries/keys'
import type { CallClient } from '../../calls/call-client'
import { getDatabase } from '../../database'
import { hashApiKey, maskApiKey, mintApiKey } from './api-key'

/** Thrown when a key is to be created for an account that has one; it can be rotated instead. */
export class KeyExistsError extends Error {
  override readonly name = 'KeyExistsError'
}

/** Whether a value is a KeyExistsError, also one made by another bundle's copy of this module. */
export function isKeyExists(value: unknown): value is KeyExistsError {
  return value instanceof Error && value.name === 'KeyExistsError'
}

/** What an account sees of its key. */
export interface KeyDescription {
  /** `sheaf_live_…x7Qd` */
  masked: string
  last4: string
  createdAt: Date
  /** Its latest call, up to a minute late; null before the first one. */
  lastUse: KeyUse | null
  /** Calls of the account in the last 24 hours that were answered, refused or failed after its key was known. */
  callsInLastDay: number
  /** How often rotated keys of the account were tried in the last 90 days, since when, and when and by whom last. */
  refusedUses: number
  firstRefusedAt: Date | null
  lastRefusedAt: Date | null
  lastRefusedClient: CallClient
}

export interface KeyUse {
  at: Date
  operation: string
  status: number
  client: CallClient
}

/** Thrown when the account or the session that asked for a key has ended meanwhile. */
export class KeyOwnerGoneError extends Error {
  override readonly name = 'KeyOwnerGoneError'

  constructor() {
    super('The account or its session has ended, so no key was created.')
  }
}

/** Whether a value is a KeyOwnerGoneError, also one made by another bundle's copy of this module. */
export function isKeyOwnerGone(value: unknown): value is KeyOwnerGoneError {
  return value instanceof Error && value.name === 'KeyOwnerGoneError'
}

/** Whose key is made: an account, on behalf of the session of this version where one is named. */
interface KeyOwnerId {
  accountId: string
  sessionVersion?: number
}

/**
 * Creates an account's key and gives it, the only time it can be read. Throws KeyExistsError when it has one, and
 * KeyOwnerGoneError.
 */
export async function createKey(
  accountId: string,
  database: Database = getDatabase(),
  sessionVersion?: number,
): Promise<{ apiKey: string }> {
  const { apiKey, ...stored } = mintFor(accountId)
  const outcome = await insertFirstKey(database, { ...stored, sessionVersion })
  if (outcome === 'gone') throw new KeyOwnerGoneError()
  if (outcome === 'stored') return { apiKey }
  throw new KeyExistsError(
    'This account has an active API key. Rotate it to get a new one; the old one stops working at once.',
  )
}

/**
 * Creates a key in the place of the active one, which is refused from then on, on every instance. Of two rotations at
 * once the later one's key stays. Works for an account without a key too. Throws KeyOwnerGoneError.
 */
export async function rotateKey(accountId: string, database: Database = getDatabase()): Promise<{ apiKey: string }> {
  const { apiKey, ...stored } = mintFor(accountId)
  if ((await replaceKey(database, stored)) === 'gone') throw new KeyOwnerGoneError()
  return { apiKey }
}

/**
 * The same for somebody who has seen the active key end in `last4`: null, and nothing rotated, when it is another one
 * by now. Of two who rotate at once, on any instances, one gets a key. Throws KeyOwnerGoneError.
 */
export async function rotateSeenKey(
  seen: KeyOwnerId & { last4: string },
  database: Database = getDatabase(),
): Promise<{ apiKey: string } | null> {
  const { apiKey, ...stored } = mintFor(seen.accountId)
  const outcome = await replaceKey(database, { ...stored, sessionVersion: seen.sessionVersion }, seen.last4)
  if (outcome === 'gone') throw new KeyOwnerGoneError()
  return outcome === 'stored' ? { apiKey } : null
}

/** What may be shown of an account's active key, or null when it has none. */
export async function describeKey(
  accountId: string,
  database: Database = getDatabase(),
): Promise<KeyDescription | null> {
  const [key, callsInLastDay] = await Promise.all([
    findActiveKey(database, accountId),
    countRecentCalls(database, accountId),
  ])
  if (key === undefined) return null
  return {
    masked: maskApiKey(key.last4),
    last4: key.last4,
    createdAt: fromSeconds(key.createdAtS),
    lastUse: describeUse(key),
    callsInLastDay,
    refusedUses: key.refusedCount,
    firstRefusedAt: key.firstRefusedAtS === null ? null : fromSeconds(key.firstRefusedAtS),
    lastRefusedAt: key.lastRefusedAtS === null ? null : fromSeconds(key.lastRefusedAtS),
    lastRefusedClient: { address: key.lastRefusedAddress, agent: key.lastRefusedAgent },
  }
}

function describeUse({
  lastUsedAtS,
  lastUsedOperation,
  lastUsedStatus,
  lastUsedAddress,
  lastUsedAgent,
}: KeySummary): KeyUse | null {
  if (lastUsedAtS === null || lastUsedOperation === null || lastUsedStatus === null) return null
  return {
    at: fromSeconds(lastUsedAtS),
    operation: lastUsedOperation,
    status: lastUsedStatus,
    client: { address: lastUsedAddress, agent: lastUsedAgent },
  }
}

function mintFor(accountId: string) {
  const apiKey = mintApiKey()
  return { apiKey, accountId, hash: hashApiKey(apiKey), last4: apiKey.slice(-4) }
}

function fromSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
