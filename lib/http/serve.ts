import { setImmediate } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { EngineError } from '../../engines/errors'
import type { OutputFile } from '../../engines/types'
import type { Operation, PreparedRequest, RunContext } from '../operations/operation'
import type { Call, Caller, ReceivedRequest } from '../requests/request'
import { authorize } from '../accounts/key/authorize'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import { getConfig } from '../config'
import { RequestError, isRequestError } from '../errors'
import type { BodyReader, Body } from '../body/body'
import type { BodyShare } from './limits/body-memory'
import { openRequest } from './connection/running-request'
import { createRefusal, writeByteLimit } from '../refusal'
import { isClientGone } from './connection/client-gone'
import { getDraining, getFailedWork, getRefusalPace, getRequestQueue } from './limits/process-limits'
import { getExchange } from '../http-exchange'
import { siteOrigin } from '../site-origin'
import { createJsonReader } from '../body/json-body'
import { createMultipartReader } from '../body/multipart-body'
import {
  assertBalance,
  chargeRequest,
  holdOutput,
  noteFailedWork,
  openBodyShare,
  refundRequest,
  settleAtEnd,
} from './accounting'
import { noteAtEnd } from './note-request'
import { describeFailure } from './response/describe-failure'
import { requesterOf } from './limits/requester'
import { waitUnlessAborted } from './limits/refusal-rate'
import { openHttpRequest } from './request/http-request'
import {
  assertAnnouncedLength,
  type BodyType,
  readBodyType,
  readHandling,
  readIdempotencyKey,
  readQueryNames,
} from './request/request-head'
import { hashRequest } from './request/request-hash'
import { endWith, respondToNobody, respondWithError, respondWithFile } from './response/respond'

/**
 * Authenticates the caller from the request head alone. Throws RequestError if that fails. Only returns an unconfirmed
 * caller if `mayBeUnconfirmed`.
 */
export type Identify = (received: ReceivedRequest, mayBeUnconfirmed: boolean) => Promise<Caller>

/** Serves the request of the running exchange. If `target` is a RequestError, the response is that error. */
export async function serve(target: Operation | RequestError, identify: Identify = identifyByKey): Promise<Response> {
  return endWith(await serveRequest(openHttpRequest(getExchange()), target, identify))
}

/**
 * Serves one request from start to end. Everything that can be refused without work comes before the charge, and any
 * later failure is refunded. Charge, memory and log depend on the end of `request.response` alone. Returns the status.
 */
export async function serveRequest(
  received: ReceivedRequest,
  target: Operation | RequestError,
  identify: Identify = identifyByKey,
): Promise<number> {
  const call = openRequest(received, isRequestError(target) ? undefined : target.id)
  const result = await findResult(call, target, identify)
  noteAtEnd(call)
  try {
    if ('output' in result) return await respondWithFile(call, result.output)
    if (isClientGone(result.thrown) || call.signal.aborted) return respondToNobody(call)
    return await respondWithError(call, result)
  } catch (error) {
    call.response.giveUp()
    throw error
  }
}

type Result = { output: OutputFile } | { thrown: unknown; error: RequestError; balance: number | undefined }

/** Does all work before the response. A failed call is refunded here, and a successful one at the end of its response. */
async function findResult(call: Call, target: Operation | RequestError, identify: Identify): Promise<Result> {
  try {
    const operation = assertServable(call, target)
    call.caller = await call.measure('auth', () => identify(call, true))
    // The browser sends a session, or nothing, instead of a key.
    if (call.caller.via !== 'api') call.warnings.delete('browser-origin')
    const output = await process(call, operation)
    settleAtEnd(call)
    return { output }
  } catch (cause) {
    const thrown = await confirmCaller(call, cause, identify)
    const balance = await refundRequest(call, thrown)
    noteFailedWork(call, thrown, isRequestError(target) ? undefined : target.lane)
    if (isRequestError(thrown) && thrown.code === 'rate_limited') await delayRefusal(call)
    return { thrown, error: describeFailure(thrown, isRequestError(target) ? undefined : target), balance }
  }
}

/**
 * Runs all steps between authentication and response. The memory of the body is released when the output exists. The
 * memory of the output is counted until the response ends.
 */
