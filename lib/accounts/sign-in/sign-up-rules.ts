import type { Database } from '../../../db/database'
import { type AddressProblem, findAddressProblem, type SignUpTerms } from '../../../db/queries/sign-ups'
import { type Config, getConfig } from '../../config'
import { getDatabase } from '../../database'
import { isAccountRefusal } from '../account/account-refusal'
import { normalizeEmail } from '../account/accounts'
import { countSignUp } from './sign-up-limit'

/** Why a proved address gets no account. */
export type SignUpProblem = 'closed' | 'too-many' | AddressProblem

/** Returns who may sign up on this server. */
export function signUpTerms({ SIGN_UP }: Pick<Config, 'SIGN_UP'>): SignUpTerms {
  return { invitedOnly: SIGN_UP !== 'open' }
}

/**
 * Decides whether an address without an account may open one, after a mailed link or another service proved the
 * address. Counts the account, because it opens next. Returns the problem, or null.
 */
export async function admitSignUp(
  { email, clientAddress }: { email: string; clientAddress: string },
  config: Config = getConfig(),
  database: Database = getDatabase(),
): Promise<SignUpProblem | null> {
  if (config.SIGN_UP === 'closed') return 'closed'
  const problem = await findAddressProblem(
    database,
    { email: normalizeEmail(email), isProved: true },
    signUpTerms(config),
  )
  return problem ?? (await findLimitProblem(clientAddress))
}

async function findLimitProblem(clientAddress: string): Promise<'too-many' | null> {
  try {
    await countSignUp('new account', clientAddress)
    return null
  } catch (error) {
    if (isAccountRefusal(error)) return 'too-many'
    throw error
  }
}
