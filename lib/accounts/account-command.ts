import * as z from 'zod'
import type { Database } from '../../db/database'
import { insertInvitation } from '../../db/queries/sign-ups'
import type { Ledger } from '../credits/ledger'
import { createAccount, findByEmail, isEmail, normalizeEmail, setPassword, type Account } from './account/accounts'
import { createKey, isKeyExists, rotateKey } from './key/keys'
import { findPasswordProblem, hashPassword } from './account/password'

const accountRequestSchema = z.strictObject({
  email: z.string().transform(normalizeEmail).refine(isEmail, 'must be an email address, such as ada@example.com'),
  credits: z.int().min(0).max(1_000_000_000).default(0),
  rotate: z.boolean().default(false),
  password: z.string().optional(),
  /** These are undefined if not given, so that a server of the previous version understands the request. */
  force: z.boolean().optional(),
  invite: z.boolean().optional(),
})

/** An operator's request: an account, credits to add, a new key, a password. Or an invitation to sign up. */
export type AccountRequest = z.infer<typeof accountRequestSchema>

/**
 * The output of the account command, except for `note`. `apiKey` is null if the account has a key that wasn't to be
 * rotated.
 */
export interface AccountReply {
  email: string
  apiKey: string | null
  /** Includes this month's grant and the added credits. */
  creditBalance: number
  /** A message for the operator. */
  note?: string
}

interface AccountCommandDependencies {
  database: Database
  ledger: Ledger
  /** Whether the server can verify email addresses. If so, trusting an unverified address requires `force`. */
  canVerify?: boolean
}

/**
 * Runs an operator's request, in a running server or in a separate process. Creates the account if there is none, with
 * a verified address, because the operator vouches for the address. An account that somebody else opened for an
 * unverified address is reported. If its owner could verify the address, the account only changes with `force`. Throws
 * an Error with a message for the operator.
 */
export async function runAccountCommand(
  input: unknown,
  { database, ledger, canVerify = false }: AccountCommandDependencies,
): Promise<AccountReply> {
  const request = parseAccountRequest(input)
  const problem = request.password === undefined ? null : findPasswordProblem(request.password)
  if (problem !== null) throw new Error(problem)
  if (request.invite === true) return invite(request, database)

  const account = await findOrCreate(request.email, database)
  const isUnproved = account.emailVerified === null
  if (isUnproved && canVerify && request.force !== true) assertHarmless(request)
  if (request.password !== undefined) await setPassword(account.id, await hashPassword(request.password), database)
  if (request.credits > 0) await ledger.adjust(account.id, request.credits, 'added by the operator')
  const apiKey = await createOrRotateKey(account.id, request.rotate, database)
  const { balance } = await ledger.grantMonth(account.id)
  return {
    email: account.email,
    apiKey,
    creditBalance: balance,
    ...(isUnproved ? { note: describeUnproved(account.email) } : {}),
  }
}

/** Lets an address sign up while `SIGN_UP` is `invited`. Its owner opens the account, so there is no key yet. */
async function invite({ email, ...request }: AccountRequest, database: Database): Promise<AccountReply> {
  if (request.credits > 0 || request.rotate || request.password !== undefined || request.force !== undefined)
    throw new Error('--invite must be the only option. Without --invite, this command creates the account itself.')
  if ((await findByEmail(email, database)) !== null)
    throw new Error(`${email} already has an account and needs no invitation.`)
  await insertInvitation(database, email)
  return { email, apiKey: null, creditBalance: 0, note: `${email} can sign up now. Sheaf sends no email about it.` }
}

/** Refuses requests that would give something to a stranger, or take the account from its owner. */
function assertHarmless({ email, credits, rotate, password }: AccountRequest): void {
  const riskyOptions = [
    credits > 0 ? '--credits' : '',
    rotate ? '--rotate' : '',
    password === undefined ? '' : '--password-stdin',
  ].filter(option => option !== '')
  if (riskyOptions.length === 0) return
  throw new Error(
    `${describeUnproved(email)} Nothing was changed. ` +
      'Ask the owner to confirm the address first, with a sign-in link, GitHub or Google. ' +
      `If you know who opened the account, use --force with ${riskyOptions.join(' and ')}.`,
  )
}

function describeUnproved(email: string): string {
  return `The owner of ${email} hasn't confirmed this account. Someone else may have opened it.`
}

/** Validates an operator's request. Throws an Error that names every problem. */
export function parseAccountRequest(input: unknown): AccountRequest {
  const parsed = accountRequestSchema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(issue => `${issue.path.join('.') || 'request'}: ${issue.message}.`).join(' '))
}

async function findOrCreate(email: string, database: Database): Promise<Account> {
  const existing = await findByEmail(email, database)
  if (existing !== null) return existing
  const { account } = await createAccount({ email, verified: true }, database)
  // Without a new account, somebody else created the account in the meantime.
  const createdOrExisting = account ?? (await findByEmail(email, database))
  if (createdOrExisting === null) throw new Error(`The account ${email} was deleted during this command.`)
  return createdOrExisting
}

async function createOrRotateKey(accountId: string, rotate: boolean, database: Database): Promise<string | null> {
  if (rotate) return (await rotateKey(accountId, database)).apiKey
  try {
    return (await createKey(accountId, database)).apiKey
  } catch (error) {
    if (isKeyExists(error)) return null
    throw error
  }
}
