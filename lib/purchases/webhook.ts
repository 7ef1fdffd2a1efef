import type { Stripe } from 'stripe'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { claimEvent } from '../../db/queries/purchases'
import { readBodyBytes } from '../accounts/route/read-form'
import { getConfig } from '../config'
import { getDatabase } from '../database'
import { isCallError } from '../errors'
import { getExchange } from '../exchange'
import { describeError, getLog } from '../log'
import { applyCard } from './apply-card'
import { applyStripeFact, type Outcome, PurchaseMismatch } from './apply-stripe-fact'
import { readFact } from './stripe-facts'
import { getStripe, isSelling } from './stripe'

/** Seconds between an event's signature and our clock; Stripe's own default. An older event is a copy of one. */
const TOLERANCE_S = 300
const MAX_EVENT_BYTES = 2 ** 20

/**
 * Answers an event of Stripe: 200 when it is applied, was before or is not about us, 400 when it is forged, old or does
 * not fit our purchase, 5xx when Stripe shall send it again. Each one is in the log with its outcome.
 */
export async function receiveEvent(request: Request): Promise<Response> {
  const { requestId } = getExchange()
  if (!isSelling()) return response(404, { error: 'not_found' })
  const seen: { event?: string; type?: string } = {}
  try {
    const payload = await readBodyBytes(request, MAX_EVENT_BYTES)
    const event = verify(payload, request.headers.get('stripe-signature') ?? '')
    Object.assign(seen, { event: event.id, type: event.type })
    const outcome = await applyEvent(event)
    getLog().info({ requestId, ...seen, outcome }, 'an event of Stripe')
    return response(200, { outcome })
  } catch (error) {
    const { status, code } = describeRefusal(error)
    const line = { requestId, ...seen, outcome: code, cause: describeError(error) }
    if (status >= 500) getLog().error(line, 'an event of Stripe could not be applied; Stripe sends it again')
    else getLog().warn(line, 'an event of Stripe was refused')
    return response(status, { error: code, requestId })
  }
}

/** Applies an event in one transaction, together with the note that it was. Throws PurchaseMismatch. */
async function applyEvent(event: Stripe.Event): Promise<Outcome | 'duplicate' | 'ignored'> {
  const database = getDatabase()
  const fact = await readFact(event, { database, stripe: getStripe() })
  if (fact === undefined) return 'ignored'
  return database.transaction(async queries => {
    if (!(await claimEvent(queries, event.id))) return 'duplicate'
    return fact.kind === 'card' ? applyCard(queries, fact) : applyStripeFact(queries, fact)
  })
}

/** The signature is over the bytes as they came. */
function verify(payload: Buffer, signature: string): Stripe.Event {
  const secret = getConfig().STRIPE_WEBHOOK_SECRET ?? ''
  try {
    return getStripe().webhooks.constructEvent(payload, signature, secret, TOLERANCE_S)
  } catch (cause) {
    throw new ForgedEvent('The signature is missing, wrong or too old', { cause })
  }
}

class ForgedEvent extends Error {
  override readonly name = 'ForgedEvent'
}

function describeRefusal(error: unknown): { status: number; code: string } {
  if (error instanceof ForgedEvent) return { status: 400, code: 'invalid_signature' }
  if (error instanceof PurchaseMismatch) return { status: 400, code: 'purchase_mismatch' }
  if (isCallError(error)) return { status: error.status, code: error.code }
  return isDatabaseUnavailable(error)
    ? { status: 503, code: 'service_unavailable' }
    : { status: 500, code: 'internal_error' }
}

function response(status: number, body: Record<string, string>): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}
