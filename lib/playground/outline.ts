import * as z from 'zod'
import { isEngineError, isErrorOfOptions } from '../../engines/errors'
import { collectContent } from '../../engines/output-content'
import { findTool } from '../../engines/tools/registry'
import { OUTLINE_JOB, type OutlineRequest } from '../../engines/types'
import { AccountRefusal, notSignedIn } from '../accounts/account/account-refusal'
import { assertSameOrigin, respondWithError } from '../accounts/route/account-route'
import { readBodyBytes } from '../accounts/route/read-form'
import { currentAccount } from '../accounts/session/session'
import { parseJsonField } from '../body/json-body'
import { getConfig } from '../config'
import { RequestError } from '../errors'
import { validate } from '../operations/validate'
import { singleton } from '../registry'
import { getEngines } from '../running-engines'

/** Larger requests have images that the outline isn't worth. */
const MOST_BYTES = 2 * 1024 * 1024
/** Maximum size of the JSON without images. */
const MOST_STRUCTURE_BYTES = 256 * 1024
/** An outline that takes longer comes too late. */
const LIMIT_MS = 5000
/** Maximum number of outlines at the same time, because they cost nothing. */
const MOST_AT_ONCE = 2

const property = z.string().max(1000)

const requestSchema = z.object({
  tool: z.enum(['add-watermark', 'page-numbers', 'header-footer']),
  // The schema of the tool checks the members.
  options: z.custom<Record<string, unknown>>(value => typeof value === 'object' && value !== null),
  pages: z
    .array(z.tuple([z.number().min(1).max(1_000_000), z.number().min(1).max(1_000_000)]))
    .min(1)
    .max(2000),
  pageIndex: z.number().int().min(0),
  fileName: z.string().max(255),
  metadata: z.object({ title: property, author: property, subject: property }),
})

/** The accounts whose outline is being computed. */
const getRunning = () => singleton('running-outlines', () => new Set<string>())

/**
 * Returns where a tool would draw on a page, so that the playground shows it before a run. The request has the sizes of
 * the pages and the properties that placeholders name, not the document, and costs nothing. Each account can have one outline at a time. Refuses pages of other
 * sites (403) and visitors without a session (401). Options that the tool refuses are a `problem`, not an error.
 */
export async function respondWithOutline(request: Request): Promise<Response> {
  try {
    assertSameOrigin(name => request.headers.get(name))
    const account = await currentAccount()
    if (account === null) throw notSignedIn()
    const { id } = account
    const body = await readBodyBytes(request, MOST_BYTES)
    return await limited(id, async () => {
      const { data } = await validate(requestSchema, await parse(body), { name: 'request' })
      if (!data) throw invalid()
      return respond(id, data, request.signal)
    })
  } catch (error) {
    return respondWithError(error)
  }
}

/** Runs the work of a request. Refuses it if the account has another one, or if too many run. */
async function limited(accountId: string, work: () => Promise<Response>): Promise<Response> {
  const running = getRunning()
  if (running.has(accountId) || running.size >= MOST_AT_ONCE) throw busy()
  running.add(accountId)
  try {
    return await work()
  } finally {
    running.delete(accountId)
  }
}

/** Parses the body within the limits of any JSON. The files in it don't count. */
function parse(body: Buffer): Promise<unknown> {
  const limits = { maxStructureBytes: MOST_STRUCTURE_BYTES, refuse: invalid }
  return parseJsonField(body.toString('utf8'), { param: 'request', ...limits })
}

function invalid(): RequestError {
  return new RequestError('invalid_payload', 'The request for an outline isn’t valid.')
}

async function respond(accountId: string, request: OutlineRequest, signal: AbortSignal): Promise<Response> {
  const schema = findTool(request.tool)?.options
  const { problems } = schema ? await validate(schema, request.options, { name: 'options' }) : {}
  if (problems) {
    const [first] = problems
    return reply({ problem: `${first?.param ?? 'options'} ${first?.message ?? 'must be valid.'}` })
  }
  try {
    const job = { tool: OUTLINE_JOB, options: request, files: [], limits: getConfig().limits }
    const { content } = await getEngines().run(job, {
      signal,
      owner: accountId,
      openTimeoutMs: LIMIT_MS,
      toolTimeoutMs: LIMIT_MS,
    })
    return reply({ places: JSON.parse((await collectContent(content)).toString('utf8')) as unknown })
  } catch (error) {
    if (!isEngineError(error)) throw error
    if (isErrorOfOptions(error)) return reply({ problem: error.message })
    // Another attempt would take as long.
    if (error.reason !== 'busy') return reply({ problem: 'This outline takes too long. Run draws the final result.' })
    throw busy()
  }
}

function reply(body: Record<string, unknown>): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

function busy(): AccountRefusal {
  return new AccountRefusal(503, 'service_unavailable', 'The server is busy. Try again in 2 seconds.', {
    'retry-after': '2',
  })
}
