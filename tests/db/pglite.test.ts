import { rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { openPglite } from '../../db/pglite'
import { makeDataDir } from '../support/fresh-data-dir'

let dataDir: string
let database: Database

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await openPglite(dataDir, 'service')
  await database.rows(sql`create table things (id int primary key, name text)`)
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const insert = (id: number, name: string | null) =>
  database.rows<{ id: number }>(sql`insert into things (id, name) values (${id}, ${name}) returning id`)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )

describe('statements of the embedded database', () => {
  it('accept and return values of every type as they do inside a transaction', async () => {
    const when = new Date('2026-11-22T08:00:00.123Z')
    const ask = (value: unknown, type: string) => sql`select ${value}::${sql.raw(type)} as value, ${1}::int as one`
    const values: [unknown, string][] = [
      ...([
        [true, 'boolean'],
        [false, 'boolean'],
        [null, 'text'],
        ['', 'text'],
        ['a "quoted" \\ text\nof two lines, ü 文', 'text'],
        [-7, 'int'],
        [7, 'bigint'],
        ['12.50', 'numeric'],
        [0.1, 'float8'],
      ] satisfies [unknown, string][]),
      ...([
        [when, 'timestamptz'],
        ['2026-02-28', 'date'],
        ['{"a":[1,null]}', 'jsonb'],
        ['{"b,c","d\\"e"}', 'text[]'],
        ['3b241101-e2bb-4255-8caf-4136c566a962', 'uuid'],
      ] satisfies [unknown, string][]),
    ]
    for (const [value, type] of values) {
      const plain = await database.transaction(queries => queries.rows(ask(value, type)))
      expect(await database.rows(ask(value, type)), type).toEqual(plain)
      expect(await database.rows(ask(value, type)), `${type}, once more`).toEqual(plain)
    }
  })

  it('return rows with their columns in order, and none if there are none', async () => {
    expect(await insert(1, 'one')).toEqual([{ id: 1 }])
    expect(await insert(2, null)).toEqual([{ id: 2 }])
    expect(await database.rows(sql`select name, id from things order by id`)).toEqual([
      { name: 'one', id: 1 },
      { name: null, id: 2 },
    ])
    expect(await database.rows(sql`select id from things where id = ${99}`)).toEqual([])
    expect(await database.rows(sql`update things set name = ${'two'} where id = ${2}`)).toEqual([])
  })

  it('fail with their code, and later statements work', async () => {
    expect(await codeOf(insert(1, 'again'))).toBe('23505')
    expect(await codeOf(database.rows(sql`select nothing from things`))).toBe('42703')
    expect(await codeOf(database.rows(sql`select ${'x'}::int`))).toBe('22P02')
    const outcomes = await Promise.all([
      codeOf(insert(3, 'three')),
      codeOf(insert(1, 'again')),
      codeOf(database.rows(sql`select nothing from things`)),
      codeOf(insert(4, 'four')),
    ])
    expect(outcomes).toEqual(['done', '23505', '42703', 'done'])
    expect(await database.rows(sql`select count(*)::int as count from things`)).toEqual([{ count: 4 }])
  })

  it("are not part of an open transaction, and don't see its uncommitted data", async () => {
    const failed = database.transaction(async queries => {
      await queries.rows(sql`insert into things (id) values (10)`)
      await queries.rows(sql`insert into things (id) values (1)`)
    })
    const beside = insert(11, 'eleven')
    expect(await codeOf(failed)).toBe('23505')
    await beside
    expect(await database.rows(sql`select id from things where id >= ${10}`)).toEqual([{ id: 11 }])
  })

  it('are planned again after a column changed', async () => {
    const all = () => database.rows(sql`select * from things where id = ${1}`)
    expect(await all()).toEqual([{ id: 1, name: 'one' }])
    await database.rows(sql`alter table things add column kind text default 'plain'`)
    expect(await all()).toEqual([{ id: 1, name: 'one', kind: 'plain' }])
    await database.rows(sql`alter table things alter column id type bigint`)
    expect(await all()).toEqual([{ id: 1, name: 'one', kind: 'plain' }])
  })
})
