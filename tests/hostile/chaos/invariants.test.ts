import { expect, test } from 'vitest'
import type { Books, Entry } from './books'
import { CallLog, type SeenCall } from './call-log'
import { isPassed } from './scenario'
import { checkBooks } from './invariants'

const EMAIL = 'a@example.test'

/** A ledger whose balances add up. */
function keep(...deltas: (Pick<Entry, 'kind' | 'delta' | 'callId' | 'month'> & { owed?: number })[]): Books {
  let balance = 0
  const entries = deltas.map((entry, index) => ({
    owed: 0,
    ...entry,
    id: index + 1,
    accountId: 'a',
    balance: (balance += entry.delta),
  }))
  const debt = entries.reduce((sum, { owed }) => sum + owed, 0)
  return { accounts: [{ id: 'a', email: EMAIL, balance, debt }], entries, holds: [], activeKeys: [] }
}

const grant = (month = '2026-11') => ({ kind: 'grant' as const, delta: 100, callId: null, month })
const charge = (callId: string) => ({ kind: 'charge' as const, delta: -1, callId, month: null })
const refund = (callId: string) => ({ kind: 'refund' as const, delta: 1, callId, month: null })
const pay = (kind: 'purchase' | 'purchase_refund' | 'dispute' | 'dispute_reversal', delta: number, owed = 0) => ({
  kind,
  delta,
  owed,
  callId: null,
  month: null,
})

const carry = (delta: number) => ({ kind: 'carry_forward' as const, delta, callId: null, month: null })

function see(...calls: Partial<SeenCall>[]): CallLog {
  const log = new CallLog()
  for (const call of calls)
    log.calls.push({
      email: EMAIL,
      sentAtMs: 0,
      endedAtMs: 1,
      status: 200,
      callId: 'one',
      charged: 1,
      balance: 99,
      error: '',
      retryAfterS: undefined,
      ...call,
    })
  return log
}

function bought(credits: number): CallLog {
  const log = see()
  log.noteTopUp(EMAIL, credits)
  return log
}

const failed = { status: 422, charged: 0, error: 'pdf_tool_processing_failed' }
const cut = { status: undefined, callId: '', charged: undefined, balance: undefined, error: 'ECONNRESET' }

function killedAt(atMs: number, log: CallLog, clients = 1): CallLog {
  log.kills.push({ atMs, clients })
  return log
}

/** The files of one client, one after the other. */
const files = ['one', 'two', 'three']
const seeFiles = () =>
  see(...files.map((callId, index) => ({ callId, sentAtMs: index, endedAtMs: index + 1, balance: 99 - index })))

function wrongRows(books: Books, log: CallLog): number[] {
  return checkBooks(books, log)
    .filter(row => !isPassed(row))
    .map(({ what }) => Number(what[0]))
}

test.each<[string, Books, CallLog, number[]]>([
  [
    'a refund that the account owes',
    keep(pay('purchase', 2000), pay('purchase_refund', -2000, 3000), grant()),
    bought(-3000),
    [],
  ],
  [
    'a purchase that repays a debt',
    keep(grant(), pay('dispute', -100, 900), pay('purchase', 4100, -900)),
    bought(4000),
    [],
  ],
  ['an unknown purchase', keep(grant(), pay('purchase', 5000)), see(), [8]],
  ['a debt beside a balance', keep(grant(), pay('dispute', -50, 50)), bought(-100), [1]],
  ['a debt of a request', keep(grant(), { ...charge('one'), owed: 1 }), see({}), [1, 8]],
  ['a negative debt', keep(grant(), pay('purchase', 10, -10)), bought(20), [1]],
  ['a file that is paid for', keep(grant(), charge('one')), see({}), []],
  ['a refunded failure', keep(grant(), charge('one'), refund('one')), see(failed), []],
  ['a request cut off by a kill, paid for', keep(grant(), charge('one')), killedAt(0, see(cut)), []],
  ['a file refunded in the moment of a kill', keep(grant(), charge('one'), refund('one')), killedAt(50, see({})), []],
  ['a free file', keep(grant(), charge('one'), refund('one')), see({}), [4, 8]],
  [
    'a file refunded at a kill without clients',
    keep(grant(), charge('one'), refund('one')),
    killedAt(9, see({}), 0),
    [4, 8],
  ],
  [
    'the last files before a kill, refunded',
    keep(grant(), ...files.map(charge), refund('two'), refund('three')),
    killedAt(50, seeFiles()),
    [],
  ],
  ['an earlier file, refunded', keep(grant(), ...files.map(charge), refund('one')), killedAt(50, seeFiles()), [4, 8]],
  ['a failure that is paid for', keep(grant(), charge('one')), see(failed), [4, 6, 8]],
  ['a request that nobody sent', keep(grant(), charge('one'), charge('two')), see({}), [4, 8]],
  ['a request charged twice', keep(grant(), charge('one'), charge('one')), see({}), [2, 8]],
  ['a request refunded twice', keep(grant(), charge('one'), refund('one'), refund('one')), see(failed), [2, 8]],
  ['a month granted twice', keep(grant(), grant(), charge('one')), see({ balance: 199 }), [7]],
  ['a reported balance that differs from the charge', keep(grant(), charge('one')), see({ balance: 98 }), [5]],
  ['a file paid for from a carried sum', keep(carry(100), charge('one')), see({}), []],
  ['a refund whose charge is part of a carried sum', keep(carry(99), refund('zero'), charge('one')), see({}), []],
  ['a refund of an unknown charge', keep(grant(), refund('zero'), charge('one')), see({ balance: 100 }), [2, 8]],
  ['a carried sum after the entries that it replaces', keep(grant(), carry(0), charge('one')), see({}), [1]],
  [
    'a request refunded twice, once of it before the carried sum',
    keep(carry(99), refund('one'), refund('one'), charge('two')),
    see({ callId: 'two', balance: 100 }),
    [2],
  ],
])('%s', (_what, books, log, wrong) => {
  expect(wrongRows(books, log)).toEqual(wrong)
})

test('reports a balance that differs from the sum of its ledger', () => {
  const books = keep(grant(), charge('one'))
  expect(wrongRows({ ...books, accounts: [{ id: 'a', email: EMAIL, debt: 0, balance: 98 }] }, see({}))).toEqual([1, 8])
})

test('reports a hold that stays open', () => {
  expect(wrongRows({ ...keep(grant(), charge('one')), holds: [{ callId: 'one', state: 'open' }] }, see({}))).toEqual([
    3,
  ])
})
