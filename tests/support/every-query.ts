import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database'
import { findAccountByEmail, findAccountById } from '../../db/queries/accounts'
import {
  countRecentRequests,
  findRequest,
  findLatestRequest,
  insertRequests,
  listRequests,
  purgeDeletedRequests,
  purgeOldRequests,
} from '../../db/queries/request-log'
import * as credits from '../../db/queries/credits'
import { deleteRecord, findRecord } from '../../db/queries/idempotency-records'
import { purgeSpentGrants } from '../../db/queries/deletion'
import { findUnproved, isLinkOpen, proveAndEnd } from '../../db/queries/first-proof'
import { listFirstSteps, recordFirstStep, purgeDeletedSteps } from '../../db/queries/first-steps'
import { findBalanceDetails, listEntries, listLines, listRefundsAcross } from '../../db/queries/history'
import { findIdentityOwner, insertIdentity } from '../../db/queries/identities'
import { findActiveKey, findKeyOwner, purgeKeys } from '../../db/queries/keys'
import { carryForward, listOldestEntries } from '../../db/queries/ledger-retention'
import { insertMailToken, purgeMailTokens } from '../../db/queries/mail-tokens'
import {
  deleteAttempt,
  recordAttempt,
  purgeAttempts,
  recordSignInNetwork,
  purgeSignInNetworks,
} from '../../db/queries/sign-in-attempts'
import { findAddressProblem, insertInvitation } from '../../db/queries/sign-ups'
import { listUsage, purgeDeletedUsage, purgeOldUsage } from '../../db/queries/usage'
import { makeRow } from '../lib/requests/make-row'

/** The arguments of the queries. */
export interface Subject {
  /** An account with more entries and requests than others, its email, key and one of its requests. */
  accountId: string
  email: string
  keyHash: string
  requestId: string
  /** The ID of an entry in the middle of that account's entries. */
  middleEntry: number
}

export interface NamedQuery {
  name: string
  part: 'call' | 'account' | 'sweep'
  run: (database: Database) => Promise<unknown>
}

/** The number of rows that a deletion may process at once, here as small as a page. */
const LIMIT = 50
const DAYS = 400

