import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'

/** The database's content, read directly and without the service's code. */
export interface Books {
  accounts: { id: string; email: string; balance: number; debt: number }[]
  /** In ID order. */
  entries: Entry[]
  holds: { callId: string; state: string }[]
  activeKeys: { accountId: string; count: number }[]
}

/** Returns whether no request is running, according to the database. */
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
  /** The entry's change of the account's debt. */
  owed: number
  callId: string | null
  month: string | null
}

type Ask = <T>(statement: string) => Promise<T[]>

/** Reads an embedded database that no process has open. */
export async function readPgliteBooks(dataDir: string): Promise<Books> {
  const database = await PGlite.create(join(dataDir, 'db'))
  try {
    return await read(async <T>(statement: string) => (await database.query<T>(statement)).rows)
  } finally {
    await database.close()
  }
}

/** Reads a database on a Postgres server, also while services use it. */
export async function readPostgresBooks(url: string): Promise<Books> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    // One snapshot of all tables.
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
