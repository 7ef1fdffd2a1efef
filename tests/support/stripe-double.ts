import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { type ApiResponse, sendRequest } from '../contract/client'

const SECRET_KEY = 'sk_test_of_the_double'
const WEBHOOK_SECRET = 'whsec_of_the_double'

/** The fields of a session, a charge or a dispute that we read. */
export type StripeObject = Record<string, unknown> & { id: string }

export interface StripeEvent {
  id: string
  type: string
  /** The signed bytes. */
  payload: string
}

/** The parts of Stripe's API that the service uses, on a loopback port, with payment pages. */
export interface StripeDouble {
  base: string
  /** Variables of a service that sells through this double. */
  env: Record<string, string>
  /** Requests so far, as `METHOD /path`. */
  requests: string[]
  sessions: Map<string, StripeObject>
  /** Off-session payments, by ID. */
  payments: Map<string, StripeObject>
  /** The decline code of off-session charges. Undefined for cards that pay. */
  declineWith: string | undefined
  /** Saves a card on the page of a setup session and returns the event. */
  leaveCard(sessionId: string): StripeEvent
  /** An event about an off-session payment. */
  tellPayment(type: string, paymentId: string): StripeEvent
  /** Customers that the service deleted, or that `customers.delete` deleted as somebody at Stripe would. */
  deletedCustomers: Set<string>
  /** Refunds that the service requested, by ID. Refunds by `refund` are not included. */
  askedRefunds: Map<string, StripeObject>
  /** If `true`, Stripe performs payment requests, and their responses never arrive. */
  losesResponses: boolean
  /** Forgets the idempotency keys of earlier requests, as Stripe does after a day. */
  forgetKeys(): void
  /** The next API requests fail with this status. Undefined for none. */
  failWith: number | undefined
  /** Where a payment on its page is reported at once. Undefined for nowhere. */
  webhook: string | undefined
  /** Marks a session as paid and returns the event. */
  pay(sessionId: string): StripeEvent
  /** Refunds this many more cents of a paid session or an off-session payment. The event states the total refund. */
  refund(sessionId: string, cents: number): StripeEvent
  /** Opens or closes a dispute about a paid session. Returns an event of each kind that Stripe sends. */
  dispute(sessionId: string, what: { type: string; status: string; amount?: number }): StripeEvent
  /** An event of any type about the current session, with some members replaced. */
  tell(type: string, sessionId: string, changes?: Record<string, unknown>): StripeEvent
  close(): Promise<void>
}

/** Sends an event as Stripe does, signed now, or at another time or with another secret. */
export function deliver(
  base: string,
  { payload }: StripeEvent,
  { secret = WEBHOOK_SECRET, ageS = 0, body = payload }: { secret?: string; ageS?: number; body?: string } = {},
): Promise<ApiResponse> {
  const timestamp = Math.floor(Date.now() / 1000) - ageS
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return sendRequest(base, {
    path: '/api/stripe/webhook',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body,
  })
}

