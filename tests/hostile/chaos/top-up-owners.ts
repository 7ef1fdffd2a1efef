import type { Client } from '../../contract/client'
import { deliver, type StripeDouble, type StripeObject } from '../../support/stripe-double'
import type { Context } from './scenario'
import { type AccountSession, signIn } from './sign-in'

export const OWNER_PASSWORD = 'correct horse battery'
/** The monthly free credits, and the threshold of every owner. One request crosses the threshold. */
const THRESHOLD = 100

/** An account owner with a browser and a server. */
export interface Owner {
  email: string
  client: Client
  /** A session in the account area. The session outlives a restart of the service. */
  session: AccountSession
}

/** Creates an account with a threshold of 100 credits. */
export async function createOwner({ environment }: Context, name: string): Promise<Owner> {
  const email = `${name}@example.test`
  const client = await environment.createClient(email, { password: OWNER_PASSWORD })
  const session = await signInAgain({ environment }, email)
  await session.post('/api/account/low-balance', { threshold: String(THRESHOLD) })
  return { email, client, session }
}

/** Signs in to the currently running service. */
export function signInAgain({ environment }: Pick<Context, 'environment'>, email: string): Promise<AccountSession> {
  return signIn(environment.service().base, email, OWNER_PASSWORD)
}

/** Turns automatic top-up on, and saves a card on Stripe's page if there is none. Returns the status. */
export async function turnOn(
  { environment }: Context,
  stripe: StripeDouble,
  { session }: Pick<Owner, 'session'>,
  { monthlyLimit = '50', isOtherCard = false } = {},
): Promise<number> {
  const { status, json } = await session.post('/api/account/top-up', {
    dollars: '5',
    monthlyLimit,
    ...(isOtherCard && { card: 'other' }),
  })
  if (typeof json['url'] === 'string')
    await deliver(environment.service().base, stripe.leaveCard(readSessionId(json['url'])))
  return status
}

/** The session of a Stripe page. */
export function readSessionId(url: unknown): string {
  return String(url).split('/').at(-1) ?? ''
}

/** The off-session charges of an account that Stripe received. */
export function paymentsOf(stripe: StripeDouble, accountId: string): StripeObject[] {
  return [...stripe.payments.values()].filter(
    ({ metadata }) => (metadata as Record<string, unknown>)['account_id'] === accountId,
  )
}
