import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertRequests, purgeOldRequests } from '../../../db/queries/request-log'
import { purgeDeletedUsage, purgeOldUsage } from '../../../db/queries/usage'
import { createKey, describeKey } from '../../../lib/accounts/key/keys'
import { createRequestLog } from '../../../lib/requests/request-log'
import {
  exportRequests,
  findAccountRequest,
  findRequestAfter,
  listAccountRequests,
  readRequestChoice,
} from '../../../lib/requests/request-list'
import { describeLatestRequest } from '../../../lib/accounts/route/latest-request'
import { readUsage } from '../../../lib/requests/usage'
import { prepareDatabase, SAMPLED_KINDS } from '../../support/databases'
import { makeRequestId, makeRow } from './make-row'

const NOON = Date.UTC(2026, 10, 20, 12)
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString()

describe.each(SAMPLED_KINDS)('logged requests on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database, newAccount } = opened
  const another = await opened.another()

  const count = async (accountId: string) =>
    (
      await database.rows<{ count: number }>(
        sql`select count(*)::int as count from calls where account_id = ${accountId}`,
      )
    )[0]?.count

  it('are all stored, with correct sums, if two instances log 200 of them at once', async () => {
    const accountId = await newAccount()
    const logs = [database, another].map(one =>
      createRequestLog(rows => insertRequests(one, rows), { everyMs: 2, mostTogether: 17 }),
    )
    const rows = Array.from({ length: 200 }, (_, index) => {
      const operation = index % 2 === 0 ? 'pdf-tools/rotate-pdf' : 'webpage-to-pdf/pdf'
      const status = index % 10 === 0 ? 422 : index % 25 === 1 ? 502 : 200
      return makeRow({
        accountId,
        operation,
        status,
        credits: status === 200 ? 1 : 0,
        ms: index,
        at: minutesAgo(index),
      })
    })
    for (const [index, row] of rows.entries()) logs[index % 2]?.add(row)
    await Promise.all(logs.map(log => log.close()))
    expect(await count(accountId)).toBe(200)
    const usage = await readUsage(accountId, { now: new Date(NOON) }, database)
    const delivered = rows.filter(({ status }) => status === 200).length
    expect(usage).toMatchObject({ totalRequests: 200, totalCredits: delivered })
    expect(usage.byOutcome.map(({ name, totalRequests }) => [name, totalRequests])).toEqual([
      ['ok', delivered],
      ['refused', 20],
      ['failed', 200 - 20 - delivered],
    ])
    expect(usage.byOperation.map(({ name, totalRequests }) => [name, totalRequests])).toEqual([
      ['pdf-tools/rotate-pdf', 100],
      ['webpage-to-pdf/pdf', 100],
    ])
    expect(usage.byOperation[1]).toMatchObject({ averageMs: 100 })
    expect(usage.days).toHaveLength(30)
    expect(usage.days.at(-1)).toBe('2026-11-20')
    expect(usage.byOperation[0]?.requests.slice(0, 29)).toEqual(Array.from({ length: 29 }, () => 0))
  })

  it('count on the UTC day of their arrival', async () => {
    const accountId = await newAccount()
    await insertRequests(database, [
      makeRow({ accountId, at: '2026-11-19T23:59:59.999Z' }),
      makeRow({ accountId, at: '2026-11-20T00:00:00Z' }),
    ])
    const { days, byOutcome } = await readUsage(accountId, { days: 3, now: new Date(NOON) }, database)
    expect(days).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
    expect(byOutcome[0]?.requests).toEqual([0, 1, 1])
  })

  it('count once, however often they are written', async () => {
    const accountId = await newAccount()
    const row = makeRow({ accountId, at: minutesAgo(1) })
    await insertRequests(database, [row])
    await insertRequests(another, [row, makeRow({ accountId, at: minutesAgo(1) })])
    expect(await count(accountId)).toBe(2)
    expect(await readUsage(accountId, { now: new Date(NOON) }, database)).toMatchObject({
      totalRequests: 2,
      totalCredits: 2,
    })
  })

  it('of a client that disconnected count as refused and are free', async () => {
    const accountId = await newAccount()
    await insertRequests(database, [makeRow({ accountId, at: minutesAgo(1), delivered: false, credits: 0 })])
    expect(
      (await readUsage(accountId, { now: new Date(NOON) }, database)).byOutcome.map(
        ({ totalRequests }) => totalRequests,
      ),
    ).toEqual([0, 1, 0])
  })

  it('are listed newest first, page by page, also within the same moment', async () => {
    const accountId = await newAccount()
    const rows = Array.from({ length: 7 }, (_, index) => makeRow({ accountId, at: minutesAgo(Math.floor(index / 3)) }))
    await insertRequests(database, rows)
    const seen: string[] = []
    let before: string | undefined
    for (;;) {
      const { requests: calls, next } = await listAccountRequests(accountId, { limit: 2, before }, database)
      seen.push(...calls.map(({ id }) => id))
      if (next === null) break
      before = next
    }
    const wanted = [...rows]
      .sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
      .map(({ id }) => id)
    expect(seen).toEqual(wanted)
  })

  it('are found by operation, by result and by ID, with all details', async () => {
    const accountId = await newAccount()
    const refused = makeRow({
      accountId,
      status: 422,
      error: 'pdf_tool_processing_failed',
      param: 'options.angle',
      credits: 0,
      engineMs: null,
      at: minutesAgo(1),
    })
    const failed = makeRow({
      accountId,
      status: 502,
      operation: 'webpage-to-pdf/pdf',
      via: 'playground',
      keyLast4: null,
      bytesOut: 3_000_000_000,
      at: minutesAgo(2),
    })
    await insertRequests(database, [refused, failed, makeRow({ accountId, at: minutesAgo(3) })])
    const find = async (query: Record<string, string>) =>
      (await listAccountRequests(accountId, { ...readRequestChoice(query), limit: 10 }, database)).requests.map(
        ({ status }) => status,
      )
    expect(await find({})).toEqual([422, 502, 200])
    expect(await find({ status: '2xx' })).toEqual([200])
    expect(await find({ status: '4xx' })).toEqual([422])
    expect(await find({ status: '5xx' })).toEqual([502])
    expect(await find({ status: '3xx', before: 'req_no' })).toEqual([422, 502, 200])
    expect(await find({ operation: 'webpage-to-pdf/pdf' })).toEqual([502])
    expect(await find({ operation: 'webpage-to-pdf/pdf', status: '2xx' })).toEqual([])
    expect(await find({ before: makeRequestId() })).toEqual([])
    const { accountId: _, keyId: __, hasIdempotencyKey: ___, ...shown } = failed
    expect(await findAccountRequest(accountId, ` ${failed.id} `, database)).toEqual({
      ...shown,
      at: new Date(failed.at),
    })
    expect(await findAccountRequest(accountId, 'no id', database)).toBeNull()
  })

  it('are found by their days in UTC, together with other filters and page by page', async () => {
    const accountId = await newAccount()
    await insertRequests(database, [
      makeRow({ accountId, status: 500, at: '2026-11-18T23:59:59.999Z' }),
      makeRow({ accountId, status: 201, at: '2026-11-19T00:00:00Z' }),
      makeRow({ accountId, status: 404, at: '2026-11-19T12:00:00Z' }),
      makeRow({ accountId, status: 202, at: '2026-11-19T23:59:59.999Z' }),
      makeRow({ accountId, status: 203, at: '2026-11-20T00:00:00Z' }),
    ])
    const find = async (query: Record<string, string | string[]>, limit = 10) =>
      listAccountRequests(accountId, { ...readRequestChoice(query), limit }, database)
    const statuses = async (query: Record<string, string | string[]>) =>
      (await find(query)).requests.map(({ status }) => status)
    expect(await statuses({ from: '2026-11-19', to: '2026-11-19' })).toEqual([202, 404, 201])
    expect(await statuses({ from: '2026-11-19', to: '2026-11-19', status: '2xx' })).toEqual([202, 201])
    expect(await statuses({ from: '2026-11-20' })).toEqual([203])
    expect(await statuses({ to: '2026-11-18' })).toEqual([500])
    expect(await statuses({ from: '2026-11-20', to: '2026-11-18' })).toEqual([])
    const { next } = await find({ from: '2026-11-19', to: '2026-11-19' }, 2)
    expect(await statuses({ from: '2026-11-19', to: '2026-11-19', before: next ?? '' })).toEqual([201])
    for (const from of ['2026-02-31', '20 November', '2026-13-01', '0000-01-01', '', ['2026-11-20']])
      expect(await statuses({ from })).toHaveLength(5)
  })

  it('keep their phases, and have none if an earlier version logged them', async () => {
    const accountId = await newAccount()
    const phases = [6, 0, null, 2_000_000_000]
    const [known, unknown] = [makeRow({ accountId, phases }), makeRow({ accountId, phases: null })]
    // The rows of an earlier version have no such member.
    const { phases: _, ...early } = makeRow({ accountId })
    await insertRequests(database, [known, unknown, early as typeof known])
    const read = async (id: string) => (await findAccountRequest(accountId, id, database))?.phases
    expect(await read(known.id)).toEqual(phases)
    expect(await read(unknown.id)).toBeNull()
    expect(await read(early.id)).toBeNull()
  })

  it('are visible to their own account only', async () => {
    const [accountId, stranger] = [await newAccount(), await newAccount()]
    const row = makeRow({ accountId, at: minutesAgo(1) })
    await insertRequests(database, [row])
    expect(await findAccountRequest(stranger, row.id, database)).toBeNull()
    expect(await listAccountRequests(stranger, { limit: 10 }, database)).toEqual({ requests: [], next: null })
    expect(await listAccountRequests(stranger, { limit: 10, before: row.id }, database)).toEqual({
      requests: [],
      next: null,
    })
    expect(await findRequestAfter(stranger, new Date(0), database)).toBeNull()
    expect((await text(exportRequests(stranger, database))).trim().split('\r\n')).toHaveLength(1)
    expect(await readUsage(stranger, {}, database)).toMatchObject({ totalRequests: 0, byOperation: [] })
  })

  it('wake a page that waits for one', async () => {
    const accountId = await newAccount()
    const row = makeRow({ accountId, at: minutesAgo(1) })
    await insertRequests(database, [row, makeRow({ accountId, at: minutesAgo(2) })])
    expect(await describeLatestRequest(accountId, minutesAgo(10), database)).toEqual({
      call: { requestId: row.id, at: row.at, operation: row.operation, via: 'api', status: 200, error: null, ms: 12 },
    })
    expect(await describeLatestRequest(accountId, minutesAgo(0), database)).toEqual({ call: null })
    for (const after of [null, '', 'yesterday'])
      await expect(describeLatestRequest(accountId, after, database)).rejects.toMatchObject({
        status: 400,
        code: 'invalid_moment',
      })
  })

  it('record the last use of a key, at most once a minute', async () => {
    const accountId = await newAccount()
    await createKey(accountId, database)
    const [key] = await database.rows<{ id: string }>(sql`select id from api_keys where account_id = ${accountId}`)
    const keyId = key?.id ?? ''
    const now = Date.now()
    const use = (secondsAgo: number, status: number) =>
      makeRow({ accountId, keyId, status, at: new Date(now - secondsAgo * 1000).toISOString() })
    expect(await describeKey(accountId, database)).toMatchObject({ lastUse: null, requestsInLastDay: 0 })
    await insertRequests(database, [use(200, 422), use(100, 200), use(150, 502)])
    const first = {
      status: 200,
      operation: 'pdf-tools/rotate-pdf',
      at: new Date(now - 100_000),
      client: { address: '203.0.113.0/24', agent: 'curl/8.5.0' },
    }
    expect(await describeKey(accountId, database)).toMatchObject({ lastUse: first, requestsInLastDay: 3 })
    await insertRequests(another, [use(10, 422)])
    expect(await describeKey(accountId, database)).toMatchObject({
      lastUse: { status: 422, at: new Date(now - 10_000) },
    })
    await insertRequests(database, [use(0, 200), use(90_000, 200)])
    expect(await describeKey(accountId, database)).toMatchObject({
      lastUse: { status: 422, at: new Date(now - 10_000) },
      requestsInLastDay: 5,
    })
  })

  it('are deleted after their retention period, in batches', async () => {
    const accountId = await newAccount()
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString()
    const kept = new Date(Date.now() - 89 * 86_400_000).toISOString()
    await insertRequests(database, [
      ...Array.from({ length: 5 }, () => makeRow({ accountId, at: old })),
      makeRow({ accountId, at: kept }),
    ])
    await database.rows(
      sql`insert into usage_days values (${accountId}, '2020-01-01', 'pdf-tools/rotate-pdf', 'ok', 1, 1, 1)`,
    )
    expect([
      await purgeOldRequests(database, 90, 3),
      await purgeOldRequests(another, 90, 3),
      await purgeOldRequests(database, 90, 3),
    ]).toEqual([3, 2, 0])
    expect(await count(accountId)).toBe(1)
    await purgeOldUsage(database, 5000)
    await purgeDeletedUsage(database)
    expect(await database.rows(sql`select 1 as found from usage_days where day < '2021-01-01'`)).toEqual([])
  })

  it('can be downloaded completely, as a table without spreadsheet formulas', async () => {
    const accountId = await newAccount()
    const at = new Date(Date.now() - 60_000).toISOString()
    await insertRequests(
      database,
      Array.from({ length: 1500 }, () => makeRow({ accountId, at, agent: '=danger/1,2' })),
    )
    await insertRequests(database, [makeRow({ accountId, at: new Date(Date.now() - 95 * 86_400_000).toISOString() })])
    const lines = (await text(exportRequests(accountId, database))).split('\r\n')
    expect(lines[0]).toBe(
      'time,request_id,operation,via,status,error,reason,message,param,ms,engine_ms,bytes_in,bytes_out,credits,replayed,delivered,browser_origin,key_last4,network,user_agent,steps,' +
        'auth_ms,body_ms,parse_ms,wait_ms,charge_ms,context_ms,load_ms,settle_ms,print_ms,queue_ms,send_ms,open_ms,' +
        'work_ms,save_ms,run_ms,rest_ms,response_ms,fetch_ms',
    )
    expect(lines).toHaveLength(1502)
    expect(new Set(lines.slice(1, -1).map(line => line.split(',')[1])).size).toBe(1500)
    expect(lines[1]).toMatch(
      /^\d{4}-.*Z,req_\w{22},pdf-tools\/rotate-pdf,api,200,,,,,12,5,1000,900,1,false,true,false,x7Qd,203\.0\.113\.0\/24,"'=danger\/1,2",,2,1,0\.5,0,1\.5,,,,,0,0\.5,1,3,1,,0\.5,1,$/,
    )
  })

  describe('among many requests', () => {
    let accountId: string
    beforeAll(async () => {
      accountId = await newAccount()
      await database.rows(sql`
        insert into calls select 'req_' || lpad(number::text, 22, '0'), case when number % 40 = 0 then ${accountId} else 'other' || number % 400 end,
          timestamptz '2026-11-20T12:00:00Z' - number * interval '1 minute', date '2026-11-20' - number / 1440, 'pdf-tools/rotate-pdf', 'api', case when number % 120 = 0 then 422 else 200 end,
          null, null, 1, 1, 1, 1, 1, false, true, false, null, null, null
        from generate_series(1, 40000) number`)
      await database.rows(sql`analyze calls`)
    })

    /** The plan of a statement, with its conditions. */
    const explain = async (statement: ReturnType<typeof sql>) =>
      (await database.rows<{ 'QUERY PLAN': string }>(sql`explain ${statement}`))
        .map(row => row['QUERY PLAN'])
        .join('\n')

    it.each([
      [
        'a page',
        () =>
          sql`select id from calls where account_id = ${accountId} and at <= (select at from calls c where c.id = 'req_0000000000000000020000') order by at desc, id desc limit 20`,
        'calls_account',
      ],
      [
        'failures',
        () =>
          sql`select id from calls where account_id = ${accountId} and status >= 400 and status < 500 and status >= 400 order by at desc, id desc limit 20`,
        'calls_failed',
      ],
      [
        'expired requests',
        () => sql`select id from calls where day < date '2026-10-24' order by day limit 500 for update skip locked`,
        'calls_day',
      ],
      [
        'one request',
        () => sql`select at from calls where id = 'req_0000000000000000020000' and account_id = ${accountId}`,
        'calls_pkey',
      ],
    ])('%s is found through an index', async (_, statement, index) => {
      const plan = await explain(statement())
      expect(plan).toContain(index)
      expect(plan).not.toContain('Seq Scan')
    })
  })
})
