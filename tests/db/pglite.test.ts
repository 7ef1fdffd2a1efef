import { rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { openPglite } from '../../db/pglite'
import { makeDataDir } from '../support/fresh-data-dir'

let dataDir: string
let database: Database

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await openPglite(dataDir, 'service')
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('lets single statements and transactions take turns, each kind in its order', async () => {
  const ended: string[] = []
  const change = (name: string) => database.transaction(queries => queries.rows(sql`select 1`)).then(() => ended.push(name))
  const ask = (name: string) => database.rows(sql`select 1`).then(() => ended.push(name))
  await Promise.all([change('A'), change('B'), change('C'), change('D'), ask('1'), ask('2')])
  expect(ended).toEqual(['A', '1', 'B', '2', 'C', 'D'])
})

it('goes on after work that failed', async () => {
  const outcomes = await Promise.allSettled([database.rows(sql`select nothing`), database.transaction(() => Promise.reject(new Error('no'))), database.rows<{ one: number }>(sql`select 1 as one`)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
