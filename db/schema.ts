import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
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
/**
 * An array whose elements may be null. postgres.js reads such an element as NaN. If it doesn't know the types of the
 * server, it returns the array as text.
 */
const integersOrNulls = customType<{ data: (number | null)[]; driverData: string | (number | null)[] }>({
  dataType: () => 'integer[]',
  fromDriver: value =>
    (typeof value === 'string' ? value.slice(1, -1).split(',').map(Number) : value).map(element =>
      Number.isNaN(element) ? null : element,
    ),
})
const newId = sql`gen_random_uuid()::text`

/**
 * One row per account. The balance changes only together with a ledger entry. The sum of an account's entries equals
 * its balance.
 */
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
    /**
     * Credits of payments that were refunded or disputed after the credits had been spent. Later payments repay them
     * first.
     */
    debt: integer('debt').notNull().default(0),
    /** The Stripe customer for purchases, from the first purchase on. */
    stripeCustomerId: text('stripe_customer_id'),
    /** The latest granted month, such as `2026-11`. Stored here so that a charge reads it under the row's lock. */
    grantedMonth: text('granted_month'),
    /** Below this balance, the owner is notified. 0 means never. */
    lowBalanceAt: integer('low_balance_at').notNull().default(20),
    /**
     * Whether the owner was notified of a low balance, or doesn't need to be. A trigger maintains the flag and writes
     * the notice.
     */
    lowTold: boolean('low_told').notNull().default(false),
    /** When the owner deleted the account. From then on, only the ledger refers to it. */
    deletedAt: moment('deleted_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  table => [
    uniqueIndex('users_email').on(table.email),
    index('users_folded_address').on(sql`fold_address(${table.email})`),
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
 * Sign-ins through other services, as next-auth's adapter reads them. The adapter defines the property names. A trigger
 * clears the token columns, which only an earlier version of the service writes.
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
 * API keys, as the SHA-256 of the key. A rotated key stays for a while, so that its account learns of its use. All
 * statements that end a key are in db/queries and update the `KeyOwners` cache.
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
    /** Uses after the rotation. Address and agent have the same form as in the request log. */
    firstRefusedAt: moment('first_refused_at'),
    lastRefusedAddress: text('last_refused_address'),
    lastRefusedAgent: text('last_refused_agent'),
    /** Time of the latest request, up to a minute late. */
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

/** Payments that change a balance. Those that take credits away leave a debt if the balance is too low. */
export type PaymentKind = 'purchase' | 'purchase_refund' | 'dispute' | 'dispute_reversal'

/**
 * Every change of a balance. A trigger forbids to change or delete a row, with one exception: a row may become the
 * carry-forward of all earlier rows of its account, which may then be deleted.
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
    /** Change of the account's debt. `delta` less this value is the number of credits bought or taken back. */
    owed: integer('owed').notNull().default(0),
    /** Set for a charge and its refund. */
    callId: text('call_id'),
    /** Set for a grant, such as `2026-11`. */
    month: text('month'),
    /** Set for a payment: which booking of which purchase, so that each is made once. */
    reference: text('reference'),
    /** For an adjustment, the reason. For a carry-forward, its end date. */
    note: text('note'),
    /** For a carry-forward, the part that was bought or adjusted, rather than granted or spent. */
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

/** One row per request from its charge on. Open until its response is delivered or its credit is refunded. */
export const holds = pgTable(
  'holds',
  {
    callId: text('call_id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    /** 0 for the replay of a request that was already paid. */
    credits: integer('credits').notNull(),
    state: text('state').$type<HoldState>().notNull().default('open'),
    instanceId: text('instance_id').notNull(),
    leaseUntil: moment('lease_until').notNull(),
    closedAt: moment('closed_at'),
    /** The request that a replay repeats. Null for a request that was charged itself. */
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

/** The request of an Idempotency-Key. Never contains a document. */
export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** The request that was charged. */
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

/**
 * Addresses that may open an account while sign-up is by invitation, as `fold_address` writes them. A row is deleted
 * when its account is created.
 */
export const invitations = pgTable('invitations', {
  address: text('address').primaryKey(),
  invitedAt: moment('invited_at').notNull().defaultNow(),
})

/** Monthly credits granted on each day (UTC), counted while a daily cap is set. */
export const grantedDays = pgTable('granted_days', {
  day: date('day', { mode: 'string' }).primaryKey(),
  credits: integer('credits').notNull(),
})

/** Sign-ins that failed or haven't finished, and accounts created. Successful sign-ins are deleted. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    email: text('email').notNull(),
    /** The counted network: an IPv4 address, or the /64 of an IPv6 address. */
    ip: text('ip').notNull(),
    /** The /48 of an IPv6 address. For a new account also the /24 of an IPv4 address. */
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

/** Networks from which accounts were signed in to, as keyed hashes of email address and network. */
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

/** The origin of a request: a client with a key, or a page of the account area. */
export type RequestVia = 'api' | 'playground'

/**
 * The request log of an account. Contains no file names and no content. Rows are written after the response, many at a time. They don't reference `users`, so that one row can't block the others.
 */
export const calls = pgTable(
  'calls',
  {
    /** The request's id. */
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** When the request head arrived. */
    at: moment('at').notNull(),
    /**
     * The day of `at` in UTC, used to delete old rows. The planner would also use an index on `at` for lists, and read
     * other accounts' requests.
     */
    day: date('day', { mode: 'string' }).notNull(),
    operation: text('operation').notNull(),
    /** The steps of a pipeline in order, such as `merge-pdf,compress-pdf`. Null for other operations. */
    steps: text('steps'),
    via: text('via').$type<RequestVia>().notNull(),
    /** 499 if the client closed the connection before the response. */
    status: integer('status').notNull(),
    error: text('error'),
    /** Why the request could not be processed. Null for errors without a reason. */
    reason: text('reason'),
    /** The error message that the client got, cut to 500 characters. It can repeat names and values of options, and names of form fields and attachments. */
    message: text('message'),
    /** The field that caused the error, as far as its name is one of ours. */
    param: text('param'),
    /** Milliseconds until the last byte was sent, and the engine's part of them. */
    ms: integer('ms').notNull(),
    engineMs: integer('engine_ms'),
    bytesIn: bigint('bytes_in', { mode: 'number' }).notNull(),
    bytesOut: bigint('bytes_out', { mode: 'number' }).notNull(),
    credits: integer('credits').notNull(),
    replayed: boolean('replayed').notNull(),
    delivered: boolean('delivered').notNull(),
    browserOrigin: boolean('browser_origin').notNull(),
    keyLast4: text('key_last4'),
    /** The client's network: 24 bits of an IPv4 address, 48 of an IPv6 address. */
    address: text('address'),
    agent: text('agent'),
    /**
     * Duration of each phase in tenths of a millisecond, in order of PHASES in lib/requests/phases.ts. Null for phases
     * that the request didn't reach, and in rows of earlier versions.
     */
    phases: integersOrNulls('phases'),
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

/**
 * The outcome of a request: a file was delivered, the request was refused (4xx, including a closed connection), or the
 * request failed (5xx).
 */
export type RequestOutcome = 'ok' | 'refused' | 'failed'

/** Requests of an account by day in UTC, counted as they are logged. */
export const usageDays = pgTable(
  'usage_days',
  {
    accountId: text('account_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    operation: text('operation').notNull(),
    outcome: text('outcome').$type<RequestOutcome>().notNull(),
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

/** What an account has done once with its key (`idempotency`, `recovery`), or with its checklist (`dismissed`). */
export type FirstStep = 'idempotency' | 'recovery' | 'dismissed'

/**
 * Steps of the first-day checklist that no other table shows. Like requests, rows don't reference `users`, so that one
 * row can't block the others.
 */
export const firstSteps = pgTable(
  'first_steps',
  {
    accountId: text('account_id').notNull(),
    step: text('step').$type<FirstStep>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.step] }),
    check('first_steps_step', sql`${table.step} in ('idempotency', 'recovery', 'dismissed')`),
  ],
)

/** Addresses of deleted accounts whose month was granted, as keyed hashes, until that month is over. */
export const spentGrants = pgTable(
  'spent_grants',
  {
    month: text('month').notNull(),
    addressHash: text('address_hash').notNull(),
  },
  table => [primaryKey({ columns: [table.month, table.addressHash] })],
)

/**
 * `pending`: Stripe waits for a bank. `failed` and `expired` may still become `paid`, because events arrive in any
 * order.
 */
export type PurchaseState = 'open' | 'pending' | 'paid' | 'failed' | 'expired'

/**
 * One row per purchase, created before its checkout. The price is what we asked for. Reports from Stripe are checked
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
    /** Whether automatic top-up made this purchase. */
    isTopUp: boolean('is_top_up').notNull().default(false),
    amountCents: integer('amount_cents').notNull(),
    credits: integer('credits').notNull(),
    /** IDs at Stripe, when they are known. */
    sessionId: text('session_id'),
    paymentIntentId: text('payment_intent_id'),
    /**
     * The total that Stripe reports as refunded, and the amounts of refunds and of disputes that the ledger has taken
     * back.
     */
    refundedCents: integer('refunded_cents').notNull().default(0),
    refundBookedCents: integer('refund_booked_cents').notNull().default(0),
    disputeBookedCents: integer('dispute_booked_cents').notNull().default(0),
    /** Number of ledger entries that belong to the purchase. */
    bookings: integer('bookings').notNull().default(0),
    /** Without gaps over all paid purchases. Moves to `archived_invoices` when the account is deleted. */
    receiptNumber: integer('receipt_number'),
    /** Name, address and tax IDs that the buyer entered at Stripe, as JSON. Moves together with the receipt number. */
    billing: text('billing'),
    /** For an automatic top-up: when Stripe was first asked to charge which card of which customer. */
    askedAt: moment('asked_at'),
    askedCustomerId: text('asked_customer_id'),
    askedMethodId: text('asked_method_id'),
    /**
     * Whether the purchase was paid after its account was deleted. Such a purchase is never credited, and its payment
     * is refunded.
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
 * Invoices of deleted accounts, which the seller must keep by law. No ID leads from here to a purchase, an account or
 * its ledger, and only the date of each invoice is stored.
 */
export const archivedInvoices = pgTable('archived_invoices', {
  receiptNumber: integer('receipt_number').primaryKey(),
  paidOn: date('paid_on', { mode: 'string' }).notNull(),
  currency: text('currency').notNull(),
  amountCents: integer('amount_cents').notNull(),
  credits: integer('credits').notNull(),
  billing: text('billing'),
})

/** Every Stripe customer that an account ever had, so that all of them can be deleted with the account. */
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

/** The subject of `delete_customer` is a customer's ID. The subject of `refund` is a purchase's ID. */
export type StripeTaskKind = 'delete_customer' | 'refund'

/** Pending requests to Stripe. A row is deleted when Stripe has done the task, and is never given up. */
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

/** Payments that a cardholder's bank disputes. */
export const disputes = pgTable('disputes', {
  /** Stripe's ID of the dispute. */
  id: text('id').primaryKey(),
  purchaseId: text('purchase_id')
    .notNull()
    .references(() => purchases.id),
  amountCents: integer('amount_cents').notNull(),
  /** Whether Stripe has withdrawn the money, and whether Stripe has returned it. */
  isWithdrawn: boolean('is_withdrawn').notNull(),
  isReinstated: boolean('is_reinstated').notNull(),
})

/** Applied events of Stripe, so that each event is applied once. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    id: text('id').primaryKey(),
    receivedAt: moment('received_at').notNull().defaultNow(),
  },
  table => [index('stripe_events_received').on(table.receivedAt)],
)

/** A single row with the latest receipt number. */
export const receiptCounter = pgTable(
  'receipt_counter',
  { id: integer('id').primaryKey(), last: integer('last').notNull() },
  table => [check('receipt_counter_one', sql`${table.id} = 1`)],
)

/** Settings of automatic top-up and its card. One row per account that ever set it up. */
export const topUps = pgTable(
  'top_ups',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => users.id),
    isOn: boolean('is_on').notNull().default(false),
    amountCents: integer('amount_cents').notNull(),
    /** The limit of automatic purchases in a month in UTC. */
    monthlyLimitCents: integer('monthly_limit_cents').notNull(),
    /**
     * The card and its customer at Stripe, if there is one, the card's label, and its holder's billing details in the
     * form of purchases.
     */
    customerId: text('customer_id'),
    paymentMethodId: text('payment_method_id'),
    cardLabel: text('card_label'),
    billing: text('billing'),
    /** Failed payments in a row, and Stripe's message for the last one. */
    failures: integer('failures').notNull().default(0),
    lastFailure: text('last_failure'),
    /** After a failed payment, the same card isn't charged before this time. */
    pausedUntil: moment('paused_until'),
    /** Whether the owner turned the top-up on last. Only then does a card that Stripe reports later turn it on. */
    isWanted: boolean('is_wanted').notNull().default(true),
    /** Why a payment that went back turned the top-up off. Null otherwise. */
    stoppedBy: text('stopped_by').$type<'refund' | 'dispute'>(),
    /** The month, such as `2026-11`, in which the owner was notified of the reached limit. */
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

/** `low_balance`: handle a low balance. `top_up`: pay for a purchase. The other kinds are mails. */
export type NoticeKind = 'low_balance' | 'top_up' | 'topped_up' | 'top_up_failed' | 'top_up_stopped'

/**
 * Pending work for an account outside of the database. One instance leases a row at a time and deletes it when the work
 * is done.
 */
export const notices = pgTable(
  'notices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<NoticeKind>().notNull(),
    /** Set for `top_up` and for the notices about its result. */
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
