import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import packageJson from '../../package.json' with { type: 'json' }
import { authorize } from '../accounts/key/authorize'
import { describeClient } from '../calls/call-client'
import { describeMcpTool, type McpTool } from '../clients/mcp-tools'
import { type ClientOperation, listClientOperations } from '../clients/operations'
import { getConfig } from '../config'
import { listDocumentedCalls } from '../docs/documented-calls'
import { isCallError } from '../errors'
import { type Exchange, getExchange } from '../http-exchange'
import type { BodyShare } from '../http/limits/body-memory'
import { getBodyMemory } from '../http/limits/process-limits'
import { callInside, type InnerResponse, ResponseTooLarge } from '../http/inner-call'
import type { Operation } from '../operations/operation'
import { singleton } from '../registry'
import { isSameOrigin, siteOrigin } from '../site-origin'

/** Maximum size of the files in a request, and of the file in a response, before base64. */
const MAX_INLINE_BYTES = 2 ** 20

const MAX_REQUEST_BYTES = 2 * 2 ** 20
/** Larger messages need a key, so that strangers can't fill the memory. */
const OPEN_BYTES = 64 * 1024
const LIMIT_NOTE = 'Inline files: up to 1 MB.'
const LOCAL_HINT = 'For larger files, run `sheaf mcp` on the machine that has them (package @sheaf/cli).'

const INSTRUCTIONS =
  `Tools of the Sheaf document API. ${LIMIT_NOTE} ${LOCAL_HINT} Each result costs one credit, and errors cost ` +
  'nothing. Nothing is kept after the response.'

interface Tool extends McpTool {
  client: ClientOperation
  served: Operation
}

/**
 * Serves one message of an agent (Model Context Protocol, Streamable HTTP, without sessions). The key is in the header
 * `x-api-key`. The use of a tool is a request to its endpoint, with the same limits, price and log.
 */
export async function serveMcp(request: Request): Promise<Response> {
  const exchange = getExchange()
  if (request.method !== 'POST')
    return refuse(405, 'Send messages with POST. This server has no sessions.', { Allow: 'POST' })
  if (!isFromHere(exchange)) return refuse(403, 'Pages of other sites may not call this server.')
  let share: BodyShare | undefined
  try {
    share = await openShare(exchange)
    const text = await readLimited(request, { maxBytes: MAX_REQUEST_BYTES, share })
    if (text === undefined) return refuse(413, `The message is too large. ${LIMIT_NOTE} ${LOCAL_HINT}`)
    return await handle(request, { text, exchange })
  } catch (error) {
    if (!isCallError(error)) throw error
    return refuse(error.status, error.message, error.headers)
  } finally {
    share?.close()
  }
}

/** Opens a share of the memory for bodies. Throws CallError if a larger message has no valid key. */
async function openShare({ req }: Exchange): Promise<BodyShare | undefined> {
  const announced = req.headers['content-length']
  const length = announced === undefined ? undefined : Number(announced)
  if (length !== undefined && length <= OPEN_BYTES) return undefined
  const key = req.headers['x-api-key']
  const { accountId } = await authorize(typeof key === 'string' ? key : undefined, {
    client: () => describeClient(req),
  })
  return getBodyMemory().open(accountId, length)
}

async function handle(request: Request, { text, exchange }: { text: string; exchange: Exchange }): Promise<Response> {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return refuse(400, 'The message is not valid JSON.', {}, ErrorCode.ParseError)
  }
  const server = createServer(exchange)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: message })
  response.headers.set('cache-control', 'no-store')
  return response
}

/** Browsers send `Origin`, so that a page of another site can't use this server (MCP, Transports, Security). */
function isFromHere({ req }: Exchange): boolean {
  const { origin, host } = req.headers
  return origin === undefined || isSameOrigin({ origin, host }, getConfig())
}

function createServer(exchange: Exchange): Server {
  const server = new Server(
    { name: 'sheaf', version: packageJson.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  const tools = getTools()
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}.`)
    try {
      const body = Buffer.from(JSON.stringify(writeBody(tool.client, params.arguments ?? {})))
      return describeResponse(await callTool(exchange, tool, body), tool, exchange)
    } catch (error) {
      if (!(error instanceof ResponseTooLarge)) throw error
      return fail(`The result is larger than 1 MB, so it can't be inline. You were not charged. ${LOCAL_HINT}`)
    }
  })
  return server
}