/** Every query of requests, of the account pages, of the sweep and of pruning. */
export function listQueries(subject: Subject): NamedQuery[] {
  const { accountId } = subject
  const month = new Date().toISOString().slice(0, 7)
  const grant = { month, credits: 100, verifiedOnly: true }
  const charge = { requestId: randomUUID(), accountId, instanceId: 'growth', leaseMs: 30_000, grant }
  const keyed = { ...charge, requestId: randomUUID(), idempotency: { key: randomUUID(), requestHash: 'hash' } }
  const inPart = (part: NamedQuery['part'], queries: Record<string, NamedQuery['run']>) =>
    Object.entries(queries).map(([name, run]) => ({ name, part, run }))
  return [
    ...inPart('call', {
      findKeyOwner: database => findKeyOwner(database, subject.keyHash, grant),
      chargeOnce: database => credits.chargeOnce(database, charge),
      'chargeOnce with a key': database => credits.chargeOnce(database, keyed),
      findRecord: database => findRecord(database, accountId, keyed.idempotency.key),
      renewHolds: database => credits.renewHolds(database, [charge.requestId, keyed.requestId], 30_000),
      refundOnce: database => credits.refundOnce(database, keyed.requestId),
      settleOnce: database => credits.settleOnce(database, [charge.requestId]),
      findBalance: database => credits.findBalance(database, accountId),
      findBalanceOfRequest: database => credits.findBalanceOfRequest(database, subject.requestId),
      grantOnce: database => credits.grantOnce(database, accountId, grant),
      'grantOnce with a cap': database =>
        credits.grantOnce(database, accountId, { ...grant, cap: { day: `${month}-01`, credits: 0, onReached() {} } }),
      findHasPaid: database => credits.findHasPaid(database, accountId),
      deleteRecord: database => deleteRecord(database, accountId, keyed.idempotency.key),
      insertRequests: database => insertRequests(database, [makeRow({ accountId, id: randomUUID() })]),
    }),
    ...inPart('account', {
      findAccountById: database => findAccountById(database, accountId),
      findAccountByEmail: database => findAccountByEmail(database, subject.email),
      'listEntries, first page': database => listEntries(database, { accountId, limit: LIMIT }),
      'listEntries, deep page': database =>
        listEntries(database, { accountId, limit: LIMIT, before: subject.middleEntry }),
      'listLines, first page': database => listLines(database, { accountId, limit: LIMIT }),
      'listLines, deep page': database => listLines(database, { accountId, limit: LIMIT, before: subject.middleEntry }),
      listRefundsAcross: database =>
        listRefundsAcross(database, { accountId, entryId: subject.middleEntry, limit: 1000 }),
      findBalanceDetails: database => findBalanceDetails(database, accountId),
      listRequests: database => listRequests(database, { accountId, limit: LIMIT }),
      'listRequests, deep page': database =>
        listRequests(database, { accountId, limit: LIMIT, before: subject.requestId }),
      'listRequests, of one operation': database =>
        listRequests(database, { accountId, limit: LIMIT, operation: 'pdf-tools/rotate-pdf' }),
      'listRequests, of one day': database =>
        listRequests(database, {
          accountId,
          limit: LIMIT,
          since: new Date(Date.now() - 2 * 86_400_000),
          until: new Date(Date.now() - 86_400_000),
        }),
      'listRequests, failed': database => listRequests(database, { accountId, limit: LIMIT, statusClass: 5 }),
      findRequest: database => findRequest(database, accountId, subject.requestId),
      findLatestRequest: database => findLatestRequest(database, accountId, new Date(Date.now() - 60_000)),
      countRecentRequests: database => countRecentRequests(database, accountId),
      listFirstSteps: database => listFirstSteps(database, accountId),
      recordFirstStep: database => recordFirstStep(database, accountId, 'dismissed'),
      listUsage: database => listUsage(database, accountId, `${month}-01`),
      findActiveKey: database => findActiveKey(database, accountId),
      findAddressProblem: database =>
        findAddressProblem(database, { email: subject.email, isProved: false }, { invitedOnly: true }),
      insertInvitation: database => insertInvitation(database, 'growth@example.test'),
      sumGrantedOn: database => credits.sumGrantedOn(database, `${month}-01`),
      recordAttempt: async database => {
        const attempt = {
          email: subject.email,
          ip: '2001:db8:7:1::/64',
          site: '2001:db8:7::/48',
          networkHash: 'growth',
        }
        const noted = await recordAttempt(database, attempt, {
          windowMs: 900_000,
          perAddress: 10,
          perIp: 100,
          perSiteAddress: 30,
          perSite: 300,
          perEmail: 50,
        })
        if ('id' in noted) await deleteAttempt(database, noted.id)
      },
      recordSignInNetwork: database => recordSignInNetwork(database, accountId, 'growth'),
      insertMailToken: database =>
        insertMailToken(database, { email: subject.email, tokenHash: randomUUID(), seconds: 3600 }),
      isLinkOpen: database => isLinkOpen(database, subject.email, 'growth'),
      findUnproved: database => findUnproved(database, accountId),
      proveAndEnd: database => proveAndEnd(database, { accountId, email: subject.email }, () => false),
      findIdentityOwner: database => findIdentityOwner(database, { provider: 'github', providerAccountId: 'growth' }),
      insertIdentity: database =>
        insertIdentity(database, { accountId: 'none', provider: 'github', providerAccountId: 'growth' }),
    }),
    ...inPart('sweep', {
      listOpenRequests: database => credits.listOpenRequests(database, 'expired', LIMIT),
      purgeHolds: database => credits.purgeHolds(database, LIMIT),
      purgeAttempts: database => purgeAttempts(database, LIMIT),
      purgeSignInNetworks: database => purgeSignInNetworks(database, LIMIT),
      purgeMailTokens: database => purgeMailTokens(database, LIMIT),
      purgeKeys: database => purgeKeys(database, LIMIT),
      purgeSpentGrants,
      purgeOldUsage: database => purgeOldUsage(database, LIMIT),
      purgeDeletedUsage,
      purgeDeletedSteps,
      purgeDeletedRequests: database => purgeDeletedRequests(database, LIMIT),
      purgeOldRequests: database => purgeOldRequests(database, 90, LIMIT),
      listOldestEntries: database => listOldestEntries(database, { after: '', limit: LIMIT, days: DAYS }),
      carryForward: async database => {
        const [oldest] = await listOldestEntries(database, { after: '', limit: 1, days: DAYS })
        await carryForward(database, {
          accountId: oldest?.accountId ?? '',
          entryId: oldest?.entryId ?? '0',
          days: DAYS,
          limit: LIMIT,
        })
      },
    }),
  ]
}
