import { describe, expect, it, vi } from 'vitest'
import type { RequestRow } from '../../../db/queries/request-log'
import { createRequestLog } from '../../../lib/requests/request-log'
import { makeRow } from './make-row'
import { waitFor } from '../../support/wait-for'

const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
const ids = (rows: readonly RequestRow[]) => rows.map(({ id }) => id)

/** A target for writes that can fail or wait on command. */
function makeWriter() {
  const written: string[][] = []
  let problem: Error | undefined
  return {
    written,
    fail(error: Error | undefined) {
      problem = error
    },
    write: vi.fn(async (rows: RequestRow[]) => {
      await Promise.resolve()
      if (problem) throw problem
      written.push(ids(rows))
    }),
  }
}

describe('the request log', () => {
  it('writes requests that end shortly after one another together', async () => {
    const { written, write } = makeWriter()
    const log = createRequestLog(write, { everyMs: 5 })
    for (const id of ['a', 'b', 'c']) log.add(makeRow({ id }))
    expect(write).not.toHaveBeenCalled()
    await waitFor(() => expect(written).toEqual([['a', 'b', 'c']]))
  })

  it('does not wait if there are enough, and never writes more than the limit at once', async () => {
    const { written, write } = makeWriter()
    const log = createRequestLog(write, { everyMs: 60_000, mostTogether: 2 })
    for (const id of ['a', 'b', 'c', 'd', 'e']) log.add(makeRow({ id }))
    await waitFor(() => expect(written.flat()).toHaveLength(2))
    await log.close()
    expect(written).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  it('keeps requests in order while the database is unavailable, and writes them afterwards', async () => {
    const { written, write, fail } = makeWriter()
    const log = createRequestLog(write, { everyMs: 1, retryMs: 2, mostTogether: 3 })
    fail(away)
    for (let number = 0; number < 7; number += 1) log.add(makeRow({ id: String(number) }))
    await waitFor(() => expect(write.mock.calls.length).toBeGreaterThan(4))
    fail(undefined)
    await waitFor(() => expect(written.flat()).toEqual(['0', '1', '2', '3', '4', '5', '6']))
  })

  it('drops requests beyond the limit', async () => {
    const { written, write, fail } = makeWriter()
    const log = createRequestLog(write, { everyMs: 1, retryMs: 60_000, mostKept: 3 })
    fail(away)
    for (const id of ['a', 'b', 'c', 'd', 'e']) log.add(makeRow({ id }))
    await log.flush()
    fail(undefined)
    await log.flush()
    expect(written).toEqual([['a', 'b', 'c']])
  })

  it('drops rows that are refused three times, and continues with the others', async () => {
    const { written, write, fail } = makeWriter()
    const log = createRequestLog(write, { everyMs: 60_000, retryMs: 1, mostTogether: 1 })
    fail(new Error('refused'))
    log.add(makeRow({ id: 'bad' }))
    await waitFor(() => expect(write).toHaveBeenCalledTimes(3))
    fail(undefined)
    log.add(makeRow({ id: 'good' }))
    await waitFor(() => expect(written).toEqual([['good']]))
    expect(write).toHaveBeenCalledTimes(4)
  })

  it('writes the rest when it is closed, also requests that arrive during the write', async () => {
    const { written, write } = makeWriter()
    const log = createRequestLog(write, { everyMs: 60_000 })
    log.add(makeRow({ id: 'a' }))
    void log.flush()
    log.add(makeRow({ id: 'b' }))
    await log.close()
    expect(written.flat()).toEqual(['a', 'b'])
  })

  it('does not wait forever for an unavailable database when it is closed', async () => {
    const { write, fail } = makeWriter()
    const log = createRequestLog(write, { everyMs: 60_000 })
    fail(away)
    log.add(makeRow({ id: 'a' }))
    await log.close()
    expect(write).toHaveBeenCalledTimes(3)
  })
})
