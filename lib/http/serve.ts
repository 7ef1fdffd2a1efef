import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { type EngineErrorReason, isEngineError } from '../../engines/errors'
import type { OutputFile } from '../../engines/types'
import type { Lane, Operation, PreparedCall } from '../operations/operation'
import type { Call, Caller } from '../calls/call'
import { authorize } from '../accounts/key/authorize'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import { describeClient } from '../calls/call-client'
import { getConfig } from '../config'
import { type Charge, getLedger, insufficientCredits } from '../credits/ledger'
import { CallError, isCallError } from '../errors'
import type { BodyReader, Body } from '../body/body'
import type { BodyShare } from './limits/body-memory'
import { openCall } from './connection/call'
import { createRefusal } from '../call-refusal'
import { ClientGone, isClientGone } from './connection/client-gone'
import {
  getBodyMemory,
  getDraining,
  getFailedWork,
  getLeases,
  getOutputMemory,
  getRefusalPace,
  getRequestQueue,
} from './limits/process-limits'
import { getExchange } from '../http-exchange'
import { siteOrigin } from '../site-origin'
import { createJsonReader } from '../body/json-body'
import { createMultipartReader } from '../body/multipart-body'
import { noteCall } from './note-call'
import { describeFailure } from './response/describe-failure'
import { readBody } from './request/read-body'
import { waitUnlessAborted } from './limits/refusal-rate'
import {
  assertAnnouncedLength,
  type BodyType,
  readBodyType,
  readHandling,
  readIdempotencyKey,
  readQueryNames,
} from './request/request-head'
import { hashRequest } from './request/request-hash'
import { respondToNobody, respondWithError, respondWithFile } from './response/respond'

/**
 * Authenticates the caller from the request head alone. Throws CallError if that fails. Only returns an unconfirmed
 * caller if `mayBeUnconfirmed`.
 */
export type Identify = (req: IncomingMessage, mayBeUnconfirmed: boolean) => Promise<Caller>

/**
 * Serves one request from start to end. Everything that can be refused without work comes before the charge, and any
 * later failure is refunded. If `target` is a CallError, the response is that error.
 */
export async function serve(target: Operation | CallError, identify: Identify = identifyByKey): Promise<Response> {
  const call = openCall(getExchange(), isCallError(target) ? undefined : target.id, noteCall)
  try {
    const operation = assertCallable(call, target)
    call.caller = await call.measure('auth', () => identify(call.req, true))
    // The browser sends a session, or nothing, instead of a key.
    if (call.caller.via !== 'api') call.warnings.delete('browser-origin')
    const output = await process(call, operation)
    settleWhenDelivered(call)
    return await respondWithFile(call, output)
  } catch (error) {
    const thrown = await confirmCaller(call, error, identify)
    const balance = await refundCall(call, thrown)
    noteFailedWork(call, thrown, isCallError(target) ? undefined : target.lane)
    await parseArrivedBytes(call.req)
    if (isCallError(thrown) && thrown.code === 'rate_limited') await delayRefusal(call)
    if (isClientGone(thrown) || call.signal.aborted) return respondToNobody(call)
    return await respondWithError(call, describeFailure(thrown, isCallError(target) ? undefined : target), balance)
  }
}

/**
 * Runs all steps between authentication and response. The memory of the body is released when the output exists. The
 * memory of the output is counted until the output is read.
 */
async function process(call: Call, operation: Operation): Promise<OutputFile> {
  const accountId = accountOf(call)
  const idempotencyKey = readIdempotencyKey(call.req.headers, operation.refusalCode)
  call.hasIdempotencyKey = idempotencyKey !== undefined
  if (call.caller) await assertBalance(call.caller, idempotencyKey)
  const type = readBodyType(call.req.headers)
  const hints = { handling: readHandling(call.req.headers), query: readQueryNames(call.req.url) }
  if (hints.handling !== 'default') call.preference = `handling=${hints.handling}`
  assertAnnouncedLength(call.req.headers, maxBodyBytesOf(operation))
  getFailedWork().admit(accountId)
  getRequestQueue().assertAllowed(accountId)
  const share = openBodyShare(call)
  let release: (() => void) | undefined
  try {
    const body = await call.measure('body', () => receiveBody(call, { operation, type, share }))
    const prepared = await call.measure('parse', () => operation.parse(body, hints))
    for (const warning of prepared.warnings) call.warnings.add(warning)
    call.unknownFields = prepared.unknownFields ?? []
    const idempotency =
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, requestHash: await hashRequest(operation.id, body, requireAuthSecret(getConfig())) }
    release = await call.measure('wait', () => getRequestQueue().acquire(accountId, call.signal, operation.lane))
    await prepared.inspect?.()
    if (isPaid(call)) call.charge = await call.measure('charge', () => chargeCall(call, idempotency))
    const output = await run(call, prepared)
    Object.assign(call.timings, output.timings)
    call.engineMs = sumEngine(output.timings)
    holdOutput(call, output)
    call.signal.throwIfAborted()
    return output
  } finally {
    share.close()
    release?.()
  }
}

