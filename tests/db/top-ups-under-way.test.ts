import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { findMigrations, migrateDatabase } from '../../db/migrate'
import { createSharedDatabase } from '../support/shared-services'

/** Migrations of the version before the limit of one automatic purchase at a time. */
const EARLIER = 6

let database: Database
const earlier = mkdtempSync(join(tmpdir(), 'sheaf-earlier-'))
beforeAll(async () => {
  cpSync(findMigrations(), earlier, { recursive: true })
  const path = join(earlier, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] }
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, EARLIER) }))
  database = await openDatabase({ dataDir: '/nowhere', databaseUrl: await createSharedDatabase() })
  await database.migrate(earlier)
})
afterAll(async () => {
  await database?.close()
  rmSync(earlier, { recursive: true, force: true })
})

it('keeps the oldest of several automatic purchases of an account, and none that nobody will pay', async () => {
  await database.rows(
    sql`insert into users (id, email) values ('twice', 'twice@example.test'), ('left', 'left@example.test')`,
  )
  await database.rows(sql`
    insert into purchases (id, account_id, amount_cents, credits, is_top_up, state, created_at) values
      ('first', 'twice', 500, 5000, true, 'open', now() - interval '1 minute'), ('second', 'twice', 500, 5000, true,
        'open', now()),
      ('forgotten', 'left', 500, 5000, true, 'open', now()), ('pending', 'left', 500, 5000, true, 'pending', now()),
      ('own', 'left', 500, 5000, false, 'open', now())`)
  await database.rows(
    sql`insert into notices (account_id, kind, purchase_id) values ('twice', 'top_up', 'first'), ('twice', 'top_up', 'second')`,
  )
  await migrateDatabase(database)
  expect(await database.rows(sql`select id, state from purchases order by id`)).toEqual([
    { id: 'first', state: 'open' },
    { id: 'forgotten', state: 'expired' },
    { id: 'own', state: 'open' },
    { id: 'pending', state: 'pending' },
    { id: 'second', state: 'expired' },
  ])
})
