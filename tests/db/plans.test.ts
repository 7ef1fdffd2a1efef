import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import { migrateDatabase } from '../../db/migrate'
import { listQueries, type Subject } from '../support/every-query'
import { openExplained } from '../support/explained-database'
import { fillDatabase } from '../support/fill-database'
import { findWholeReads } from '../support/judge-plan'
import { createSharedDatabase } from '../support/shared-services'

let url: string
let subject: Subject
let explained: ReturnType<typeof openExplained>
beforeAll(async () => {
  url = await createSharedDatabase()
  const database = await openDatabase({ dataDir: '/nowhere', databaseUrl: url })
  await migrateDatabase(database)
  await database.close()
  subject = await fillDatabase(url, { rows: 2000, accounts: 20 })
  // Postgres scans small tables completely unless that is forbidden. Without an index, it scans them even then.
  explained = openExplained(url, { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' })
})
afterAll(() => explained.database.close())

describe('an index serves', () => {
  const nobody: Subject = { accountId: '', email: '', keyHash: '', requestId: '', middleEntry: 0 }
  const names = listQueries(nobody).map(query => query.name)

  it.each(names)('%s', async name => {
    const query = listQueries(subject).find(one => one.name === name)
    explained.takePlans()
    await query?.run(explained.database)
    const plans = explained.takePlans()
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(findWholeReads(plan), plan.query).toEqual([])
  })

  it('the test finds statements that scan a table', async () => {
    explained.takePlans()
    await explained.database.drizzle.execute(`select count(*) from ledger_entries where note = 'x'`)
    expect(explained.takePlans().flatMap(findWholeReads)).toEqual(['ledger_entries'])
  })
})