async function process(call: Call, operation: Operation): Promise<OutputFile> {
  const requester = requesterOf(call)
  const idempotencyKey = readIdempotencyKey(call.headers, operation.refusalCode)
  call.hasIdempotencyKey = idempotencyKey !== undefined
  if (call.caller) await assertBalance(call.caller, idempotencyKey)
  const type = readBodyType(call.headers)
  const hints = { handling: readHandling(call.headers), query: readQueryNames(call.url) }
  if (hints.handling !== 'default') call.preference = `handling=${hints.handling}`
  assertAnnouncedLength(call.headers, maxBodyBytesOf(operation))
  getFailedWork().admit(requester)
  getRequestQueue().assertAllowed(requester)
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
    release = await call.measure('wait', () => getRequestQueue().acquire(requester, call.signal, operation.lane))
    // Requests that began earlier may have failed while this one waited.
    getFailedWork().admit(requester)
    const context = { accountId: requester.accountId, signal: call.signal }
    await prepared.inspect?.(context)
    const charge = await call.measure('charge', () => chargeRequest(call, idempotency))
    if (charge) call.charge = charge
    const output = await run(call, prepared, context)
    Object.assign(call.timings, output.timings)
    call.engineMs = sumEngine(output.timings)
    holdOutput(call, output)
    assertFits(call, output.content.byteLength)
    call.signal.throwIfAborted()
    return output
  } finally {
    share.close()
    release?.()
  }
}

function identifyByKey({ headers, client }: ReceivedRequest, mayBeUnconfirmed: boolean): Promise<Caller> {
  const key = headers['x-api-key']
  return authorize(typeof key === 'string' ? key : undefined, { client: () => client, mayBeUnconfirmed })
}

/**
 * Authenticates an unconfirmed caller again if the request ends without a charge, because only the owner of a key may
 * learn more than that the key has ended. Returns the error to respond with.
 */
async function confirmCaller(call: Call, thrown: unknown, identify: Identify): Promise<unknown> {
  if (call.caller?.isUnconfirmed !== true || call.charge !== undefined || isDatabaseUnavailable(thrown)) return thrown
  try {
    call.caller = await identify(call, false)
    return thrown
  } catch (refusal) {
    delete call.caller
    return refusal
  }
}

/** Checks path, method, and whether this server still accepts requests. */
function assertServable(call: Call, operation: Operation | RequestError): Operation {
  if (isRequestError(operation)) throw operation
  if (call.method !== 'POST') {
    throw new RequestError('method_not_allowed', describeUse(call, operation), { headers: { Allow: 'POST' } })
  }
  if (getDraining().refusesRequests)
    throw new RequestError('service_unavailable', 'This server is shutting down. Retry after 5 seconds.', {
      headers: { 'Retry-After': '5' },
    })
  return operation
}

/** Explains how to send a request to an endpoint. */
function describeUse({ method, headers }: Call, { id }: Operation): string {
  const page = id.replace('pdf-tools/', '').split('/', 1)[0]
  return (
    `The method must be POST. Got ${method}. Send your API key in the x-api-key header and the input as JSON or ` +
    `multipart/form-data. See ${siteOrigin(headers.host, getConfig())}/docs/${page}`
  )
}

interface Receiving {
  operation: Operation
  type: BodyType
  share: BodyShare
}

async function receiveBody(call: Call, { operation, type, share }: Receiving): Promise<Body> {
  const reader = createReader(operation, type)
  const { body, bytesIn } = await call.receive(reader, { maxBytes: maxBodyBytesOf(operation), share })
  call.bytesIn = bytesIn
  // A large body takes time to parse and to validate, so other requests run in between.
  if (bytesIn > SMALL_BODY_BYTES) await setImmediate()
  return body
}

const SMALL_BODY_BYTES = 64 * 1024

function maxBodyBytesOf({ maxBodyBytes = Infinity }: Operation): number {
  return Math.min(maxBodyBytes, getConfig().MAX_BODY_BYTES)
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

/** Does the work and records how long the work took, even if it fails. */
async function run(call: Call, prepared: PreparedRequest, context: RunContext): Promise<OutputFile> {
  const startedAtMs = performance.now()
  try {
    return await prepared.run(context)
  } finally {
    call.ran = { startedAtMs, ms: performance.now() - startedAtMs }
  }
}

/** Throws EngineError `too-large` if the response has no room for the output. */
function assertFits({ response: { limit } }: Call, byteLength: number): void {
  if (limit === undefined || byteLength <= limit.bytes) return
  const sentence = `The result must be at most ${writeByteLimit(limit.bytes)}. Got ${byteLength} bytes.`
  throw new EngineError('too-large', `${sentence} ${limit.hint}`)
}

/** A client that ignores 429 responses waits for the next one. */
async function delayRefusal({ caller, signal }: Call): Promise<void> {
  if (caller) await waitUnlessAborted(getRefusalPace().delayMs(caller.accountId), signal)
}

/** Adds up the engine's time, except for queueing and transfer of the job. */
function sumEngine(timings: Record<string, number>): number {
  return Object.entries(timings).reduce(
    (sum, [phase, ms]) => (phase === 'queue' || phase === 'send' ? sum : sum + ms),
    0,
  )
}
