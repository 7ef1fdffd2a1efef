import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

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
    /** Credits of payments that went back after they had been spent; later payments pay them first. */
    debt: integer('debt').notNull().default(0),
    /** The customer at Stripe that purchases are made as, from the first one on. */
    stripeCustomerId: text('stripe_customer_id'),
    /** The latest month that was granted, `2026-11`; kept here so that a charge sees it under the row's lock. */
    grantedMonth: text('granted_month'),
    /** Below this balance its owner is told; 0 for never. */
    lowBalanceAt: integer('low_balance_at').notNull().default(20),
    /**
     * Whether its owner was told that the balance is low, or need not be; a trigger keeps it, and writes the notice.
     */
    lowTold: boolean('low_told').notNull().default(false),
    /** When its owner deleted it: from then on it stands for nobody, and only the ledger goes on naming it. */
    deletedAt: moment('deleted_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    uniqueIndex('users_email').on(table.email),
    index('users_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_balance_not_negative', sql`${table.balance} >= 0`),
    check('users_debt_not_negative', sql`${table.debt} >= 0`),
    check('users_low_balance_not_negative', sql`${table.lowBalanceAt} >= 0`),
  ],
)

/**
 * Sign-ins through other services, as next-auth's adapter reads them; the property names are the adapter's. A trigger
 * empties the columns for tokens, which only an earlier version of the service writes.
 */
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
  table => [
    primaryKey({ columns: [table.identifier, table.token] }),
    index('verification_tokens_expires').on(table.expires),
  ],
)

/**
 * API keys, as the SHA-256 of the key. A rotated key stays for a while so that its account learns of its use. What ends
 * a key stands in db/queries and has its owner forgotten (`KeyOwners`).
 */
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
    /** Of uses after the rotation. Where from and with what is kept as the call log keeps it. */
    firstRefusedAt: moment('first_refused_at'),
    lastRefusedAddress: text('last_refused_address'),
    lastRefusedAgent: text('last_refused_agent'),
    /** Of the latest call, up to a minute late. */
    lastUsedAt: moment('last_used_at'),
    lastUsedOperation: text('last_used_operation'),
    lastUsedStatus: integer('last_used_status'),
    lastUsedAddress: text('last_used_address'),
    lastUsedAgent: text('last_used_agent'),
  },
  table => [
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_one_active')
      .on(table.accountId)
      .where(sql`${table.rotatedAt} is null`),
    index('api_keys_account').on(table.accountId),
    index('api_keys_rotated')
      .on(table.rotatedAt)
      .where(sql`${table.rotatedAt} is not null`),
  ],
)

export type EntryKind = 'grant' | 'charge' | 'refund' | 'adjustment' | 'carry_forward' | PaymentKind

/** What money does to a balance; those that take credits away leave a debt where the balance does not suffice. */
export type PaymentKind = 'purchase' | 'purchase_refund' | 'dispute' | 'dispute_reversal'

