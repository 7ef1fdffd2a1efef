import { randomUUID } from 'node:crypto'
import type { Database, Queries } from '../../db/database'
import { DatabaseTimeoutError } from '../../db/database-unavailable'
import * as credits from '../../db/queries/credits'
import { deleteRecord, findRecord } from '../../db/queries/idempotency-records'
import type { EntryKind } from '../../db/schema'
import { getConfig } from '../config'
import { getDatabase } from '../database'
import { RequestError } from '../errors'
import { getLog } from '../log'
import { singleton } from '../registry'
import { telemetry } from '../telemetry/telemetry'

/** Granted once per account and calendar month. */
export const MONTHLY_CREDITS = 100

/** Maximum of repeated responses for one Idempotency-Key. */
export const MOST_REPLAYS = 3

/**
 * An admitted request. `balance` is the account's balance after the charge. `charged` is 0 if the request repeats a
 * paid one.
 */
export interface Charge {
  balance: number
  charged: 0 | 1
  replayed: boolean
}

export interface RequestToCharge {
  requestId: string
  accountId: string
  /** The client's Idempotency-Key and a hash of the whole request. */
  idempotency?: { key: string; requestHash: string }
  /** The API key to check, if its owner is only known from memory. */
  unconfirmedKeyId?: string | undefined
  /**
   * When the request arrived, in `performance.now()` time. A request that has already waited for a hanging database
   * doesn't wait again.
   */
  receivedAtMs?: number
}

/** The credits of all accounts. One statement changes a balance and writes its ledger entry. */
export interface Ledger {
  /**
   * Takes one credit for a request and holds it under a lease, in one round trip. Throws RequestError
   * `insufficient_credits`, `idempotency_key_reused` or `request_in_progress`. Throws an Error if the unconfirmed key
   * had ended before the request arrived.
   */
  charge(request: RequestToCharge): Promise<Charge>
  /** Refunds the charge of a request, at most once. Returns the balance in any case. */
  refund(requestId: string): Promise<{ balance: number }>
  /** Records in one statement that the responses of requests were delivered. Delivered requests aren't refunded. */
  settle(requestIds: string[]): Promise<void>
  /** Extends the leases of running requests. */
  renew(requestIds: string[]): Promise<void>
  /**
   * Refunds abandoned requests: those with an expired lease, or all open requests if no other instance can be running.
   * Returns their number.
   */
  sweep(mode: 'expired' | 'all'): Promise<number>
  /**
   * Deletes up to `limit` idempotency records after 24 h, and up to `limit` holds an hour after they were closed.
   * Returns the larger number.
   */
  purge(limit: number): Promise<number>
  balance(accountId: string): Promise<number>
  /** Returns whether a key belongs to a successful request, so that a repetition is free. */
  hasReplay(accountId: string, idempotencyKey: string): Promise<boolean>
  /** Grants this month's credits unless they were granted before. Returns the balance. */
  grantMonth(accountId: string): Promise<{ balance: number }>
  /** Returns the terms of this month's grant, for statements that also grant. */
  grantTerms(): credits.GrantTerms
  /** Returns whether an account bought credits or got some from the operator. */
  hasPaid(accountId: string): Promise<boolean>
  /** Returns the monthly credits that all accounts got today (UTC), as far as a cap counts them. */
  grantedToday(): Promise<number>
  /** Adds credits for an operator. */
  adjust(accountId: string, credits: number, note: string): Promise<{ balance: number }>
}

interface LedgerSettings {
  database: Database
  /** The clock that decides the month. Leases use the database's clock. */
  now?: (() => Date) | undefined
  instanceId?: string
  leaseMs?: number
  /** Whether only accounts with a verified address get the grant. */
  verifiedOnly: boolean
  /** The most monthly credits that all accounts together get in a day (UTC). Unlimited if undefined. */
  grantCapPerDay?: number | undefined
  /** Called once for each day on which the cap held a grant back. */
  onGrantCap?: (day: string) => void
}

