import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type CreditEntry, exportLedger, listCredits } from '../../../lib/credits/history'
import { createLedger } from '../../../lib/credits/ledger'
import { SAMPLED_KINDS, prepareDatabase } from '../../support/databases'

describe.each(SAMPLED_KINDS)('the history of an account on %s', async kind => {
  const { database, newAccount } = await prepareDatabase(kind)
  const ledger = createLedger({ database, verifiedOnly: false })

  const charge = async (accountId: string) => {
    const requestId = randomUUID()
    await ledger.charge({ requestId, accountId })
    return requestId
  }
  const list = (accountId: string, page: { limit: number; before?: number } = { limit: 50 }) =>
    listCredits(accountId, page, database)
  const write = ({ kind: ofKind, delta, balance, isRefunded }: CreditEntry) =>
    `${ofKind} ${delta} ${balance}${isRefunded ? ' refunded' : ''}`

  /** Reads all pages, as their links lead. */
  async function readPages(accountId: string, limit: number): Promise<CreditEntry[]> {
    const lines: CreditEntry[] = []
    for (;;) {
      const before = lines.at(-1)?.id
      const page = await list(accountId, { limit, ...(before === undefined ? {} : { before }) })
      lines.push(...page)
      if (page.length < limit) return lines
    }
  }

  it('has one line for a charge and its refund, and balances without the charge', async () => {
    const accountId = await newAccount()
    const first = await charge(accountId)
    await charge(accountId)
    const third = await charge(accountId)
    await ledger.refund(first)
    const lines = await list(accountId)
    expect(lines.map(write)).toEqual(['charge -1 98', 'charge -1 99', 'charge 0 100 refunded', 'grant 100 100'])
    expect(lines[0]?.requestId).toBe(third)
    expect(lines[2]?.requestId).toBe(first)
    expect(lines[0]?.createdAt).toBeInstanceOf(Date)
    expect(lines[0]?.balance).toBe(await ledger.balance(accountId))
  })

  it('neither repeats nor loses a line, whatever the pages and wherever refunds are', async () => {
    const accountId = await newAccount()
    const calls: string[] = []
    for (let index = 0; index < 14; index++) {
      calls.push(await charge(accountId))
      // Refunds of calls that began one, three and nine entries ago.
      if (index === 2) await ledger.refund(calls[2] ?? '')
      if (index === 6) await ledger.refund(calls[3] ?? '')
      if (index === 11) await ledger.refund(calls[1] ?? '')
    }
    const whole = await list(accountId)
    expect(whole).toHaveLength(15)
    expect(whole.filter(line => line.isRefunded).map(({ requestId }) => requestId)).toEqual([
      calls[3],
      calls[2],
      calls[1],
    ])
    // Each balance is the balance before it plus the change.
    for (const [index, { balance, delta }] of whole.entries())
      expect(balance).toBe((whole[index + 1]?.balance ?? 0) + delta)
    expect(whole[0]?.balance).toBe(await ledger.balance(accountId))
    for (const limit of [1, 2, 3, 4, 7]) expect(await readPages(accountId, limit), `pages of ${limit}`).toEqual(whole)
  })

  it('shows a refund alone if its charge is no longer in the ledger', async () => {
    const accountId = await newAccount()
    await ledger.grantMonth(accountId)
    await database.rows(
      sql`insert into ledger_entries (account_id, kind, delta, balance, call_id) values (${accountId}, 'refund', 1, 101, ${randomUUID()})`,
    )
    expect((await list(accountId)).map(write)).toEqual(['refund 1 101', 'grant 100 100'])
  })

  it('never mixes accounts, and keeps both entries in the CSV', async () => {
    const [accountId, other] = [await newAccount(), await newAccount()]
    const requestId = await charge(accountId)
    await charge(other)
    await ledger.refund(requestId)
    expect((await list(other)).map(write)).toEqual(['charge -1 99', 'grant 100 100'])
    const csv = await new Response(exportLedger(accountId, database)).text()
    expect(csv.split('\r\n').map(line => line.split(',').slice(1, 4).join(' '))).toEqual([
      'kind credits balance',
      'refund 1 100',
      'charge -1 99',
      'grant 100 100',
      '',
    ])
  })
})
