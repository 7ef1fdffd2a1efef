import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { type EngineErrorReason, isEngineError } from '../../engines/errors'
import type { OutputFile } from '../../engines/types'
import type { RunningRequest, Caller } from '../requests/request'
import type { ResponseEnd } from '../requests/client-response'
import { type Charge, getLedger, insufficientCredits } from '../credits/ledger'
import { isRequestError } from '../errors'
import { failPoint } from '../fail-point'
import { ClientGone, isClientGone } from './connection/client-gone'
import type { BodyShare } from './limits/body-memory'
import { requesterOf } from './limits/requester'
import { getBodyMemory, getFailedWork, getLeases, getOutputMemory } from './limits/process-limits'

/** Throws RequestError `insufficient_credits`. A request that repeats a paid one needs no balance. */
export async function assertBalance({ accountId, balance }: Caller, idempotencyKey: string | undefined): Promise<void> {
  if (balance === undefined || balance >= 1) return // If the balance isn't known, the charge checks it.
  if (idempotencyKey !== undefined && (await getLedger().hasReplay(accountId, idempotencyKey))) return
  throw insufficientCredits(balance)
}

/** Opens the memory share of the body, until the response ends at the latest. */
export function openBodyShare(request: RunningRequest): BodyShare {
  const length = request.headers['content-length']
  const share = getBodyMemory().open(accountOf(request), length === undefined ? undefined : Number(length))
  request.response.onEnd(() => share.close())
  return share
}

/** Counts the output until the response ends, and releases it then. */
export function holdOutput(request: RunningRequest, { content }: OutputFile): void {
  request.response.onEnd(getOutputMemory().take(accountOf(request), content))
}

/** Takes the price of a request, if it has one. Throws RequestError, ClientGone or an error of the database. */
export async function chargeRequest(
  request: RunningRequest,
  idempotency: { key: string; requestHash: string } | undefined,
): Promise<Charge | undefined> {
  if (!isPaid(request)) return undefined
  if (request.signal.aborted) throw new ClientGone('The client hung up before it was charged')
  try {
    const charge = await getLedger().charge({
      requestId: request.requestId,
      accountId: accountOf(request),
      receivedAtMs: request.receivedAtMs,
      unconfirmedKeyId: request.caller?.isUnconfirmed === true ? request.caller.key?.id : undefined,
      ...(idempotency ? { idempotency } : {}),
    })
    getLeases().hold(request.requestId)
    failPoint('charged')
    return charge
  } catch (error) {
    request.isChargeUnknown = isDatabaseUnavailable(error)
    throw error
  }
}

/** Makes the charge final if the response is delivered. Otherwise refunds it and counts the work as failed. */
export function settleAtEnd(request: RunningRequest): void {
  request.response.onEnd(end => {
    if (end !== 'delivered') getFailedWork().record(requesterOf(request), request.engineMs ?? 0)
  })
  if (isPaid(request)) request.response.onEnd(end => settleCharge(request, end))
}

function settleCharge({ requestId, hasIdempotencyKey }: RunningRequest, end: ResponseEnd): void {
  // A repetition with the same Idempotency-Key must find the request settled.
  if (end === 'delivered') {
    failPoint('delivered')
    void getLeases().settle(requestId, hasIdempotencyKey)
  }
  // If the refund fails, the lease expires and the sweep refunds the charge.
  else
    void getLeases()
      .refund(requestId)
      .catch(() => {})
}

/** Refunds the charge and returns the balance for the response. Undefined if no account was authenticated. */
export async function refundRequest(request: RunningRequest, thrown: unknown): Promise<number | undefined> {
  const { caller, charge, isChargeUnknown, requestId } = request
  if (!caller || !isPaid(request)) return undefined
  if (charge) failPoint('refunding')
  if (!charge && isRequestError(thrown) && typeof thrown.body.creditBalance === 'number')
    return thrown.body.creditBalance
  const balanceAfterRefund = charge ? charge.balance + charge.charged : caller.balance
  // The ledger doesn't know a request whose charge failed, and throws on its refund.
  const balance =
    charge || isChargeUnknown
      ? getLeases().refund(requestId)
      : getLedger()
          .balance(caller.accountId)
          .then(current => ({ balance: current }))
  // If the database is unavailable, the hold is refunded when its lease expires. The response shows the balance after
  // that refund.
  const balanceOrExpected = balance.catch(() => ({ balance: balanceAfterRefund }))
  // A database that just timed out would probably time out again, and the client has waited long enough.
  return isDatabaseUnavailable(thrown) && balanceAfterRefund !== undefined
    ? balanceAfterRefund
    : (await balanceOrExpected).balance
}

/** Failures of the engines and of the browser that aren't caused by the input. */
const SERVER_REASONS: readonly EngineErrorReason[] = ['busy', 'internal']

/** Counts work without a result, if the request or its client is the cause. */
export function recordFailedWork(request: RunningRequest, thrown: unknown): void {
  if (!request.caller) return
  const isCause = isEngineError(thrown)
    ? !SERVER_REASONS.includes(thrown.reason)
    : isClientGone(thrown) || request.signal.aborted
  if (isCause) getFailedWork().record(requesterOf(request), findWorkMs(request, thrown))
}

/** The time of a browser is its whole time with the page. An engine reports its own time. */
function findWorkMs({ ran, engineMs, lane }: RunningRequest, thrown: unknown): number {
  if (ran && lane === 'browser') return ran.ms
  return engineMs ?? (isEngineError(thrown) ? thrown.workMs : undefined) ?? 0
}

/** Whether the request costs a credit. A trial of a visitor is free. */
export function isPaid({ caller }: RunningRequest): boolean {
  return caller?.via !== 'trial'
}

/** Returns the account of a request. Throws Error before the authentication. */
function accountOf({ caller }: Pick<RunningRequest, 'caller'>): string {
  if (!caller) throw new Error('A request without a caller passed the authentication')
  return caller.accountId
}
