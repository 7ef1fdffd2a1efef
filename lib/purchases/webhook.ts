import type { Stripe } from 'stripe'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { claimEvent } from '../../db/queries/purchases'
import { readBodyBytes } from '../accounts/route/read-form'
import { getConfig } from '../config'
import { getDatabase } from '../database'
import { isRequestError } from '../errors'
import { getExchange } from '../http-exchange'
import { describeError, getLog } from '../log'
import { applyCard } from './apply-card'
import { applyStripeFact, type Outcome, PurchaseMismatch } from './apply-stripe-fact'
import { readFact } from './stripe-facts'
import { getStripe, isSelling } from './stripe'

/**
 * Maximum seconds between an event's signature and our clock, which is Stripe's default. An older event is a replay.
 */
const TOLERANCE_S = 300
const MAX_EVENT_BYTES = 2 ** 20

/**
 * Handles a Stripe event. The response is 200 if the event is applied, was applied before or isn't about us, 400 if it
 * is forged, old or doesn't match our purchase, and 5xx if Stripe must send it again. The log contains each event with
 * its outcome.
 */
export async function receiveEvent(request: Request): Promise<Response> {
  const { requestId } = getExchange()
  if (!isSelling()) return respond(404, { error: 'not_found' })
  const eventDetails: { event?: string; type?: string } = {}
  try {
    const payload = await readBodyBytes(request, MAX_EVENT_BYTES)
    const event = verify(payload, request.headers.get('stripe-signature') ?? '')
    Object.assign(eventDetails, { event: event.id, type: event.type })
    const outcome = await applyEvent(event)
    getLog().info({ requestId, ...eventDetails, outcome }, 'Stripe event')
    return respond(200, { outcome })
  } catch (error) {
    const { status, code } = describeRefusal(error)
    const line = { requestId, ...eventDetails, outcome: code, cause: describeError(error) }
    if (status >= 500) getLog().error(line, 'failed to apply a Stripe event, Stripe will send it again')
    else getLog().warn(line, 'a Stripe event was rejected')
    return respond(status, { error: code, requestId })
  }
}

/** Applies an event in one transaction, and marks it as applied. Throws PurchaseMismatch. */
async function applyEvent(event: Stripe.Event): Promise<Outcome | 'duplicate' | 'ignored'> {
  const database = getDatabase()
  const fact = await readFact(event, { database, stripe: getStripe() })
  if (fact === undefined) return 'ignored'
  return database.transaction(async queries => {
    if (!(await claimEvent(queries, event.id))) return 'duplicate'
    return fact.kind === 'card' ? applyCard(queries, fact) : applyStripeFact(queries, fact)
  })
}

/** The signature covers the unchanged bytes. */
function verify(payload: Buffer, signature: string): Stripe.Event {
  const secret = getConfig().STRIPE_WEBHOOK_SECRET ?? ''
  try {
    return getStripe().webhooks.constructEvent(payload, signature, secret, TOLERANCE_S)
  } catch (cause) {
    throw new ForgedEvent('The signature is missing, invalid or too old', { cause })
  }
}

class ForgedEvent extends Error {
  override readonly name = 'ForgedEvent'
}

function describeRefusal(error: unknown): { status: number; code: string } {
  if (error instanceof ForgedEvent) return { status: 400, code: 'invalid_signature' }
  if (error instanceof PurchaseMismatch) return { status: 400, code: 'purchase_mismatch' }
  if (isRequestError(error)) return { status: error.status, code: error.code }
  return isDatabaseUnavailable(error)
    ? { status: 503, code: 'service_unavailable' }
    : { status: 500, code: 'internal_error' }
}

function respond(status: number, body: Record<string, string>): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}
