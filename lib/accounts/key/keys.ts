import type { Database } from '../../../db/database'
import { countRecentRequests } from '../../../db/queries/request-log'
import { findActiveKey, forgetRefusedUses, insertFirstKey, type KeySummary, replaceKey } from '../../../db/queries/keys'
import type { ClientDetails } from '../../requests/client-details'
import { getDatabase } from '../../database'
import { hashApiKey, maskApiKey, mintApiKey } from './api-key'

/** Thrown when a key is to be created for an account that already has one. Such a key can be rotated instead. */
export class KeyExistsError extends Error {
  override readonly name = 'KeyExistsError'
}

/** Returns whether a value is a KeyExistsError, including one from another bundle's copy of this module. */
export function isKeyExists(value: unknown): value is KeyExistsError {
  return value instanceof Error && value.name === 'KeyExistsError'
}

/** The key of an account, as its owner sees it. */
export interface KeyDescription {
  /** `sheaf_live_…x7Qd` */
  masked: string
  last4: string
  createdAt: Date
  /** The latest request with the key, up to a minute late. Null before the first request. */
  lastUse: KeyUse | null
  /** Number of the account's authenticated requests in the last 24 hours, whether they succeeded or not. */
  requestsInLastDay: number
  /**
   * Uses of rotated keys in the last 90 days: their number, the first time, and the time and client of the last use.
   */
  refusedUses: number
  firstRefusedAt: Date | null
  lastRefusedAt: Date | null
  lastRefusedClient: ClientDetails
}

export interface KeyUse {
  at: Date
  operation: string
  status: number
  client: ClientDetails
}

/** Thrown when the account or the session that requested a key has ended in the meantime. */
export class KeyOwnerGoneError extends Error {
  override readonly name = 'KeyOwnerGoneError'

  constructor() {
    super('No key was created because the account or the session has ended.')
  }
}

/** Returns whether a value is a KeyOwnerGoneError, including one from another bundle's copy of this module. */
export function isKeyOwnerGone(value: unknown): value is KeyOwnerGoneError {
  return value instanceof Error && value.name === 'KeyOwnerGoneError'
}

/** The account that gets the key, and the version of the session that requested it, if any. */
interface KeyOwnerId {
  accountId: string
  sessionVersion?: number
}

/**
 * Creates an account's key and returns it. The key can't be read again. Throws KeyExistsError when the account has one,
 * and KeyOwnerGoneError.
 */
export async function createKey(
  accountId: string,
  database: Database = getDatabase(),
  sessionVersion?: number,
): Promise<{ apiKey: string }> {
  const { apiKey, ...newKey } = mintFor(accountId)
  const outcome = await insertFirstKey(database, { ...newKey, sessionVersion })
  if (outcome === 'gone') throw new KeyOwnerGoneError()
  if (outcome === 'stored') return { apiKey }
  throw new KeyExistsError(
    'This account has an active API key. Rotate the key to get a new one. The old key stops working immediately.',
  )
}

/**
 * Replaces the active key with a new one. Every instance refuses the old key from then on. If two rotations run at
 * once, the later key stays. Also works for an account without a key. Throws KeyOwnerGoneError.
 */
export async function rotateKey(accountId: string, database: Database = getDatabase()): Promise<{ apiKey: string }> {
  const { apiKey, ...newKey } = mintFor(accountId)
  if ((await replaceKey(database, newKey)) === 'gone') throw new KeyOwnerGoneError()
  return { apiKey }
}

/**
 * Rotates the key only if the active key ends in `last4`, as the visitor saw it. Otherwise returns null and changes
 * nothing. If two visitors rotate at once, on any instances, only one gets a key. Throws KeyOwnerGoneError.
 */
export async function rotateSeenKey(
  shownKey: KeyOwnerId & { last4: string },
  database: Database = getDatabase(),
): Promise<{ apiKey: string } | null> {
  const { apiKey, ...newKey } = mintFor(shownKey.accountId)
  const outcome = await replaceKey(database, { ...newKey, sessionVersion: shownKey.sessionVersion }, shownKey.last4)
  if (outcome === 'gone') throw new KeyOwnerGoneError()
  return outcome === 'stored' ? { apiKey } : null
}

/** Forgets the refused uses of an account's rotated keys so far. Later uses count again. */
export async function dismissRefusedUses(accountId: string): Promise<{ isDismissed: true }> {
  await forgetRefusedUses(getDatabase(), accountId)
  return { isDismissed: true }
}

/** Returns the public details of an account's active key, or null when it has none. */
export async function describeKey(
  accountId: string,
  database: Database = getDatabase(),
): Promise<KeyDescription | null> {
  const [key, requestsInLastDay] = await Promise.all([
    findActiveKey(database, accountId),
    countRecentRequests(database, accountId),
  ])
  if (key === undefined) return null
  return {
    masked: maskApiKey(key.last4),
    last4: key.last4,
    createdAt: fromSeconds(key.createdAtS),
    lastUse: describeUse(key),
    requestsInLastDay,
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
