import type { Books, Entry } from './books'
import { type CallLog, isCut, isDelivered, type SeenCall } from './call-log'
import { judge, type Row } from './scenario'

/** Credits per account and month. */
const GRANT = 100
/**
 * A file counts as delivered when its last byte is sent. Sheaf records the delivery a moment later. A service that is
 * killed within that moment refunds the credit. So many of the last files before a kill may be free for each client.
 */
const LAST_FILES = 2

/** An account with all records of both sides. */
interface Account {
  id: string
  email: string
  balance: number
  debt: number
  entries: Entry[]
  /** Requests that were charged and not refunded. */
  paid: Set<string>
  /** Requests that were refunded. */
  refunded: Set<string>
}

/** Compares the database of a recovered service with the clients' records: the eight invariants of the ledger. */
export function checkBooks(books: Books, log: CallLog): Row[] {
  const accounts = joinEntries(books)
  const delivered = log.of(undefined, call => isDelivered(call) && call.charged === 1)
  const byEmail = new Map(accounts.map(account => [account.email, account]))
  const accountOf = (call: SeenCall) => byEmail.get(call.email)
  const unpaid = delivered.filter(call => !accountOf(call)?.paid.has(call.callId))
  const inMoment = unpaid.filter(call => isAtKill(call, log))
  return [
    judge(
      '1. a balance is the sum of its ledger, a debt is too, and neither is ever under 0',
      accounts.map(findBrokenSum),
    ),
    judge('2. a call is charged once at most, and given back once at most', accounts.flatMap(findCallProblems)),
    judge(
      '3. nothing is left open',
      books.holds.map(({ callId, state }) => (state === 'open' ? `${callId} is still held` : undefined)),
    ),
    judge(
      '4. a file that arrived is paid for',
      delivered.map(call =>
        unpaid.includes(call) && !inMoment.includes(call)
          ? `${call.callId} of ${call.email} arrived and costs nothing`
          : undefined,
      ),
      describeMoment(inMoment, log),
    ),
    judge(
      '4. nothing is paid for but files that arrived, and calls cut off by a kill',
      accounts.map(account => findOvercharge(account, log)),
    ),
    judge(
      '5. the balance on each file is the one that its own charge left',
      delivered.map(call => findWrongBalance(call, accountOf(call))),
    ),
    judge(
      '6. a call that fails costs nothing',
      log
        .of(undefined, call => !isDelivered(call) && !isCut(call))
        .map(call => findChargedFailure(call, accountOf(call))),
    ),
    judge('7. a month is granted once', accounts.map(findGrantProblem)),
    judge(
      '8. the balance follows from what the clients know',
      accounts.map(account => findDifference(account, log, inMoment)),
    ),
  ]
}

function joinEntries({ accounts, entries }: Books): Account[] {
  const byId = new Map<string, Entry[]>(accounts.map(({ id }) => [id, []]))
  for (const entry of entries) byId.get(entry.accountId)?.push(entry)
  return accounts.map(account => {
    const own = byId.get(account.id) ?? []
    const refunded = new Set(callIds(own, 'refund'))
    return {
      ...account,
      entries: own,
      refunded,
      paid: new Set(callIds(own, 'charge').filter(callId => !refunded.has(callId))),
    }
  })
}

function callIds(entries: Entry[], kind: Entry['kind']): string[] {
  return entries.flatMap(entry => (entry.kind === kind && entry.callId !== null ? [entry.callId] : []))
}

const PAYMENTS = new Set<Entry['kind']>(['purchase', 'purchase_refund', 'dispute', 'dispute_reversal'])

/** A carried sum replaces earlier entries: it comes first, and once. */
function findBrokenSum({ email, balance, debt, entries }: Account): string | undefined {
  const second = entries.find(({ kind }, index) => kind === 'carry_forward' && index > 0)
  if (second !== undefined) return `entry ${second.id} of ${email} carries forward what is still there before it`
  let sum = 0
  let owed = 0
  for (const entry of entries) {
    sum += entry.delta
    owed += entry.owed
    if (owed < 0 || (entry.owed !== 0 && !PAYMENTS.has(entry.kind) && entry.kind !== 'carry_forward'))
      return `entry ${entry.id} of ${email}, a ${entry.kind}, leaves a debt of ${owed}`
    if (entry.owed > 0 && entry.balance !== 0 && entry.kind !== 'carry_forward')
      return `entry ${entry.id} of ${email} leaves a debt beside a balance of ${entry.balance}`
    if (entry.balance !== sum || sum < 0)
      return `entry ${entry.id} of ${email} says ${entry.balance}, its ledger comes to ${sum}`
  }
  if (owed !== debt) return `${email} owes ${debt}, its ledger comes to ${owed}`
  return sum === balance ? undefined : `${email} has ${balance}, its ledger comes to ${sum}`
}

