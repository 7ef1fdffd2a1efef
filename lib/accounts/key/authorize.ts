import type { Database } from '../../../db/database'
import { findKeyOwner, type KeyOwner, recordRefusedUses } from '../../../db/queries/keys'
import type { Caller } from '../../requests/request'
import type { ClientDetails } from '../../requests/client-details'
import { getLedger, type Ledger } from '../../credits/ledger'
import { getDatabase } from '../../database'
import { RequestError } from '../../errors'
import { hashApiKey, isApiKey } from './api-key'
import { createRefusedKeyUses, type RefusedKeyUses } from './refused-key-uses'
import { createSharedKeyLookups, type SharedKeyLookups } from './shared-key-lookups'

interface AuthorizeDependencies {
  database?: Database
  ledger?: Pick<Ledger, 'grantTerms'>
  /** Returns the client that presents the key. Only called for a rotated key. */
  client?: () => ClientDetails
  /** Whether the caller charges the account with a check of the key, or else authorizes the key again without this. */
  mayBeUnconfirmed?: boolean
}

/**
 * Finds the owner of a presented key, from memory or with one query that also grants this month's credits. An owner
 * from memory is only returned if it is certain, or if it `mayBeUnconfirmed`. Throws RequestError `invalid_api_key` when
 * the key is missing, malformed, unknown or rotated. The use of a rotated key is recorded for its account.
 */
export async function authorize(
  apiKey: string | null | undefined,
  { database = getDatabase(), ledger = getLedger(), client, mayBeUnconfirmed = false }: AuthorizeDependencies = {},
): Promise<Caller> {
  if (apiKey === null || apiKey === undefined || apiKey === '') {
    throw invalidKey('The x-api-key header is missing. Send your API key in this header. Create a key in your account.')
  }
  if (!isApiKey(apiKey)) {
    throw invalidKey(
      "The value of the x-api-key header isn't an API key, or a character is wrong. A key begins with sheaf_live_ " +
        'and has 49 characters. Copy the whole key.',
    )
  }
  const hash = hashApiKey(apiKey)
  const last4 = apiKey.slice(-4)
  const { month } = ledger.grantTerms()
  const isExact = database.keyOwners?.isExact === true
  const cachedOwner = isExact || mayBeUnconfirmed ? database.keyOwners?.find(hash, month) : undefined
  if (cachedOwner !== undefined) {
    const { accountId, keyId, balance, hasPaid = false } = cachedOwner
    return {
      accountId,
      via: 'api',
      hasPaid,
      key: { id: keyId, last4 },
      ...(isExact ? {} : { balance, isUnconfirmed: true }),
    }
  }
  const queryOwner = () => findKeyOwner(database, hash, ledger.grantTerms())
  const findOwner = () =>
    lookupsOf(database)(hash, () => database.keyOwners?.load({ hash, month }, queryOwner, isLasting) ?? queryOwner())
  const owner = await findOwner()
  if (owner === undefined)
    throw invalidKey('This API key is unknown. Check that the key belongs to this service and still exists.')
  if (owner.isRotated) await refusedUses(database).record(owner.keyId, client?.())
  if (owner.isRotated) throw invalidKey('This API key was rotated and no longer works. Use the new key.')
  // A balance of 0 may be older than a grant that another request made at the same moment.
  const latest = owner.balance > 0 ? owner : await findOwner()
  return {
    accountId: owner.accountId,
    balance: latest?.balance ?? owner.balance,
    via: 'api',
    hasPaid: owner.hasPaid,
    key: { id: owner.keyId, last4 },
  }
}

const refusedUsesOf = new WeakMap<Database, RefusedKeyUses>()

function refusedUses(database: Database): RefusedKeyUses {
  const uses =
    refusedUsesOf.get(database) ??
    createRefusedKeyUses((keyId, count, client) => recordRefusedUses(database, { keyId, uses: count, client }))
  refusedUsesOf.set(database, uses)
  return uses
}

/** An owner without credits is looked up each time, so that a request is refused before its body is read. */
function isLasting({ isRotated, balance }: KeyOwner): boolean {
  return !isRotated && balance >= 1
}

const sharedLookups = new WeakMap<Database, SharedKeyLookups<KeyOwner | undefined>>()

/** Simultaneous lookups of one key are shared, so that a flood of requests doesn't fill the database's queue. */
function lookupsOf(database: Database): SharedKeyLookups<KeyOwner | undefined> {
  const lookups = sharedLookups.get(database) ?? createSharedKeyLookups()
  sharedLookups.set(database, lookups)
  return lookups
}

function invalidKey(message: string): RequestError {
  return new RequestError('invalid_api_key', message)
}
