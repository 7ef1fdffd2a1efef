import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { type EngineErrorReason, isEngineError } from '../../engines/errors'
import type { OutputFile } from '../../engines/types'
import type { Lane, Operation, PreparedCall } from '../operations/operation'
import type { Call, Caller } from '../calls/call'
import { authorize } from '../accounts/key/authorize'
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
} from './limits/instances'
import { getExchange } from '../exchange'
import { createJsonReader } from '../body/json-body'
import { createMultipartReader } from '../body/multipart-body'
import { noteCall } from './note-call'
import { describeFailure } from './response/describe-failure'
import { readBody } from './request/read-body'
import { waitUnlessAborted } from './limits/refusal-pace'
import { assertAnnouncedLength, type BodyType, readBodyType, readIdempotencyKey } from './request/request-head'
import { hashRequest } from './request/request-hash'
import { respondToNobody, respondWithError, respondWithFile } from './response/respond'

/** Finds out who is calling, from the head of the request alone. Throws CallError when nobody is. */
export type Identify = (req: IncomingMessage) => Promise<Caller>

/**
 * Answers one call from beginning to end: every step in its order, the charge after everything that can be refused
 * without work, and a refund for whatever fails later. A CallError instead of an operation is what the path is refused
 * with.
 */
export async function serve(found: Operation | CallError, identify: Identify = identifyByKey): Promise<Response> {
  const call = openCall(getExchange(), isCallError(found) ? undefined : found.id, noteCall)
  try {
    const operation = assertCallable(call, found)
    call.caller = await call.measure('auth', () => identify(call.req))
    if (call.caller.via === 'playground') call.warnings.delete('browser-origin') // there is no key in the browser
    const output = await process(call, operation)
    settleWhenDelivered(call)
    return await respondWithFile(call, output)
  } catch (thrown) {
    const balance = await undo(call, thrown)
    noteFailedWork(call, thrown, isCallError(found) ? undefined : found.lane)
    await parseWhatArrived(call.req)
    if (isCallError(thrown) && thrown.code === 'rate_limited') await holdBack(call)
    if (isClientGone(thrown) || call.signal.aborted) return respondToNobody(call)
    return await respondWithError(call, describeFailure(thrown, isCallError(found) ? undefined : found), balance)
  }
}

/**
 * Everything between the caller's name and the response. The memory of the body is let go of when the output is there,
 * whose memory is counted until it was read.
 */