function identifyByKey(req: IncomingMessage, mayBeUnconfirmed: boolean): Promise<Caller> {
  const key = req.headers['x-api-key']
  return authorize(typeof key === 'string' ? key : undefined, { client: () => describeClient(req), mayBeUnconfirmed })
}

/**
 * Authenticates an unconfirmed caller again if the request ends without a charge, because only the owner of a key may
 * learn more than that the key has ended. Returns the error to respond with.
 */
async function confirmCaller(call: Call, thrown: unknown, identify: Identify): Promise<unknown> {
  if (call.caller?.isUnconfirmed !== true || call.charge !== undefined || isDatabaseUnavailable(thrown)) return thrown
  try {
    call.caller = await identify(call.req, false)
    return thrown
  } catch (refusal) {
    delete call.caller
    return refusal
  }
}

/** Checks path, method, and whether this server still accepts requests. */
function assertCallable(call: Call, operation: Operation | CallError): Operation {
  if (isCallError(operation)) throw operation
  if (call.method !== 'POST') {
    throw new CallError('method_not_allowed', describeUse(call, operation), { headers: { Allow: 'POST' } })
  }
  if (getDraining().refusesCalls)
    throw new CallError('service_unavailable', 'This server is shutting down. Retry after 5 seconds.', {
      headers: { 'Retry-After': '5' },
    })
  return operation
}

/** Explains how to send a request to an endpoint. */
function describeUse({ method, req }: Call, { id }: Operation): string {
  const page = id.replace('pdf-tools/', '').split('/', 1)[0]
  return (
    `The method must be POST. Got ${method}. Send your API key in the x-api-key header and the input as JSON or ` +
    `multipart/form-data. See ${siteOrigin(req.headers.host, getConfig())}/docs/${page}`
  )
}

/** A request that repeats a paid one needs no balance. */
async function assertBalance({ accountId, balance }: Caller, idempotencyKey: string | undefined): Promise<void> {
  if (balance === undefined || balance >= 1) return // If the balance isn't known, the charge checks it.
  if (idempotencyKey !== undefined && (await getLedger().hasReplay(accountId, idempotencyKey))) return
  throw insufficientCredits(balance)
}

/** Opens the memory share of the body. The share is also released when the connection closes. */
function openBodyShare({ req, res, ...call }: Call): BodyShare {
  const length = req.headers['content-length']
  const share = getBodyMemory().open(accountOf(call), length === undefined ? undefined : Number(length))
  if (res.closed) share.close()
  else res.once('close', () => share.close())
  return share
}

interface Receiving {
  operation: Operation
  type: BodyType
  share: BodyShare
}

async function receiveBody(call: Call, { operation, type, share }: Receiving): Promise<Body> {
  const { req, res } = call
  const { BODY_STALL_MS, BODY_MIN_RATE } = getConfig()
  const reader = createReader(operation, type)
  if (req.headers.expect !== undefined) res.writeContinue()
  const { body, bytesIn } = await readBody(req, reader, {
    maxBytes: maxBodyBytesOf(operation),
    stallMs: BODY_STALL_MS,
    minRate: BODY_MIN_RATE,
    share,
  })
  call.bytesIn = bytesIn
  return body
}

function maxBodyBytesOf({ maxBodyBytes = Infinity }: Operation): number {
  return Math.min(maxBodyBytes, getConfig().MAX_BODY_BYTES)
}

/** Counts the output until the connection is done with it. */
function holdOutput(call: Call, { byteLength }: OutputFile): void {
  const release = getOutputMemory().take(accountOf(call), byteLength)
  if (call.res.closed) release()
  else call.res.once('close', release)
}

function createReader({ bodyRules, refusalCode }: Operation, type: BodyType): BodyReader {
  const { MAX_FILES, MAX_PARTS } = getConfig()
  const refuse = (message: string, param?: string) =>
    createRefusal(refusalCode, [{ message, ...(param === undefined ? {} : { param }) }])
  const limits = { maxFiles: MAX_FILES, maxParts: MAX_PARTS }
  return type.kind === 'json'
    ? createJsonReader(bodyRules, limits, refuse)
    : createMultipartReader(type.header, bodyRules, { ...limits, refuse })
}