/** Starts a double. It keeps all payments as long as it runs. */
export async function startStripe(): Promise<StripeDouble> {
  const sessions = new Map<string, StripeObject>()
  const charges = new Map<string, StripeObject>()
  const disputes = new Map<string, StripeObject>()
  const refunds = new Map<string, StripeObject>()
  const payments = new Map<string, StripeObject>()
  const answered = new Map<string, StripeObject>()
  const deletedCustomers = new Set<string>()
  const askedRefunds = new Map<string, StripeObject>()
  const requests: string[] = []

  const sessionOf = (id: string) => {
    const session = sessions.get(id)
    if (session === undefined) throw new Error(`there is no session ${id}`)
    return session
  }
  const chargeOf = (sessionId: string) => {
    const charge = [...charges.values()].find(
      ({ payment_intent }) => payment_intent === (sessions.get(sessionId)?.['payment_intent'] ?? sessionId),
    )
    if (charge === undefined) throw new Error(`the session ${sessionId} was not paid`)
    return charge
  }

  const double: StripeDouble = {
    base: '',
    env: {},
    requests,
    sessions,
    payments,
    deletedCustomers,
    askedRefunds,
    losesResponses: false,
    forgetKeys: () => answered.clear(),
    declineWith: undefined,
    failWith: undefined,
    webhook: undefined,
    pay(sessionId) {
      const session = sessionOf(sessionId)
      const { amount_total, currency, metadata } = session
      const payment = newId('pi')
      Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        payment_intent: payment,
        customer: session['customer'] ?? newId('cus'),
        customer_details: session['customer_details'] ?? BUYER,
      })
      const charge = {
        id: newId('ch'),
        object: 'charge',
        amount: amount_total,
        amount_refunded: 0,
        currency,
        metadata,
        payment_intent: payment,
        created: nowS(),
        refunded: false,
      }
      charges.set(charge.id, charge)
      return makeEvent('checkout.session.completed', session)
    },
    leaveCard(sessionId) {
      const session = sessionOf(sessionId)
      Object.assign(session, {
        status: 'complete',
        payment_status: 'no_payment_required',
        setup_intent: newId('seti'),
        customer: session['customer'] ?? newId('cus'),
        customer_details: BUYER,
      })
      return makeEvent('checkout.session.completed', session)
    },
    tellPayment(type, paymentId) {
      return makeEvent(type, payments.get(paymentId) ?? { id: paymentId })
    },
    refund(sessionId, cents) {
      const charge = chargeOf(sessionId)
      charge['amount_refunded'] = Number(charge['amount_refunded']) + cents
      const refund = { id: newId('re'), object: 'refund', amount: cents, charge, created: nowS(), status: 'succeeded' }
      refunds.set(refund.id, refund)
      return makeEvent('charge.refunded', charge)
    },
    dispute(sessionId, { type, status, amount }) {
      const charge = chargeOf(sessionId)
      const found = [...disputes.values()].find(dispute => dispute['charge'] === charge.id)
      const dispute = found ?? {
        id: newId('dp'),
        object: 'dispute',
        amount: amount ?? charge['amount'],
        currency: charge['currency'],
        charge: charge.id,
        payment_intent: charge['payment_intent'],
        created: nowS(),
        metadata: {},
      }
      Object.assign(dispute, { status })
      disputes.set(dispute.id, dispute)
      return makeEvent(type, dispute)
    },
    tell: (type, sessionId, changes = {}) => makeEvent(type, { ...sessionOf(sessionId), ...changes }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const createSession = (fields: URLSearchParams): StripeObject => {
    const id = newId('cs_test')
    const session = {
      ...{
        id,
        object: 'checkout.session',
        created: nowS(),
        mode: fields.get('mode'),
        status: 'open',
        payment_status: 'unpaid',
        payment_intent: null,
        livemode: false,
      },
      ...{
        currency: fields.get('line_items[0][price_data][currency]'),
        amount_total:
          Number(fields.get('line_items[0][price_data][unit_amount]')) * Number(fields.get('line_items[0][quantity]')),
      },
      ...{
        client_reference_id: fields.get('client_reference_id'),
        customer: fields.get('customer'),
        metadata: {
          account_id: fields.get('metadata[account_id]'),
          purchase_id: fields.get('metadata[purchase_id]'),
          top_up: fields.get('metadata[top_up]') ?? undefined,
        },
      },
      ...{
        url: `${double.base}/pay/${id}`,
        success_url: fields.get('success_url'),
        cancel_url: fields.get('cancel_url'),
        sent: Object.fromEntries(fields),
      },
    }
    sessions.set(id, session)
    return session
  }

  /** Responds as Stripe does: a payment, or 402 with the declined payment. */
  const charge = (fields: URLSearchParams): StripeObject => {
    const metadata = {
      account_id: fields.get('metadata[account_id]'),
      purchase_id: fields.get('metadata[purchase_id]'),
      top_up: fields.get('metadata[top_up]'),
    }
    const payment: StripeObject = {
      ...{
        id: newId('pi'),
        object: 'payment_intent',
        amount: Number(fields.get('amount')),
        currency: fields.get('currency'),
        metadata,
        created: nowS(),
        last_payment_error: null,
      },
      ...{
        customer: fields.get('customer'),
        payment_method: fields.get('payment_method'),
        status: 'succeeded',
        sent: Object.fromEntries(fields),
      },
    }
    payments.set(payment.id, payment)
    if (double.declineWith === undefined) {
      const made = {
        id: newId('ch'),
        object: 'charge',
        amount: payment['amount'],
        amount_refunded: 0,
        currency: payment['currency'],
        metadata,
        payment_intent: payment.id,
        created: nowS(),
        refunded: false,
      }
      charges.set(made.id, made)
      return payment
    }
    const error = { type: 'card_error', code: 'card_declined', message: double.declineWith }
    Object.assign(payment, { status: 'requires_payment_method', last_payment_error: error })
    return { id: '', status: 402, error: { ...error, payment_intent: payment } }
  }

  /** Refunds as Stripe does: the rest of a charge, with an event that states the total refund. */
  const refundRest = (paymentId: string): StripeObject => {
    const charge = [...charges.values()].find(({ payment_intent }) => payment_intent === paymentId)
    if (charge === undefined)
      return refuse('resource_missing', `No such payment_intent: ${paymentId}`, 'payment_intent')
    const amount = Number(charge['amount']) - Number(charge['amount_refunded'])
    if (amount === 0) return refuse('charge_already_refunded', 'The charge has already been refunded.')
    charge['amount_refunded'] = charge['amount']
    const refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      charge,
      payment_intent: paymentId,
      created: nowS(),
      status: 'succeeded',
    }
    refunds.set(refund.id, refund)
    askedRefunds.set(refund.id, refund)
    return refund
  }

  const deleteCustomer = (id: string): StripeObject => {
    if (deletedCustomers.has(id)) return refuseCustomer(id)
    deletedCustomers.add(id)
    return { id, object: 'customer', deleted: true }
  }

  const respondToApi = (
    method: string,
    url: URL,
    { fields, key }: { fields: URLSearchParams; key: string | undefined },
  ): unknown => {
    const [, , kind = '', id = ''] = url.pathname.replace('/checkout/', '/').split('/')
    const customer = fields.get('customer')
    if (method === 'POST' && customer !== null && deletedCustomers.has(customer)) return refuseCustomer(customer)
    if (method === 'DELETE' && kind === 'customers') return deleteCustomer(id)
    if (method === 'POST' && kind === 'refunds') {
      const refund = answered.get(key ?? '') ?? refundRest(fields.get('payment_intent') ?? '')
      if (key !== undefined) answered.set(key, refund)
      return refund
    }
    if (method === 'POST' && kind === 'sessions') {
      const session = (key === undefined ? undefined : answered.get(key)) ?? createSession(fields)
      if (key !== undefined) answered.set(key, session)
      return session
    }
    if (method === 'POST' && kind === 'payment_intents') {
      const payment = answered.get(key ?? '') ?? charge(fields)
      if (key !== undefined) answered.set(key, payment)
      return payment
    }
    if (kind === 'setup_intents')
      return {
        id,
        object: 'setup_intent',
        payment_method: {
          id: `pm_of_${id}`,
          object: 'payment_method',
          type: 'card',
          card: { brand: 'visa', last4: '4242' },
        },
      }
    if (kind === 'payment_intents' && id !== '') {
      const charge = [...charges.values()].find(({ payment_intent }) => payment_intent === id)
      return charge && { id, object: 'payment_intent', metadata: charge['metadata'] }
    }
    const all = { sessions, charges, disputes, refunds, payment_intents: payments }[kind]
    return all && (id === '' ? listPage([...all.values()], url) : all.get(id))
  }

  const server = createServer((request, response) => void reply(request, response))
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://double')
    const method = request.method ?? ''
    requests.push(`${method} ${url.pathname}`)
    const body = await text(request)
    if (url.pathname.startsWith('/pay/'))
      return respondWithPage(double, { response, method, sessionId: url.pathname.slice(5) })
    const isKnown = request.headers.authorization === `Bearer ${SECRET_KEY}`
    const key = request.headers['idempotency-key']
    const found =
      isKnown && double.failWith === undefined
        ? respondToApi(method, url, {
            fields: new URLSearchParams(body),
            key: typeof key === 'string' ? key : undefined,
          })
        : undefined
    const refused = (found as { status?: unknown } | undefined)?.status
    const status = isKnown
      ? (double.failWith ?? (found === undefined ? 404 : typeof refused === 'number' ? refused : 200))
      : 401
    if (double.losesResponses && method === 'POST' && url.pathname.endsWith('/payment_intents'))
      return void request.socket.destroy()
    response
      .writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
      .end(JSON.stringify(found ?? { error: { type: 'invalid_request_error', message: `no ${url.pathname}` } }))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  double.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // The server listens on a port.
  double.env = sellThrough(double.base)
  return double
}