/**
 * Every change of a balance. A trigger refuses to change or delete a row, except that one may become the carry-forward
 * of all rows of its account before it, which may then be deleted.
 */
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
    /** What it adds to the account's debt; `delta` less this is what was bought or went back. */
    owed: integer('owed').notNull().default(0),
    /** Of a charge and its refund. */
    callId: text('call_id'),
    /** Of a grant, `2026-11`. */
    month: text('month'),
    /** Of a payment: which booking of which purchase, so that each is made once. */
    reference: text('reference'),
    /** Of an adjustment: why. Of a carry-forward: until when. */
    note: text('note'),
    /** Of a carry-forward: the part of it that was neither granted nor spent on calls, but bought or adjusted. */
    booked: integer('booked'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    index('ledger_entries_account').on(table.accountId, table.id),
    index('ledger_entries_bookings')
      .on(table.accountId)
      .where(sql`${table.kind} not in ('grant', 'charge', 'refund')`),
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
        when 'purchase' then ${table.delta} - ${table.owed} > 0 and ${table.reference} is not null
        when 'purchase_refund' then ${table.delta} - ${table.owed} < 0 and ${table.reference} is not null
        when 'dispute' then ${table.delta} - ${table.owed} < 0 and ${table.reference} is not null
        when 'dispute_reversal' then ${table.delta} - ${table.owed} > 0 and ${table.reference} is not null
        when 'carry_forward' then ${table.delta} = ${table.balance} and ${table.booked} is not null
        else false end`,
    ),
    check(
      'ledger_entries_owed',
      sql`${table.owed} = 0 or ${table.kind} = 'carry_forward' or (${table.reference} is not null and sign(${table.owed}) in (0, -sign(${table.delta} - ${table.owed})) and sign(${table.delta}) in (0, sign(${table.delta} - ${table.owed})))`,
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
    /** The call that a replay repeats; null for a call that was charged itself. */
    replaysCallId: text('replays_call_id'),
  },
  table => [
    index('holds_open')
      .on(table.leaseUntil)
      .where(sql`${table.state} = 'open'`),
    index('holds_replays')
      .on(table.replaysCallId)
      .where(sql`${table.replaysCallId} is not null`),
    index('holds_closed')
      .on(table.closedAt)
      .where(sql`${table.closedAt} is not null`),
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
    /** The network that is counted: an IPv4 address, or the /64 of an IPv6 address. */
    ip: text('ip').notNull(),
    /** The /48 of an IPv6 address. */
    site: text('site'),
    attemptedAt: moment('attempted_at').notNull().defaultNow(),
  },
  table => [
    index('sign_in_attempts_ip').on(table.ip, table.attemptedAt),
    index('sign_in_attempts_site')
      .on(table.site, table.attemptedAt)
      .where(sql`${table.site} is not null`),
    index('sign_in_attempts_email').on(table.email, table.attemptedAt),
    index('sign_in_attempts_at').on(table.attemptedAt),
  ],
)

/** Networks from which accounts were signed in to, as keyed hashes of address and network. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  {
    networkHash: text('network_hash').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lastAt: moment('last_at').notNull().defaultNow(),
  },
  table => [index('sign_in_networks_account').on(table.accountId), index('sign_in_networks_last').on(table.lastAt)],
)

/** Where a call comes in: with a key, or from a page of the account area. */
export type CallVia = 'api' | 'playground'

/**
 * What an account sees of its calls. No names of files, no content, no text that a client chose. Rows are written after
 * the answer, many at a time; `users` is not referenced, so that one of them can't stop the others.
 */
export const calls = pgTable(
  'calls',
  {
    /** The request's id. */
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** When the head of the request had arrived. */
    at: moment('at').notNull(),
    /**
     * The same in UTC, for deleting what is old. An index on the moment itself would be taken for lists as well, and
     * read through other accounts' calls.
     */
    day: date('day', { mode: 'string' }).notNull(),
    operation: text('operation').notNull(),
    via: text('via').$type<CallVia>().notNull(),
    /** 499 when the client hung up before there was an answer. */
    status: integer('status').notNull(),
    error: text('error'),
    /** The field to blame, as far as its name is one of ours. */
    param: text('param'),
    /** Milliseconds until the last byte had gone, and those of them that the engine took. */
    ms: integer('ms').notNull(),
    engineMs: integer('engine_ms'),
    bytesIn: bigint('bytes_in', { mode: 'number' }).notNull(),
    bytesOut: bigint('bytes_out', { mode: 'number' }).notNull(),
    credits: integer('credits').notNull(),
    replayed: boolean('replayed').notNull(),
    delivered: boolean('delivered').notNull(),
    browserOrigin: boolean('browser_origin').notNull(),
    keyLast4: text('key_last4'),
    /** The network that it came from: 24 bits of an IPv4 address, 48 of an IPv6 one. */
    address: text('address'),
    agent: text('agent'),
  },
  table => [
    index('calls_account').on(table.accountId, table.at, table.id),
    index('calls_operation').on(table.accountId, table.operation, table.at, table.id),
    index('calls_failed')
      .on(table.accountId, table.at, table.id)
      .where(sql`${table.status} >= 400`),
    index('calls_day').on(table.day),
    check('calls_via', sql`${table.via} in ('api', 'playground')`),
  ],
)

/** How a call ended: with a file that was delivered, refused (4xx, also when the client hung up), or failed (5xx). */
export type CallOutcome = 'ok' | 'refused' | 'failed'

/** Calls of an account by day in UTC, counted as they are logged. */
export const usageDays = pgTable(
  'usage_days',
  {
    accountId: text('account_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    operation: text('operation').notNull(),
    outcome: text('outcome').$type<CallOutcome>().notNull(),
    calls: integer('calls').notNull(),
    credits: integer('credits').notNull(),
    ms: bigint('ms', { mode: 'number' }).notNull(),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.day, table.operation, table.outcome] }),
    index('usage_days_day').on(table.day),
    check('usage_days_outcome', sql`${table.outcome} in ('ok', 'refused', 'failed')`),
  ],
)

/** Addresses of deleted accounts whose month had been granted, as a keyed hash, until that month is over. */
export const spentGrants = pgTable(
  'spent_grants',
  {
    month: text('month').notNull(),
    addressHash: text('address_hash').notNull(),
  },
  table => [primaryKey({ columns: [table.month, table.addressHash] })],
)

/** `pending`: Stripe waits for a bank; `failed` and `expired` may still become `paid`, for events come in any order. */
export type PurchaseState = 'open' | 'pending' | 'paid' | 'failed' | 'expired'

/**
 * One row a purchase from before its checkout on. Its price is what was asked for here; what Stripe tells is held
 * against it.
 */
export const purchases = pgTable(
  'purchases',
  {
    id: text('id').primaryKey().default(newId),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    state: text('state').$type<PurchaseState>().notNull().default('open'),
    /** ISO 4217 in lower case, as Stripe writes it. */
    currency: text('currency').notNull().default('usd'),
    /** Whether it was bought by itself at a low balance. */
    isTopUp: boolean('is_top_up').notNull().default(false),
    amountCents: integer('amount_cents').notNull(),
    credits: integer('credits').notNull(),
    /** Ids at Stripe, once they are known. */
    sessionId: text('session_id'),
    paymentIntentId: text('payment_intent_id'),
    /**
     * What Stripe has told to be refunded, all in all; and what of refunds and of disputes the ledger has taken back.
     */
    refundedCents: integer('refunded_cents').notNull().default(0),
    refundBookedCents: integer('refund_booked_cents').notNull().default(0),
    disputeBookedCents: integer('dispute_booked_cents').notNull().default(0),
    /** Entries of the ledger that belong to it. */
    bookings: integer('bookings').notNull().default(0),
    /** Without a gap over all purchases that were paid; moves to `archived_invoices` when the account is deleted. */
    receiptNumber: integer('receipt_number'),
    /** Name, address and tax ids that the buyer gave to Stripe, as JSON; moves with the number. */
    billing: text('billing'),
    /** Of an automatic top-up: when Stripe was first asked to charge which card of which customer. */
    askedAt: moment('asked_at'),
    askedCustomerId: text('asked_customer_id'),
    askedMethodId: text('asked_method_id'),
    /**
     * Whether it was paid after its account was deleted: such a purchase is never credited, and its payment is
     * refunded.
     */
    isOrphaned: boolean('is_orphaned').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    paidAt: moment('paid_at'),
  },
  table => [
    uniqueIndex('purchases_session').on(table.sessionId),
    uniqueIndex('purchases_payment').on(table.paymentIntentId),
    uniqueIndex('purchases_receipt').on(table.receiptNumber),
    index('purchases_account').on(table.accountId, table.createdAt),
    uniqueIndex('purchases_top_up_under_way')
      .on(table.accountId)
      .where(sql`${table.isTopUp} and ${table.state} in ('open', 'pending')`),
    index('purchases_orphaned')
      .on(table.paidAt)
      .where(sql`${table.isOrphaned}`),
    check('purchases_state', sql`${table.state} in ('open', 'pending', 'paid', 'failed', 'expired')`),
    check(
      'purchases_amounts',
      sql`${table.amountCents} > 0 and ${table.credits} > 0 and ${table.refundedCents} >= 0 and ${table.refundBookedCents} + ${table.disputeBookedCents} between 0 and ${table.amountCents}`,
    ),
    check(
      'purchases_paid',
      sql`(${table.state} = 'paid') = (${table.paidAt} is not null and ${table.paymentIntentId} is not null)
        and (${table.state} = 'paid' or ${table.receiptNumber} is null)`,
    ),
  ],
)

/**
 * Invoices of accounts that were deleted, which the law has the seller keep. No id leads from here to a purchase, an
 * account or its ledger, and the day is all that is kept of the time.
 */
export const archivedInvoices = pgTable('archived_invoices', {
  receiptNumber: integer('receipt_number').primaryKey(),
  paidOn: date('paid_on', { mode: 'string' }).notNull(),
  currency: text('currency').notNull(),
  amountCents: integer('amount_cents').notNull(),
  credits: integer('credits').notNull(),
  billing: text('billing'),
})

/** Every customer at Stripe that an account has ever had, so that all of them can be deleted with it. */
export const stripeCustomers = pgTable(
  'stripe_customers',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
  },
  table => [index('stripe_customers_account').on(table.accountId)],
)

/** `delete_customer` has a customer's id as its subject, `refund` the id of a purchase. */
export type StripeTaskKind = 'delete_customer' | 'refund'

/** What Stripe is still to be asked for. A row goes once Stripe has done it, and is never given up. */
export const stripeTasks = pgTable(
  'stripe_tasks',
  {
    kind: text('kind').$type<StripeTaskKind>().notNull(),
    subject: text('subject').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.kind, table.subject] }),
    index('stripe_tasks_due').on(table.dueAt),
    check('stripe_tasks_kind', sql`${table.kind} in ('delete_customer', 'refund')`),
  ],
)

/** Payments that a cardholder's bank has called back. */
export const disputes = pgTable('disputes', {
  /** Stripe's. */
  id: text('id').primaryKey(),
  purchaseId: text('purchase_id')
    .notNull()
    .references(() => purchases.id),
  amountCents: integer('amount_cents').notNull(),
  /** Whether Stripe has taken the money back, and whether it has returned it. */
  isWithdrawn: boolean('is_withdrawn').notNull(),
  isReinstated: boolean('is_reinstated').notNull(),
})

/** Events of Stripe that have been applied, so that each is once. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    id: text('id').primaryKey(),
    receivedAt: moment('received_at').notNull().defaultNow(),
  },
  table => [index('stripe_events_received').on(table.receivedAt)],
)

/** One row: the receipt number that was given last. */
export const receiptCounter = pgTable(
  'receipt_counter',
  { id: integer('id').primaryKey(), last: integer('last').notNull() },
  table => [check('receipt_counter_one', sql`${table.id} = 1`)],
)

/** Who wants credits to be bought by itself at a low balance, and from which card. One row an account that ever did. */
export const topUps = pgTable(
  'top_ups',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => users.id),
    isOn: boolean('is_on').notNull().default(false),
    amountCents: integer('amount_cents').notNull(),
    /** What may be bought this way in a month of UTC. */
    monthlyLimitCents: integer('monthly_limit_cents').notNull(),
    /**
     * The card at Stripe and the customer that it belongs to, once there is one, as it is shown, and its holder's
     * address as purchases keep it.
     */
    customerId: text('customer_id'),
    paymentMethodId: text('payment_method_id'),
    cardLabel: text('card_label'),
    billing: text('billing'),
    /** Payments in a row that did not go through, and what Stripe said of the last one. */
    failures: integer('failures').notNull().default(0),
    lastFailure: text('last_failure'),
    /** After a payment that did not go through, the same card is not charged before this moment. */
    pausedUntil: moment('paused_until'),
    /** Whether its owner asked for it last; a card that Stripe tells of later turns it on only then. */
    isWanted: boolean('is_wanted').notNull().default(true),
    /** What turned it off, where that was money that went back. */
    stoppedBy: text('stopped_by').$type<'refund' | 'dispute'>(),
    /** The month, `2026-11`, in which its owner was told that the limit is reached. */
    limitToldMonth: text('limit_told_month'),
  },
  table => [
    index('top_ups_on')
      .on(table.accountId)
      .where(sql`${table.isOn}`),
    check('top_ups_stopped_by', sql`${table.stoppedBy} in ('refund', 'dispute')`),
    check('top_ups_amounts', sql`${table.amountCents} > 0 and ${table.monthlyLimitCents} >= ${table.amountCents}`),
    check(
      'top_ups_card',
      sql`not ${table.isOn} or (${table.paymentMethodId} is not null and ${table.customerId} is not null)`,
    ),
  ],
)

/** `low_balance`: see to a balance that fell; `top_up`: pay for a purchase; the others are mails. */
export type NoticeKind = 'low_balance' | 'top_up' | 'topped_up' | 'top_up_failed' | 'top_up_stopped'

/**
 * What is still to be done for an account outside of the database; each row is taken by one instance at a time and goes
 * when it is done.
 */
export const notices = pgTable(
  'notices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<NoticeKind>().notNull(),
    /** Of `top_up` and what comes of it. */
    purchaseId: text('purchase_id').references(() => purchases.id),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
  },
  table => [
    index('notices_due').on(table.dueAt),
    index('notices_account').on(table.accountId),
    check(
      'notices_kind',
      sql`${table.kind} in ('low_balance', 'top_up', 'topped_up', 'top_up_failed', 'top_up_stopped')`,
    ),
  ],
)
