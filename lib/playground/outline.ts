import * as z from 'zod'
import { isEngineError } from '../../engines/errors'
import { collectContent } from '../../engines/output-content'
import { findTool } from '../../engines/pdf-tools/registry'
import { OUTLINE_JOB, type OutlineRequest } from '../../engines/types'
import { AccountRefusal, notSignedIn } from '../accounts/account/account-refusal'
import { assertSameOrigin, respondWithError } from '../accounts/route/account-route'
import { readBodyBytes } from '../accounts/route/read-form'
import { currentAccount } from '../accounts/session/session'
import { getConfig } from '../config'
import { describeIssues } from '../operations/problems'
import { singleton } from '../registry'
import { getEngines } from '../running-engines'

/** Larger requests have images that the outline isn't worth. */
const MOST_BYTES = 2 * 1024 * 1024
/** An outline that takes longer comes too late. */
const LIMIT_MS = 5000
/** Maximum number of outlines at the same time, because they cost nothing. */
const MOST_AT_ONCE = 2

const property = z.string().max(1000)

const requestSchema = z.object({
  tool: z.enum(['add-watermark', 'page-numbers', 'header-footer']),
  options: z.record(z.string(), z.unknown()),
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
    const parsed = requestSchema.safeParse(parse((await readBodyBytes(request, MOST_BYTES)).toString('utf8')))
    if (!parsed.success) throw new AccountRefusal(400, 'invalid_payload', 'The request for an outline isn’t valid.')
    return await respond(account.id, parsed.data, request.signal)
  } catch (error) {
    return respondWithError(error)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function respond(accountId: string, request: OutlineRequest, signal: AbortSignal): Promise<Response> {
  const schema = findTool(request.tool)?.options
  const checked = schema?.safeParse(request.options)
  if (schema && checked && !checked.success) {
    const [first] = describeIssues(checked.error.issues, { schema, input: request.options, name: 'options' })
    return reply({ problem: `${first?.param ?? 'options'} ${first?.message ?? 'must be valid.'}` })
  }
  const running = getRunning()
  if (running.has(accountId) || running.size >= MOST_AT_ONCE) throw busy()
  running.add(accountId)
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
    if (error.reason === 'bad-options') return reply({ problem: error.message })
    // Another attempt would take as long.
    if (error.reason !== 'busy') return reply({ problem: 'This outline takes too long. Run draws the final result.' })
    throw busy()
  } finally {
    running.delete(accountId)
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