function getTools(): Tool[] {
  return singleton('mcp-tools', () => {
    const calls = new Map(listDocumentedCalls().map(({ slug, operation }) => [slug, operation]))
    return listClientOperations().flatMap(client => {
      const served = calls.get(client.id)
      const tool = describeMcpTool(client, 'inline')
      return served ? [{ ...tool, description: `${tool.description} ${LIMIT_NOTE}`, client, served }] : []
    })
  })
}

function callTool(exchange: Exchange, { served }: Tool, body: Buffer): Promise<InnerResponse> {
  return callInside(exchange, {
    operation: served,
    // A message may contain several requests, so a key of the message identifies none of them.
    headers: {
      'content-type': 'application/json',
      prefer: 'handling=strict',
      accept: '*/*',
      'idempotency-key': undefined,
    },
    body,
    maxBytes: MAX_INLINE_BYTES,
  })
}

/** The arguments of a tool as the body of its endpoint. */
function writeBody(
  { hasOptionsField }: ClientOperation,
  { file, files, options = {} }: Record<string, unknown>,
): unknown {
  const input = { ...(file !== undefined && { file }), ...(files !== undefined && { files }) }
  return hasOptionsField ? { ...input, options } : { ...(options as object), ...input }
}

function describeResponse({ status, headers, bytes }: InnerResponse, tool: Tool, { req }: Exchange): CallToolResult {
  const text = bytes.toString('utf8')
  if (status !== 200) return fail(describeError(text, tool, siteOrigin(req.headers.host, getConfig())))
  const contentType = String(headers['content-type']).replace(/;.*/, '')
  const facts = describeFacts(headers, contentType, bytes.length)
  if (!/^(text\/|application\/(json|xml)$)/.test(contentType)) {
    const uri = `file:///${encodeURIComponent(nameOf(headers))}`
    const blob = bytes.toString('base64')
    return {
      content: [
        { type: 'text', text: facts },
        { type: 'resource', resource: { uri, mimeType: contentType, blob } },
      ],
    }
  }
  return {
    content: [
      { type: 'text', text: facts },
      { type: 'text', text },
    ],
  }
}

function describeFacts(headers: InnerResponse['headers'], contentType: string, byteLength: number): string {
  const pages = headers['x-page-count']
  const verified = headers['x-redaction-verified']
  return [
    `${nameOf(headers)} (${contentType}, ${pages === undefined ? '' : `${String(pages)} ${pages === '1' ? 'page' : 'pages'}, `}${byteLength} bytes).`,
    ...(verified === undefined
      ? []
      : [
          `Redactions: ${String(headers['x-redactions-applied'])}, ${verified === 'true' ? 'verified' : 'not verified'}.`,
        ]),
    ...(headers['x-warnings'] === undefined ? [] : [`Warnings: ${String(headers['x-warnings'])}.`]),
    `${String(headers['x-credit-balance'])} credits left.`,
  ].join(' ')
}

function describeError(body: string, { inputSchema, operation }: Tool, origin: string): string {
  const { error, message, requestId } = JSON.parse(body) as { error: string; message: string; requestId: string }
  const { properties = {} } = inputSchema.properties['options'] ?? {}
  return (
    `${message} (${error}, ${requestId}, not charged)\nOptions: ${Object.keys(properties).join(', ')}. ` +
    `See ${origin}/docs/${operation}.md`
  )
}

function fail(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function nameOf(headers: InnerResponse['headers']): string {
  const encoded = /filename\*=UTF-8''(.+)$/.exec(String(headers['content-disposition']))?.[1]
  return encoded === undefined ? 'file' : decodeURIComponent(encoded)
}

/** A response with a JSON-RPC error that belongs to no request. */
function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code: number = ErrorCode.InvalidRequest,
): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message }, id: null },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}

/** The text of a body. Undefined if it is too large. A body without a length is read to its end. */
async function readLimited(
  request: Request,
  { maxBytes, share }: { maxBytes: number; share: BodyShare | undefined },
): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let byteLength = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    byteLength += chunk.length
    if (byteLength > maxBytes) continue
    await share?.take(chunk.length)
    chunks.push(chunk)
  }
  return byteLength > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8')
}