/** The ledger on the opened database. */
export function getLedger(): Ledger {
  return singleton('ledger', () => {
    const ledger = createLedger({
      database: getDatabase(),
      verifiedOnly: getConfig().DATABASE_URL !== undefined,
      now: createClock(getConfig().CLOCK_OFFSET_MS),
      grantCapPerDay: getConfig().GRANT_CAP_PER_DAY,
      onGrantCap: day => getLog().warn({ day }, 'the daily cap on free credits was reached. Further grants wait'),
    })
    return telemetry().watchLedger?.(ledger) ?? ledger
  })
}

/** Creates the clock that decides the month of a grant. Only tests use an offset. */
export function createClock(offsetMs: number): () => Date {
  return () => new Date(Date.now() + offsetMs)
}

/** Creates a ledger on a database. Several ledgers, in one or more processes, may work on the same accounts. */
export function createLedger(settings: LedgerSettings): Ledger {
  const { database, now = () => new Date(), instanceId = randomUUID(), leaseMs = 30_000 } = settings
  const capGrants = createGrantCap(settings)
  const grantTerms = () => {
    const day = now().toISOString().slice(0, 10)
    return capGrants({ month: day.slice(0, 7), credits: MONTHLY_CREDITS, verifiedOnly: settings.verifiedOnly }, day)
  }
  /** The statement of a charge can't count a grant for a cap. Then only a look-up of the account grants. */
  const chargeTerms = () => {
    const { cap, ...terms } = grantTerms()
    return cap === undefined ? terms : { ...terms, credits: 0 }
  }
  const balanceOrThrow = (balance: number | undefined, accountId: string) => {
    if (balance === undefined) throw new Error(`There is no account ${accountId}`)
    return { balance }
  }

  return {
    grantTerms,

    async charge({ receivedAtMs, unconfirmedKeyId, ...request }) {
      if (database.hasStalledSince?.(receivedAtMs ?? Infinity) === true)
        throw new DatabaseTimeoutError('The database has not responded since before this request started')
      const ageMs = receivedAtMs === undefined ? 0 : performance.now() - receivedAtMs
      const key = unconfirmedKeyId === undefined ? {} : { key: { id: unconfirmedKeyId, ageMs } }
      const input = { ...request, ...key, instanceId, leaseMs, grant: chargeTerms() }
      const outcome = await credits.chargeOnce(database, input)
      if (outcome === undefined) throw new Error(`There is no account ${request.accountId}, or its key has ended`)
      if (outcome.charged !== null) return describeCharge(outcome.charged, outcome.granted)
      const { idempotency } = request
      if (idempotency === undefined) throw insufficientCredits(outcome.balance)
      return credits.withAccountLocked(database, request.accountId, queries =>
        chargeKnownKey(queries, input, idempotency),
      )
    },

    async refund(requestId) {
      const refunded = await credits.refundOnce(database, requestId)
      countCredits('refund', refunded?.credits)
      const balance = refunded?.balance ?? (await credits.findBalanceOfRequest(database, requestId))
      if (balance === undefined) throw new Error(`There is no request ${requestId}`)
      return { balance }
    },

    async settle(requestIds) {
      if (requestIds.length > 0) await credits.settleOnce(database, requestIds)
    },

    async renew(requestIds) {
      if (requestIds.length > 0) await credits.renewHolds(database, requestIds, leaseMs)
    },

    async sweep(mode) {
      if (mode === 'all' && database.kind === 'postgres') {
        throw new Error('Other instances may be running on this server. Only expired leases can be swept')
      }
      const leases = mode === 'all' ? 'any' : 'expired'
      let refunded = 0
      for (;;) {
        const requestIds = await credits.listOpenRequests(database, leases, 100)
        if (requestIds.length === 0) return refunded
        // Requests are refunded one at a time, because two sweeps that each lock many accounts could deadlock.
        for (const requestId of requestIds) {
          const refund = await credits.refundOnce(database, requestId, leases)
          countCredits('refund', refund?.credits)
          if (refund !== undefined) refunded += 1
        }
      }
    },

    purge: limit => credits.purgeHolds(database, limit),

    async balance(accountId) {
      return balanceOrThrow(await credits.findBalance(database, accountId), accountId).balance
    },

    async hasReplay(accountId, idempotencyKey) {
      return (await findRecord(database, accountId, idempotencyKey))?.state === 'succeeded'
    },

    async grantMonth(accountId) {
      const account = await credits.grantOnce(database, accountId, grantTerms())
      countCredits('grant', account?.granted)
      return balanceOrThrow(account?.balance, accountId)
    },

    hasPaid: accountId => credits.findHasPaid(database, accountId),

    grantedToday: () => credits.sumGrantedOn(database, now().toISOString().slice(0, 10)),

    async adjust(accountId, amount, note) {
      return balanceOrThrow(await credits.adjustOnce(database, { accountId, credits: amount, note }), accountId)
    },
  }
}

