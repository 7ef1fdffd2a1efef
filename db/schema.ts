import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const newId = sql`gen_random_uuid()::text`

/** One row an account. The balance changes only together with a ledger entry; the sum of those entries equals it. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey().default(newId),
    name: text('name'),
    email: text('email').notNull(),
    emailVerified: moment('email_verified'),
    image: text('image'),
    passwordHash: text('password_hash'),
    /** Raised to end every session of the account. */
    sessionVersion: integer('session_version').notNull().default(0),
    balance: integer('balance').notNull().default(0),
    /** The latest month that was granted, `2026-11`; kept here so that a charge sees it under the row's lock. */
    grantedMonth: text('granted_month'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    uniqueIndex('users_email').on(table.email),
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_balance_not_negative', sql`${table.balance} >= 0`),
  ],
)

/** Sign-ins through other services, as next-auth's adapter stores them; the property names are the adapter's. */
export const oauthAccounts = pgTable(
  'oauth_accounts',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').$type<'oauth' | 'oidc' | 'email' | 'webauthn'>().notNull(),
    provider: text('provider').notNull(),
    providerAccountId: text('provider_account_id').notNull(),
    refresh_token: text('refresh_token'),
    access_token: text('access_token'),
    expires_at: integer('expires_at'),
    token_type: text('token_type'),
    scope: text('scope'),
    id_token: text('id_token'),
    session_state: text('session_state'),
  },
  table => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index('oauth_accounts_user').on(table.userId),
  ],
)

/** One-time tokens of mailed links, as next-auth's adapter stores them. */
export const verificationTokens = pgTable(
  'verification_tokens',
  {
    identifier: text('identifier').notNull(),
    token: text('token').notNull(),
    expires: moment('expires').notNull(),
  },
  table => [primaryKey({ columns: [table.identifier, table.token] })],
)

/** API keys, as the SHA-256 of the key. A rotated key stays for a while so that its account learns of its use. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey().default(newId),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    last4: text('last4').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    rotatedAt: moment('rotated_at'),
    refusedCount: integer('refused_count').notNull().default(0),
    lastRefusedAt: moment('last_refused_at'),
  },
  table => [
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_one_active').on(table.accountId).where(sql`${table.rotatedAt} is null`),
    index('api_keys_account').on(table.accountId),
  ],
)

export type EntryKind = 'grant' | 'charge' | 'refund' | 'adjustment' | 'purchase'

/** Every change of a balance; a trigger refuses to change or delete a row. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<EntryKind>().notNull(),
    delta: integer('delta').notNull(),
    /** The account's balance after this entry. */
    balance: integer('balance').notNull(),
    /** Of a charge and its refund. */
    callId: text('call_id'),
    /** Of a grant, `2026-11`. */
    month: text('month'),
    /** Of a purchase: the payment, so that one payment is booked once. */
    reference: text('reference'),
    /** Of an adjustment: why. */
    note: text('note'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    index('ledger_entries_account').on(table.accountId, table.id),
    uniqueIndex('ledger_entries_month').on(table.accountId, table.month),
    uniqueIndex('ledger_entries_call').on(table.callId, table.kind),
    uniqueIndex('ledger_entries_reference').on(table.reference),
    check(
      'ledger_entries_kind',
      sql`case ${table.kind}
        when 'grant' then ${table.delta} > 0 and ${table.month} is not null
        when 'charge' then ${table.delta} < 0 and ${table.callId} is not null
        when 'refund' then ${table.delta} > 0 and ${table.callId} is not null
        when 'adjustment' then ${table.note} is not null
        when 'purchase' then ${table.delta} > 0 and ${table.reference} is not null
        else false end`,
    ),
  ],
)

export type HoldState = 'open' | 'settled' | 'refunded'

/** One row a call from its charge on; open until its answer is delivered or its credit is given back. */
export const holds = pgTable(
  'holds',
  {
    callId: text('call_id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    /** 0 for the replay of a call that was paid for before. */
    credits: integer('credits').notNull(),
    state: text('state').$type<HoldState>().notNull().default('open'),
    instanceId: text('instance_id').notNull(),
    leaseUntil: moment('lease_until').notNull(),
    closedAt: moment('closed_at'),
  },
  table => [
    index('holds_open').on(table.leaseUntil).where(sql`${table.state} = 'open'`),
    index('holds_closed').on(table.closedAt).where(sql`${table.closedAt} is not null`),
    check('holds_state', sql`${table.state} in ('open', 'settled', 'refunded')`),
    check('holds_credits', sql`${table.credits} in (0, 1)`),
  ],
)

/** What an Idempotency-Key stood for; never a document. */
export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** The call that was charged for it. */
    callId: text('call_id').notNull(),
    state: text('state').$type<'running' | 'succeeded'>().notNull().default('running'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_records_call').on(table.callId),
    index('idempotency_records_created').on(table.createdAt),
    check('idempotency_records_state', sql`${table.state} in ('running', 'succeeded')`),
  ],
)

/** Sign-ins that failed or have not ended yet; those that succeed are removed. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    email: text('email').notNull(),
    ip: text('ip').notNull(),
    attemptedAt: moment('attempted_at').notNull().defaultNow(),
  },
  table => [index('sign_in_attempts_ip').on(table.ip, table.attemptedAt), index('sign_in_attempts_at').on(table.attemptedAt)],
)