async function process(call: Call, operation: Operation): Promise<OutputFile> {
  const accountId = accountOf(call)
  const idempotencyKey = readIdempotencyKey(call.req.headers, operation.refusalCode)
  if (call.caller) await assertBalance(call.caller, idempotencyKey)
  const type = readBodyType(call.req.headers)
  assertAnnouncedLength(call.req.headers, getConfig().MAX_BODY_BYTES)
  getFailedWork().admit(accountId)
  getRequestQueue().assertAllowed(accountId)
  const share = openBodyShare(call)
  let release: (() => void) | undefined
  try {
    const body = await call.measure('body', () => receiveBody(call, { operation, type, share }))
    const prepared = await call.measure('parse', () => operation.parse(body))
    for (const warning of prepared.warnings) call.warnings.add(warning)
    call.unknownFields = prepared.unknownFields ?? []
    const idempotency =
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, requestHash: await hashRequest(operation.id, body) }
    release = await call.measure('wait', () => getRequestQueue().acquire(accountId, call.signal, operation.lane))
    await prepared.inspect?.()
    call.charge = await call.measure('charge', () => chargeCall(call, idempotency))
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

function identifyByKey(req: IncomingMessage): Promise<Caller> {
  const key = req.headers['x-api-key']
  return authorize(typeof key === 'string' ? key : undefined, { client: () => describeClient(req) })
}

/** Path, method, and whether this server still takes calls. */
function assertCallable(call: Call, operation: Operation | CallError): Operation {
  if (isCallError(operation)) throw operation
  if (call.method !== 'POST') {
    throw new CallError('method_not_allowed', `Send this call with POST, not ${call.method}`, {
      headers: { Allow: 'POST' },
    })
  }
  if (getDraining().refusesCalls)
    throw new CallError('service_unavailable', 'This server is shutting down; try again in a few seconds', {
      headers: { 'Retry-After': '5' },
    })
  return operation
}

/** A call that repeats one that was paid for needs no balance. */
async function assertBalance({ accountId, balance }: Caller, idempotencyKey: string | undefined): Promise<void> {
  if (balance === undefined || balance >= 1) return // where it is not known, the charge finds out
  if (idempotencyKey !== undefined && (await getLedger().hasReplay(accountId, idempotencyKey))) return
  throw insufficientCredits(balance)
}

/** The memory of the body; it is let go of when the connection closes, too. */
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
  const { MAX_BODY_BYTES, BODY_STALL_MS, BODY_MIN_RATE } = getConfig()
  const reader = createReader(operation, type)
  if (req.headers.expect !== undefined) res.writeContinue()
  const { body, bytesIn } = await readBody(req, reader, {
    maxBytes: MAX_BODY_BYTES,
    stallMs: BODY_STALL_MS,
    minRate: BODY_MIN_RATE,
    share,
  })
  call.bytesIn = bytesIn
  return body
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

async function chargeCall(call: Call, idempotency: { key: string; requestHash: string } | undefined): Promise<Charge> {
  if (call.signal.aborted) throw new ClientGone('The client hung up before it was charged')
  try {
    const charge = await getLedger().charge({
      callId: call.requestId,
      accountId: accountOf(call),
      receivedAtMs: call.receivedAtMs,
      ...(idempotency ? { idempotency } : {}),
    })
    getLeases().hold(call.requestId)
    return charge
  } catch (error) {
    call.isChargeUnknown = isDatabaseUnavailable(error)
    throw error
  }
}

/** Does the work; how long it took is noted of work that fails, too. */
async function run(call: Call, prepared: PreparedCall): Promise<OutputFile> {
  const startedAtMs = performance.now()
  try {
    return await prepared.run({ accountId: accountOf(call), signal: call.signal })
  } finally {
    call.ran = { startedAtMs, ms: performance.now() - startedAtMs }
  }
}

/**
 * The charge is final when the last byte has been handed to the system, and undone when the connection closes before.
 */
function settleWhenDelivered(call: Call): void {
  const { res, requestId } = call
  const noteUndelivered = () => getFailedWork().note(accountOf(call), call.engineMs ?? 0)
  let isOver = false
  res.once('finish', () => {
    if (!isOver) void getLeases().settle(requestId)
    isOver = true
  })
  res.once('close', () => {
    // An answer that broke off may still be "finished" afterwards, by being ended into nowhere.
    if (!isOver) {
      void getLeases()
        .refund(requestId)
        .catch(() => {}) // its lease runs out and the sweep refunds it
      noteUndelivered()
    }
    isOver = true
  })
}

/** Failures of the engines and of the browser that the input doesn't cause. */
const OWN_REASONS: readonly EngineErrorReason[] = ['busy', 'internal']

/** Counts work that was done for nothing, if the request or its client is the cause. */
function noteFailedWork(call: Call, thrown: unknown, lane: Lane = 'engines'): void {
  if (!call.ran || !call.caller) return
  const isCause = isEngineError(thrown)
    ? !OWN_REASONS.includes(thrown.reason)
    : isClientGone(thrown) || call.signal.aborted
  if (!isCause) return
  const engineMs = call.engineMs ?? (isEngineError(thrown) ? thrown.workMs : undefined) ?? 0
  getFailedWork().note(call.caller.accountId, lane === 'browser' ? call.ran.ms : engineMs)
}

/** A client that ignores 429 waits for the next one. */
async function holdBack({ caller, signal }: Call): Promise<void> {
  if (caller) await waitUnlessAborted(getRefusalPace().delayMs(caller.accountId), signal)
}

/** Gives back what was charged, and gives the balance for the answer; undefined when nobody was authenticated. */
async function undo(call: Call, thrown: unknown): Promise<number | undefined> {
  const { caller, charge, isChargeUnknown, requestId } = call
  if (!caller) return undefined
  if (!charge && isCallError(thrown) && typeof thrown.body.creditBalance === 'number') return thrown.body.creditBalance
  const known = charge ? charge.balance + charge.charged : caller.balance
  // A call that was not charged after all is unknown to the ledger, which refuses to refund it.
  const balance =
    charge || isChargeUnknown
      ? getLeases().refund(requestId)
      : getLedger()
          .balance(caller.accountId)
          .then(current => ({ balance: current }))
  // Where the database is away, a hold is refunded when its lease has run out; until then this is what it will be.
  const foreseen = balance.catch(() => ({ balance: known }))
  // A database that has just kept us waiting would do so again, and the client has waited long enough.
  return isDatabaseUnavailable(thrown) && known !== undefined ? known : (await foreseen).balance
}

/** Without the time that the job waited and was sent. */
function sumEngine(timings: Record<string, number>): number {
  return Object.entries(timings).reduce(
    (sum, [phase, ms]) => (phase === 'queue' || phase === 'send' ? sum : sum + ms),
    0,
  )
}

/** A body that came together with its head is parsed a moment later; once it is there, the connection can be kept. */
async function parseWhatArrived({ complete }: IncomingMessage): Promise<void> {
  if (!complete) await setImmediate()
}

function accountOf({ caller }: Pick<Call, 'caller'>): string {
  if (!caller) throw new Error('A call without a caller got past its authentication')
  return caller.accountId
}
