import { setImmediate } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { EngineError } from '../../engines/errors'
import type { OutputFile } from '../../engines/types'
import type { Operation, PreparedRequest, RunContext } from '../operations/operation'
import type { RunningRequest, Caller, ReceivedRequest } from '../requests/request'
import { authorize } from '../accounts/key/authorize'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import { getConfig } from '../config'
import { RequestError, isRequestError } from '../errors'
import type { BodyReader, Body } from '../body/body'
import type { BodyShare } from './limits/body-memory'
import { openRequest } from './connection/running-request'
import { checkFileUrl, fetchFiles, listRemoteFiles } from './fetch-files'
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
  isPaid,
  recordFailedWork,
  openBodyShare,
  refundRequest,
  settleAtEnd,
} from './accounting'
import { recordAtEnd } from './record-request'
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
  const request = openRequest(received, isRequestError(target) ? undefined : target.id)
  const result = await findResult(request, target, identify)
  recordAtEnd(request)
  try {
    if ('output' in result) return await respondWithFile(request, result.output)
    if (isClientGone(result.thrown) || request.signal.aborted) return respondToNobody(request)
    return await respondWithError(request, result)
  } catch (error) {
    request.response.giveUp()
    throw error
  }
}

type Result = { output: OutputFile } | { thrown: unknown; error: RequestError; balance: number | undefined }

/**
 * Does all work before the response. A failed request is refunded here, and a successful one at the end of its
 * response.
 */
async function findResult(
  request: RunningRequest,
  target: Operation | RequestError,
  identify: Identify,
): Promise<Result> {
  try {
    const operation = assertServable(request, target)
    request.caller = await request.measure('auth', () => identify(request, true))
    // The browser sends a session, or nothing, instead of a key.
    if (request.caller.via !== 'api') request.warnings.delete('browser-origin')
    const output = await process(request, operation)
    settleAtEnd(request)
    return { output }
  } catch (cause) {
    const thrown = await confirmCaller(request, cause, identify)
    const balance = await refundRequest(request, thrown)
    recordFailedWork(request, thrown)
    if (isRequestError(thrown) && thrown.code === 'rate_limited') await delayRefusal(request)
    const error = describeFailure(thrown, isRequestError(target) ? undefined : target, isPaid(request))
    return { thrown, error, balance }
  }
}

/**
 * Runs all steps between authentication and response. The memory of the body is released when the output exists. The
 * memory of the output is counted until the response ends.
 */