/**
 * Creates a function that adds the daily cap to the terms of a grant. After a grant found no room, this process tries
 * no other one on that day, because all grants have the same size.
 */
function createGrantCap({ grantCapPerDay, onGrantCap }: LedgerSettings) {
  let fullDay: string | undefined
  return (terms: credits.GrantTerms, day: string): credits.GrantTerms => {
    if (grantCapPerDay === undefined) return terms
    const onReached = () => {
      if (fullDay !== day) onGrantCap?.(day)
      fullDay = day
    }
    const cap = { day, credits: grantCapPerDay, onReached }
    return { ...terms, cap, credits: fullDay === day ? 0 : terms.credits }
  }
}

/** Decides under the account's lock about a request with a known key or a balance that was too low. */
async function chargeKnownKey(
  queries: Queries,
  input: credits.ChargeInput,
  idempotency: NonNullable<RequestToCharge['idempotency']>,
): Promise<Charge> {
  const { accountId, grant } = input
  const record = await findRecord(queries, accountId, idempotency.key)
  const isKeyInUse = record !== undefined && (record.state === 'succeeded' || record.isLive)
  if (isKeyInUse && record.requestHash !== idempotency.requestHash) throw keyReused()
  if (isKeyInUse && record.state === 'running') throw inProgress()
  if (isKeyInUse) {
    if (record.replays >= MOST_REPLAYS) throw replaysUsedUp()
    if (record.replays + record.openReplays >= MOST_REPLAYS) throw inProgress()
    const account = await credits.grantOnce(queries, accountId, grant)
    await credits.holdReplay(queries, input, record.requestId)
    countCredits('grant', account?.granted)
    return { balance: account?.balance ?? 0, charged: 0, replayed: true }
  }
  await deleteRecord(queries, accountId, idempotency.key)
  const outcome = await credits.chargeOnce(queries, input)
  if (outcome === undefined || outcome.charged === null) throw insufficientCredits(outcome?.balance ?? 0)
  return describeCharge(outcome.charged, outcome.granted)
}

function describeCharge(balance: number, granted: number): Charge {
  countCredits('grant', granted)
  countCredits('charge', 1)
  return { balance, charged: 1, replayed: false }
}

function countCredits(kind: EntryKind, amount = 0): void {
  if (amount > 0) telemetry().countCredits?.(kind, amount)
}

/** Returns the error for a request that the account can't pay for. */
export function insufficientCredits(balance: number): RequestError {
  return new RequestError(
    'insufficient_credits',
    `This request costs 1 credit. Your balance is ${balance}. ` +
      `${describePurchase()}You get ${MONTHLY_CREDITS} free credits at the start of each month (UTC).`,
    { body: { creditsRequired: 1, creditBalance: balance } },
  )
}

function describePurchase(): string {
  const { STRIPE_SECRET_KEY, PUBLIC_URL } = getConfig()
  if (STRIPE_SECRET_KEY === undefined) return ''
  return (
    'Buy credits at ' +
    `${PUBLIC_URL === undefined ? '/account/credits' : new URL('/account/credits', PUBLIC_URL).href}. `
  )
}

function keyReused(): RequestError {
  return new RequestError(
    'idempotency_key_reused',
    'You used this Idempotency-Key for a different request in the last 24 hours. Use a new key for each new request.',
  )
}

function replaysUsedUp(): RequestError {
  return new RequestError(
    'idempotency_key_reused',
    `This Idempotency-Key was already replayed ${MOST_REPLAYS} times. Use a new key for a new request.`,
  )
}

function inProgress(): RequestError {
  return new RequestError(
    'request_in_progress',
    'A request with this Idempotency-Key is still running. Retry after 2 seconds.',
    { headers: { 'Retry-After': '2' } },
  )
}