function findCallProblems({ email, entries }: Account): (string | undefined)[] {
  const seen = new Map<string, string>()
  const isCarried = isCarriedForward(entries)
  return entries
    .filter(({ callId }) => callId !== null)
    .map(({ callId, kind, delta }) => {
      const name = callId ?? ''
      const before = seen.get(name) ?? ''
      seen.set(name, `${before}${kind} `)
      const isRight =
        (kind === 'charge' && before === '' && delta === -1) ||
        (kind === 'refund' && (before === 'charge ' || (isCarried && before === '')) && delta === 1)
      return isRight ? undefined : `${name} of ${email}: ${before}${kind} of ${delta}`
    })
}

function isAtKill(call: SeenCall, log: CallLog): boolean {
  return log.kills.some(({ atMs, clients }) => {
    const isLater = (other: SeenCall) => other.sentAtMs < atMs && other.endedAtMs > call.endedAtMs && isDelivered(other)
    return call.sentAtMs < atMs && log.of(undefined, isLater).length < LAST_FILES * clients
  })
}

function describeMoment(calls: SeenCall[], { kills }: CallLog): string {
  if (calls.length === 0) return 'none arrived in the moment of a kill and was given back'
  const ages = calls.map(
    ({ sentAtMs, endedAtMs }) => (kills.find(({ atMs }) => atMs > sentAtMs)?.atMs ?? endedAtMs) - endedAtMs,
  )
  return (
    `${calls.length} arrived in the moment of a kill and were given back, the earliest ` +
    `${Math.max(...ages).toFixed(0)} ms before it`
  )
}

function findOvercharge({ email, paid }: Account, log: CallLog): string | undefined {
  const arrived = new Set(log.of(email, isDelivered).map(({ callId }) => callId))
  const failed = new Set(log.of(email, call => !isDelivered(call) && !isCut(call)).map(({ callId }) => callId))
  const others = [...paid].filter(callId => !arrived.has(callId))
  const cut = log.of(email, isCut).length
  const known = others.filter(callId => failed.has(callId))
  if (known.length > 0) return `${email} paid for ${known.join(', ')}, which failed`
  return others.length > cut
    ? `${email} paid for ${others.length} calls that nobody got, with ${cut} cut off`
    : undefined
}

function findWrongBalance(call: SeenCall, account: Account | undefined): string | undefined {
  const charge = account?.entries.find(({ kind, callId }) => kind === 'charge' && callId === call.callId)
  return charge?.balance === call.balance
    ? undefined
    : `${call.callId} told ${call.balance}, its charge left ${charge?.balance}`
}

function findChargedFailure(call: SeenCall, account: Account | undefined): string | undefined {
  if (call.callId === '' || call.charged === 1)
    return `a call answered with ${call.status} told ${call.charged} charged and the id «${call.callId}»`
  return account?.paid.has(call.callId)
    ? `${call.callId} was answered with ${call.status} ${call.error} and is paid for`
    : undefined
}

function findGrantProblem({ email, entries }: Account): string | undefined {
  const months = entries.flatMap(({ kind, month }) => (kind === 'grant' ? [month] : []))
  const hasAny = months.length > 0 || isCarriedForward(entries)
  return new Set(months).size === months.length && hasAny
    ? undefined
    : `${email} was granted ${months.join(', ') || 'nothing'}`
}

/** Returns whether one carried sum has replaced the account's first entries, including charges and grants. */
function isCarriedForward([first]: Entry[]): boolean {
  return first?.kind === 'carry_forward'
}

/** The account's balance before its first remaining entry, plus later refunds of earlier requests. */
function findOpening(entries: Entry[]): number {
  const [first] = entries
  if (first?.kind !== 'carry_forward') return 0
  const charged = new Set(callIds(entries, 'charge'))
  return first.delta + callIds(entries, 'refund').filter(callId => !charged.has(callId)).length
}

/**
 * Only interrupted requests are uncertain: each of them may or may not be paid for. Carried entries are older than the
 * clients' records.
 */
function findDifference(
  { email, balance, debt, entries }: Account,
  log: CallLog,
  inMoment: SeenCall[],
): string | undefined {
  const months = entries.filter(({ kind }) => kind === 'grant').length
  const least =
    findOpening(entries) +
    months * GRANT +
    log.topUpsOf(email) -
    log.of(email, call => isDelivered(call) && call.charged === 1).length
  const free = inMoment.filter(call => call.email === email).length
  const highest = least + free
  const lowest = least + free - log.of(email, isCut).length
  const net = balance - debt
  return net >= lowest && net <= highest
    ? undefined
    : `${email} has ${net}; its clients' log says ${lowest} to ${highest}`
}
