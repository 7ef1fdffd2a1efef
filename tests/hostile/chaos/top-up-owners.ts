import type { Client } from '../../contract/client'
import { deliver, type StripeDouble, type StripeObject } from '../../support/stripe-double'
import type { Context } from './scenario'
import { type AccountSession, signIn } from './sign-in'

export const OWNER_PASSWORD = 'correct horse battery'
/** Free credits of a month, and the threshold of every owner: one call crosses it. */
const THRESHOLD = 100

/** Somebody with an account of their own, as a browser and a server of theirs see it. */
export interface Owner {
  email: string
  client: Client
  /** A session in the account area; it outlives a restart of the service. */
  session: AccountSession
}

/** Makes an account that wants to be told below 100 credits. */
export async function createOwner({ environment }: Context, name: string): Promise<Owner> {
  const email = `${name}@example.test`
  const client = await environment.createClient(email, { password: OWNER_PASSWORD })
  const session = await signInAgain({ environment }, email)
  await session.post('/api/account/low-balance', { threshold: String(THRESHOLD) })
  return { email, client, session }
}

/** Signs in at the service as it runs at the moment. */
export function signInAgain({ environment }: Pick<Context, 'environment'>, email: string): Promise<AccountSession> {
  return signIn(environment.service().base, email, OWNER_PASSWORD)
}

/**
 * Turns automatic top-up on; with a card on the page that Stripe has for that, unless there is one. Gives the answer's
 * status.
 */
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

/** The session of a page at Stripe. */
export function readSessionId(url: unknown): string {
  return String(url).split('/').at(-1) ?? ''
}

/** What Stripe was asked to charge without its owner, of an account. */
export function paymentsOf(stripe: StripeDouble, accountId: string): StripeObject[] {
  return [...stripe.payments.values()].filter(
    ({ metadata }) => (metadata as Record<string, unknown>)['account_id'] === accountId,
  )
}
