import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'

/** What the database holds, read by the database's own means and none of the service's. */
export interface Books {
  accounts: { id: string; email: string; balance: number; debt: number }[]
  /** In the order of their ids. */
  entries: Entry[]
  holds: { callId: string; state: string }[]
  activeKeys: { accountId: string; count: number }[]
}

/** Whether no call is under way, by these books. */
export function areClosed({ holds }: Books): boolean {
  return holds.every(({ state }) => state !== 'open')
}

/** A row of the ledger. */
export interface Entry {
  id: number
  accountId: string
  kind:
    | 'grant'
    | 'charge'
    | 'refund'
    | 'adjustment'
    | 'carry_forward'
    | 'purchase'
    | 'purchase_refund'
    | 'dispute'
    | 'dispute_reversal'
  delta: number
  balance: number
  /** What it adds to the account's debt. */
  owed: number
  callId: string | null
  month: string | null
}

type Ask = <T>(statement: string) => Promise<T[]>

/** The books of an embedded database that nobody has open. */
export async function readPgliteBooks(dataDir: string): Promise<Books> {
  const database = await PGlite.create(join(dataDir, 'db'))
  try {
    return await read(async <T>(statement: string) => (await database.query<T>(statement)).rows)
  } finally {
    await database.close()
  }
}

/** The books of a database on a Postgres server, also while services work on it. */
export async function readPostgresBooks(url: string): Promise<Books> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    // One moment of all tables.
    return await client.begin('isolation level repeatable read', transaction =>
      read(async <T>(statement: string) => [...(await transaction.unsafe(statement))] as T[]),
    )
  } finally {
    await client.end()
  }
}

async function read(ask: Ask): Promise<Books> {
  return {
    accounts: await ask('select id, email, balance, debt from users order by email'),
    entries: await ask(
      'select id::int as id, account_id as "accountId", kind, delta, balance, owed, call_id as "callId", month ' +
        'from ledger_entries order by ledger_entries.id',
    ),
    holds: await ask('select call_id as "callId", state from holds order by call_id'),
    activeKeys: await ask(
      'select account_id as "accountId", count(*)::int as count from api_keys where rotated_at is null group by ' +
        'account_id',
    ),
  }
}
