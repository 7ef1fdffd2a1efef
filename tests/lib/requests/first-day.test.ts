import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type RequestRow, insertRequests } from '../../../db/queries/request-log'
import { deletePersonalData } from '../../../db/queries/deletion'
import { recordFirstStep, purgeDeletedSteps } from '../../../db/queries/first-steps'
import { dismissChecklist, readFirstDay } from '../../../lib/requests/first-day'
import { prepareDatabase, SAMPLED_KINDS } from '../../support/databases'
import { makeRow } from './make-row'

const NOTHING = { isIdempotent: false, hasRecovered: false, isDismissed: false }
const FAILED = { status: 422, error: 'pdf_tool_processing_failed', credits: 0 } as const

describe.each(SAMPLED_KINDS)('the first steps of an account on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database, newAccount } = opened
  const another = await opened.another()

  const at = (second: number) => new Date(Date.UTC(2026, 10, 24, 12, 0, second)).toISOString()
  /** Logs batches of requests of a new account, and returns what its checklist knows. */
  const log = async (...batches: Partial<RequestRow>[][]) => {
    const accountId = await newAccount()
    for (const rows of batches)
      await insertRequests(
        database,
        rows.map(row => makeRow({ accountId, ...row })),
      )
    return readFirstDay(accountId, database)
  }

  it('are none without requests, and after a successful one', async () => {
    expect(await log()).toEqual(NOTHING)
    expect(await log([{ at: at(1) }])).toEqual(NOTHING)
  })

  it('include an Idempotency-Key of a successful request with a key', async () => {
    expect(await log([{ at: at(1) }, { at: at(2), hasIdempotencyKey: true }])).toEqual({
      ...NOTHING,
      isIdempotent: true,
    })
    expect(await log([{ hasIdempotencyKey: true, via: 'playground', keyLast4: null }])).toEqual(NOTHING)
    expect(await log([{ hasIdempotencyKey: true, ...FAILED }])).toEqual(NOTHING)
    expect(await log([{ hasIdempotencyKey: true, delivered: false }])).toEqual(NOTHING)
  })

  it('include an error that a later request to the same endpoint followed with success', async () => {
    const recovered = { ...NOTHING, hasRecovered: true }
    expect(await log([{ at: at(1), ...FAILED }], [{ at: at(2) }])).toEqual(recovered)
    expect(await log([{ at: at(2) }, { at: at(1), ...FAILED }])).toEqual(recovered)
    expect(await log([{ at: at(1), ...FAILED, error: 'rate_limited', status: 429 }], [{ at: at(2) }])).toEqual(
      recovered,
    )
    expect(
      await log(
        [{ at: at(1), ...FAILED }],
        [{ at: at(2), ...FAILED, operation: 'webpage-to-pdf/pdf' }],
        [{ at: at(3) }],
      ),
    ).toEqual(recovered)
  })

  it('include no error without success, before the error, on another endpoint or in the playground', async () => {
    expect(await log([{ at: at(1), ...FAILED }])).toEqual(NOTHING)
    expect(await log([{ at: at(1) }], [{ at: at(2), ...FAILED }])).toEqual(NOTHING)
    expect(await log([{ at: at(1) }, { at: at(2), ...FAILED }])).toEqual(NOTHING)
    expect(await log([{ at: at(1), ...FAILED }], [{ at: at(2), operation: 'webpage-to-pdf/pdf' }])).toEqual(NOTHING)
    expect(await log([{ at: at(1), ...FAILED, via: 'playground' }], [{ at: at(2) }])).toEqual(NOTHING)
    expect(await log([{ at: at(1), ...FAILED }], [{ at: at(2), via: 'playground' }])).toEqual(NOTHING)
    // The client closed the connection, and saw no error.
    expect(await log([{ at: at(1), status: 499, delivered: false, error: null }], [{ at: at(2) }])).toEqual(NOTHING)
  })

  it('are those of one account only', async () => {
    const [accountId, stranger] = [await newAccount(), await newAccount()]
    await insertRequests(database, [
      makeRow({ accountId: stranger, at: at(1), ...FAILED }),
      makeRow({ accountId, at: at(2), hasIdempotencyKey: true }),
    ])
    expect(await readFirstDay(accountId, database)).toEqual({ ...NOTHING, isIdempotent: true })
    expect(await readFirstDay(stranger, database)).toEqual(NOTHING)
  })

  it('are noted once, also by two instances at the same time', async () => {
    const accountId = await newAccount()
    const batch = () =>
      Array.from({ length: 20 }, (_, index) =>
        makeRow({ accountId, at: at(index), hasIdempotencyKey: true, ...(index % 2 === 0 ? FAILED : {}) }),
      )
    await Promise.all([database, another, database, another].map(one => insertRequests(one, batch())))
    await insertRequests(database, batch())
    expect(await readFirstDay(accountId, database)).toEqual({ ...NOTHING, isIdempotent: true, hasRecovered: true })
  })

  it('end with the checklist, and with the account', async () => {
    const accountId = await newAccount()
    await dismissChecklist(accountId, database)
    await dismissChecklist(accountId, database)
    expect(await readFirstDay(accountId, database)).toEqual({ ...NOTHING, isDismissed: true })
    await deletePersonalData(database, { accountId, month: '2026-11', addressHash: randomUUID() })
    expect(await readFirstDay(accountId, database)).toEqual(NOTHING)
    await recordFirstStep(database, accountId, 'dismissed')
    await insertRequests(database, [makeRow({ accountId, hasIdempotencyKey: true })])
    expect(await readFirstDay(accountId, database)).toEqual(NOTHING)
    // A request that was logged during the deletion.
    await database.rows(sql`insert into first_steps (account_id, step) values (${accountId}, 'idempotency')`)
    await purgeDeletedSteps(database)
    expect(await readFirstDay(accountId, database)).toEqual(NOTHING)
  })
})