/** Variables of a service that sells through a double. */
export function sellThrough(base: string): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: base,
    SELLER_NAME: 'Sheaf Paper Ltd',
    SELLER_ADDRESS: '1 Mill Lane; Bristol BS1 1AA; United Kingdom',
    SELLER_TAX_ID: 'GB123456789',
    OPERATOR_EMAIL: 'operator@example.com',
  }
}

const BUYER = {
  name: 'Ada Example',
  email: 'ada@example.com',
  address: {
    line1: '12 Analytical Row',
    line2: null,
    city: 'Bath',
    state: null,
    postal_code: 'BA1 1AA',
    country: 'GB',
  },
  tax_ids: [{ type: 'gb_vat', value: 'GB987654321' }],
}

/** The page that a buyer is redirected to. */
async function respondWithPage(
  double: StripeDouble,
  { response, method, sessionId }: { response: ServerResponse; method: string; sessionId: string },
): Promise<void> {
  const session = double.sessions.get(sessionId)
  if (method === 'GET') {
    const page =
      '<!doctype html><html ' +
      `lang="en"><title>Pay</title><h1>${session?.['mode'] === 'setup' ? 'Leave a card' : `Pay ${Number(session?.['amount_total']) / 100} ${String(session?.['currency'])}`}</h1><form ` +
      `method="post"><button>${session?.['mode'] === 'setup' ? 'Save' : 'Pay'}</button></form><a ` +
      `href="${String(session?.['cancel_url'])}">Back</a>`
    response.writeHead(session ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    return
  }
  const event = session?.['mode'] === 'setup' ? double.leaveCard(sessionId) : double.pay(sessionId)
  response.writeHead(303, { location: String(session?.['success_url']) }).end()
  if (double.webhook !== undefined) await deliver(double.webhook, event)
}

/** A request that Stripe refuses. */
function refuse(code: string, message: string, param?: string): StripeObject {
  return { id: '', status: 400, error: { type: 'invalid_request_error', code, message, param } }
}

function refuseCustomer(id: string): StripeObject {
  return refuse('resource_missing', `No such customer: '${id}'`, 'customer')
}

/** Newest first, as Stripe lists them, in short pages. */
function listPage(all: StripeObject[], { pathname, searchParams }: URL): unknown {
  const since = Number(searchParams.get('created[gte]') ?? 0)
  const wanted = searchParams.get('customer')
  const rows = all
    .filter(({ created, customer }) => Number(created) >= since && (wanted === null || customer === wanted))
    .reverse()
  const first = rows.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1
  const limit = Math.min(MOST_ROWS, Number(searchParams.get('limit') ?? MOST_ROWS))
  return {
    object: 'list',
    url: pathname,
    data: rows.slice(first, first + limit),
    has_more: rows.length > first + limit,
  }
}

const MOST_ROWS = 10

function makeEvent(type: string, object: StripeObject): StripeEvent {
  const id = newId('evt')
  return {
    id,
    type,
    payload: JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: nowS(),
      type,
      livemode: false,
      data: { object },
    }),
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

function nowS(): number {
  return Math.floor(Date.now() / 1000)
}