/** Whether the request costs a credit. A trial of a visitor is free. */
function isPaid({ caller }: Call): boolean {
  return caller?.via !== 'trial'
}

async function chargeCall(call: Call, idempotency: { key: string; requestHash: string } | undefined): Promise<Charge> {
  if (call.signal.aborted) throw new ClientGone('The client hung up before it was charged')
  try {
    const charge = await getLedger().charge({
      callId: call.requestId,
      accountId: accountOf(call),
      receivedAtMs: call.receivedAtMs,
      unconfirmedKeyId: call.caller?.isUnconfirmed === true ? call.caller.key?.id : undefined,
      ...(idempotency ? { idempotency } : {}),
    })
    getLeases().hold(call.requestId)
    return charge
  } catch (error) {
    call.isChargeUnknown = isDatabaseUnavailable(error)
    throw error
  }
}

/** Does the work and records how long the work took, even if it fails. */
async function run(call: Call, prepared: PreparedCall): Promise<OutputFile> {
  const startedAtMs = performance.now()
  try {
    return await prepared.run({ accountId: accountOf(call), signal: call.signal })
  } finally {
    call.ran = { startedAtMs, ms: performance.now() - startedAtMs }
  }
}

/**
 * The charge is final when the last byte has been handed to the system. If the connection closes earlier, the charge is
 * refunded.
 */
function settleWhenDelivered(call: Call): void {
  const { res, requestId } = call
  const noteUndelivered = () => getFailedWork().note(accountOf(call), call.engineMs ?? 0)
  let isOver = false
  res.once('finish', () => {
    // A repetition with the same Idempotency-Key must find the call settled.
    if (!isOver && isPaid(call)) void getLeases().settle(requestId, call.hasIdempotencyKey)
    isOver = true
  })
  res.once('close', () => {
    // A broken response can still emit "finish" afterwards, when it is ended without a connection.
    if (!isOver) {
      if (isPaid(call))
        void getLeases()
          .refund(requestId)
          .catch(() => {}) // The lease expires and the sweep refunds the charge.
      noteUndelivered()
    }
    isOver = true
  })
}

/** Failures of the engines and of the browser that aren't caused by the input. */
const SERVER_REASONS: readonly EngineErrorReason[] = ['busy', 'internal']

/** Counts work without a result, if the request or its client is the cause. */
function noteFailedWork(call: Call, thrown: unknown, lane: Lane = 'engines'): void {
  if (!call.ran || !call.caller) return
  const isCause = isEngineError(thrown)
    ? !SERVER_REASONS.includes(thrown.reason)
    : isClientGone(thrown) || call.signal.aborted
  if (!isCause) return
  const engineMs = call.engineMs ?? (isEngineError(thrown) ? thrown.workMs : undefined) ?? 0
  getFailedWork().note(call.caller.accountId, lane === 'browser' ? call.ran.ms : engineMs)
}

/** A client that ignores 429 responses waits for the next one. */
async function delayRefusal({ caller, signal }: Call): Promise<void> {
  if (caller) await waitUnlessAborted(getRefusalPace().delayMs(caller.accountId), signal)
}

/** Refunds the charge and returns the balance for the response. Undefined if no account was authenticated. */
async function refundCall(call: Call, thrown: unknown): Promise<number | undefined> {
  const { caller, charge, isChargeUnknown, requestId } = call
  if (!caller || !isPaid(call)) return undefined
  if (!charge && isCallError(thrown) && typeof thrown.body.creditBalance === 'number') return thrown.body.creditBalance
  const balanceAfterRefund = charge ? charge.balance + charge.charged : caller.balance
  // The ledger doesn't know a call whose charge failed, and throws on its refund.
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

/** Adds up the engine's time, except for queueing and transfer of the job. */
function sumEngine(timings: Record<string, number>): number {
  return Object.entries(timings).reduce(
    (sum, [phase, ms]) => (phase === 'queue' || phase === 'send' ? sum : sum + ms),
    0,
  )
}

/**
 * A body that arrived together with its head is parsed a moment later. If the body is complete, the connection can be
 * kept alive.
 */
async function parseArrivedBytes({ complete }: IncomingMessage): Promise<void> {
  if (!complete) await setImmediate()
}

function accountOf({ caller }: Pick<Call, 'caller'>): string {
  if (!caller) throw new Error('A request without a caller passed the authentication')
  return caller.accountId
}