async function process(request: RunningRequest, operation: Operation): Promise<OutputFile> {
  const requester = requesterOf(request)
  const idempotencyKey = readIdempotencyKey(request.headers, operation.refusalCode)
  request.hasIdempotencyKey = idempotencyKey !== undefined
  if (request.caller) await assertBalance(request.caller, idempotencyKey)
  const type = readBodyType(request.headers)
  const hints = { handling: readHandling(request.headers), query: readQueryNames(request.url) }
  if (hints.handling !== 'default') request.preference = `handling=${hints.handling}`
  const maxBytes = maxBodyBytesOf(operation)
  assertAnnouncedLength(request.headers, maxBytes)
  getFailedWork().admit(requester)
  getRequestQueue().assertAllowed(requester)
  const share = openBodyShare(request)
  let release: (() => void) | undefined
  try {
    const body = await request.measure('body', () => receiveBody(request, { operation, type, share }))
    let prepared = await request.measure('parse', () => operation.parse(body, hints))
    for (const warning of prepared.warnings) request.warnings.add(warning)
    request.unknownFields = prepared.unknownFields ?? []
    if (prepared.steps) request.steps = prepared.steps
    const idempotency =
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, requestHash: await hashRequest(operation.id, body, requireAuthSecret(getConfig())) }
    const remoteFiles = listRemoteFiles(body.files)
    if (remoteFiles.length > 0) {
      const { refusalCode } = operation
      await request.measure('fetch', () => fetchFiles(request, remoteFiles, { share, maxBytes, refusalCode }))
      // The files are known only now. Everything else was checked before, so that a wrong request fetches nothing.
      prepared = await operation.parse(body, hints)
    }
    request.lane = prepared.lane ?? operation.lane
    release = await request.measure('wait', () => getRequestQueue().acquire(requester, request.signal, request.lane))
    // Requests that began earlier may have failed while this one waited.
    getFailedWork().admit(requester)
    const { accountId } = requester
    const context = { accountId, signal: request.signal, take: (bytes: number) => share.take(bytes) }
    await prepared.inspect?.(context)
    const charge = await request.measure('charge', () => chargeRequest(request, idempotency))
    if (charge) request.charge = charge
    const output = await run(request, prepared, context)
    Object.assign(request.timings, output.timings)
    request.engineMs = sumEngine(output.timings)
    holdOutput(request, output)
    assertFits(request, output.content.byteLength)
    request.signal.throwIfAborted()
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
async function confirmCaller(request: RunningRequest, thrown: unknown, identify: Identify): Promise<unknown> {
  if (request.caller?.isUnconfirmed !== true || request.charge !== undefined || isDatabaseUnavailable(thrown))
    return thrown
  try {
    request.caller = await identify(request, false)
    return thrown
  } catch (refusal) {
    delete request.caller
    return refusal
  }
}

/** Checks path, method, and whether this server still accepts requests. */
function assertServable(request: RunningRequest, operation: Operation | RequestError): Operation {
  if (isRequestError(operation)) throw operation
  if (request.method !== 'POST') {
    throw new RequestError('method_not_allowed', describeUse(request, operation), { headers: { Allow: 'POST' } })
  }
  if (getDraining().refusesRequests)
    throw new RequestError('service_unavailable', 'This server is shutting down. Retry after 5 seconds.', {
      headers: { 'Retry-After': '5' },
    })
  return operation
}

/** Explains how to send a request to an endpoint. */
function describeUse({ method, headers }: RunningRequest, { id }: Operation): string {
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

async function receiveBody(request: RunningRequest, { operation, type, share }: Receiving): Promise<Body> {
  const reader = createReader(operation, type)
  const { body, bytesIn } = await request.receive(reader, { maxBytes: maxBodyBytesOf(operation), share })
  request.bytesIn = bytesIn
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
    createRefusal(refusalCode, [{ message, ...(param === undefined ? {} : { param }) }], { reason: 'body_invalid' })
  const limits = { maxFiles: MAX_FILES, maxParts: MAX_PARTS, findUrlProblem: checkFileUrl }
  return type.kind === 'json'
    ? createJsonReader(bodyRules, limits, refuse)
    : createMultipartReader(type.header, bodyRules, { ...limits, refuse })
}

/** Does the work and records how long the work took, even if it fails. */
async function run(request: RunningRequest, prepared: PreparedRequest, context: RunContext): Promise<OutputFile> {
  const startedAtMs = performance.now()
  try {
    return await prepared.run(context)
  } finally {
    request.ran = { startedAtMs, ms: performance.now() - startedAtMs }
  }
}

/** Throws EngineError `too_large` if the response has no room for the output. */
function assertFits({ response: { limit } }: RunningRequest, byteLength: number): void {
  if (limit === undefined || byteLength <= limit.bytes) return
  const sentence = `The result must be at most ${writeByteLimit(limit.bytes)}. Got ${byteLength} bytes.`
  throw new EngineError('too_large', `${sentence} ${limit.hint}`)
}

/** A client that ignores 429 responses waits for the next one. */
async function delayRefusal({ caller, signal }: RunningRequest): Promise<void> {
  if (caller) await waitUnlessAborted(getRefusalPace().delayMs(caller.accountId), signal)
}

/** Adds up the engine's time, except for queueing and transfer of the job. */
function sumEngine(timings: Record<string, number>): number {
  return Object.entries(timings).reduce(
    (sum, [phase, ms]) => (phase === 'queue' || phase === 'send' ? sum : sum + ms),
    0,
  )
}
