import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import packageJson from '../../package.json'
import type { Caller, ReceivedRequest } from '../requests/request'
import {
  describeMissingPage,
  DOCS_TOOL,
  findExplainingPage,
  listDocsResources,
  PIPELINE_HINT,
  readPageName,
} from '../agents/agent-docs'
import { findArgumentError } from '../agents/check-arguments'
import type { McpTool } from '../agents/mcp-tool'
import { describeMcpTool } from '../clients/mcp-tools'
import { listClientOperations, type ClientOperation } from '../clients/operations'
import { getConfig } from '../config'
import { listEndpoints } from '../docs/endpoints'
import { writeAgentPage } from '../docs/pages/agent-page'
import { CLIENT_CLOSED_REQUEST, isRequestError } from '../errors'
import { getExchange } from '../http-exchange'
import { isClientGone } from '../http/connection/client-gone'
import { serveInner } from '../http/inner-request'
import { openHttpRequest } from '../http/request/http-request'
import { endWith } from '../http/response/respond'
import type { Operation } from '../operations/operation'
import { singleton } from '../registry'
import { isAllowedBrowserOrigin, siteOrigin } from '../site-origin'
import { describeResult, fail } from './describe-result'
import { findCaller, readMessage } from './read-message'

/** Maximum size of the files in a request, and of the file in a response, before base64. */
const MAX_INLINE_BYTES = 2 ** 20

/** Where an agent finds the MCP server for files of its own machine. The page `/docs/mcp` says how to install it. */
const LOCAL_MCP_HINT =
  'For larger files, run `sheaf mcp` on the machine that has them. It is in the folder `clients/cli` of the Sheaf ' +
  'repository. Read /docs/mcp.'

const LIMIT_NOTE = 'Inline files: up to 1 MB.'

const INSTRUCTIONS =
  `Tools of the Sheaf document API. ${LIMIT_NOTE} ${LOCAL_MCP_HINT} Each result costs one credit, and errors cost ` +
  `nothing. ${PIPELINE_HINT} Nothing is kept after the response.`

interface Tool extends McpTool {
  client: ClientOperation
  served: Operation
}

/**
 * Serves one message of an agent (Model Context Protocol, Streamable HTTP, without sessions). The key is in the header
 * `x-api-key`. The use of a tool is a request to its endpoint, with the same limits, price and log.
 */
export async function serveMcp(request: Request): Promise<Response> {
  const outer = openHttpRequest(getExchange())
  try {
    const response = await respond(outer, request)
    const bytes = Buffer.from(await response.arrayBuffer())
    const headers = { ...Object.fromEntries(response.headers), 'content-length': bytes.length }
    if (await outer.response.begin(response.status, { ...headers, 'cache-control': 'no-store' }))
      outer.response.finish(bytes)
    return endWith(response.status)
  } catch (error) {
    outer.response.giveUp()
    if (isClientGone(error)) return endWith(CLIENT_CLOSED_REQUEST)
    throw error
  }
}

async function respond(outer: ReceivedRequest, request: Request): Promise<Response> {
  if (outer.method !== 'POST')
    return refuse(405, 'Send messages with POST. This server has no sessions.', { Allow: 'POST' })
  if (!isFromHere(outer)) return refuse(403, 'Pages of other sites may not call this server.')
  try {
    const caller = await findCaller(outer)
    return await handle(request, { outer, caller, message: await readMessage(outer, caller) })
  } catch (error) {
    if (!isRequestError(error)) throw error
    const code = error.code === 'invalid_payload' ? ErrorCode.ParseError : ErrorCode.InvalidRequest
    const hint = error.code === 'payload_too_large' ? ` ${LIMIT_NOTE} ${LOCAL_MCP_HINT}` : ''
    return refuse(error.status, error.message + hint, error.headers, code)
  }
}

interface Message {
  outer: ReceivedRequest
  caller: Caller | undefined
  message: Record<string, unknown>
}

async function handle(request: Request, { outer, caller, message }: Message): Promise<Response> {
  const client = `${caller?.accountId ?? ''} ${outer.client.address ?? ''} ${outer.client.agent ?? ''}`
  if (caller && message['method'] === 'notifications/cancelled') {
    const { requestId } = (message['params'] ?? {}) as { requestId?: unknown }
    getRunningCalls().cancel(client, requestId)
  }
  const { signal, end } = getRunningCalls().start(client, message['id'])
  try {
    const server = createServer(outer, signal)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    end()
  }
}

function getRunningCalls(): RunningCalls {
  return singleton('mcp-running-calls', createRunningCalls)
}

/** Browsers send `Origin`, so that a page of another site can't use this server (MCP, Transports, Security). */
function isFromHere({ headers: { origin, host } }: ReceivedRequest): boolean {
  return isAllowedBrowserOrigin({ origin, host }, getConfig())
}

/** Creates the server of one connection, which lists the tools and documents and runs tools. */
function createServer(outer: ReceivedRequest, signal: AbortSignal): Server {
  const server = new Server(
    { name: 'sheaf', version: packageJson.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  const tools = getTools()
  const ids = tools.map(({ operation }) => operation)
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    // Clients get what MCP defines, without our own members.
    tools: [...tools.map(({ client: _client, served: _served, operation: _operation, ...tool }) => tool), DOCS_TOOL],
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listDocsResources(ids) }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const text = readPage(uri, outer)
    if (text === undefined) throw new McpError(ErrorCode.InvalidParams, describeMissingPage(uri, ids))
    return { contents: [{ uri, mimeType: 'text/markdown', text }] }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find(one => one.name === name)
    if (!tool && name !== DOCS_TOOL.name) throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${name}.`)
    const problem = findArgumentError(tool ?? DOCS_TOOL, args)
    if (problem !== undefined) return fail(`${problem} You were not charged.`)
    if (!tool) {
      const text = readPage(args['page'], outer)
      return text === undefined ? fail(describeMissingPage(args['page'], ids)) : { content: [{ type: 'text', text }] }
    }
    try {
      const body = Buffer.from(JSON.stringify(writeBody(tool.client, args)))
      return await callTool(outer, tool, { body, options: args['options'], signal })
    } catch (error) {
      if (!isClientGone(error)) throw error
      return fail('The request was canceled. You were not charged.')
    }
  })
  return server
}

function readPage(nameOrUri: unknown, { headers: { host } }: ReceivedRequest): string | undefined {
  const page = readPageName(nameOrUri)
  const config = getConfig()
  return page === undefined ? undefined : writeAgentPage(page, { origin: siteOrigin(host, config), config })
}

function getTools(): Tool[] {
  return singleton('mcp-tools', () => {
    const operations = new Map(listEndpoints().map(({ slug, operation }) => [slug, operation]))
    return listClientOperations().flatMap(client => {
      const served = operations.get(client.id)
      const tool = describeMcpTool(client, 'inline')
      return served ? [{ ...tool, description: `${tool.description} ${LIMIT_NOTE}`, client, served }] : []
    })
  })
}

function callTool(
  outer: ReceivedRequest,
  tool: Tool,
  { body, options, signal }: { body: Buffer; options: unknown; signal: AbortSignal },
): Promise<CallToolResult> {
  const inner = {
    operation: tool.served,
    // A key of the message doesn't identify the request that the message contains.
    headers: {
      'content-type': 'application/json',
      prefer: 'handling=strict',
      accept: '*/*',
      'idempotency-key': undefined,
    },
    body,
    limit: { bytes: MAX_INLINE_BYTES, hint: LOCAL_MCP_HINT },
    signal,
  }
  const explain = (param: string | undefined) => {
    const page = findExplainingPage(tool.operation, param, options)
    return getTools().find(one => one.operation === page) ?? tool
  }
  return serveInner(outer, inner, result => describeResult(result, { tool, explain }, outer))
}

/** The arguments of a tool as the body of its endpoint. */
function writeBody(
  { hasOptionsField }: ClientOperation,
  { file, files, options = {} }: Record<string, unknown>,
): unknown {
  const input = { ...(file !== undefined && { file }), ...(files !== undefined && { files }) }
  return hasOptionsField ? { ...input, options } : { ...(options as object), ...input }
}

/** A response with a JSON-RPC error that belongs to no request. */
function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code: number = ErrorCode.InvalidRequest,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}

/** The running tool calls, so that a later message can cancel one. */
interface RunningCalls {
  /** Returns the signal of a call, and a function to call when the call has ended. */
  start(client: string, requestId: unknown): { signal: AbortSignal; end: () => void }
  /**
   * Cancels the call of a client with this JSON-RPC ID. Does nothing if several calls fit: without sessions, programs
   * that share a key, a network and a name can use the same ID.
   */
  cancel(client: string, requestId: unknown): void
}

/** Creates the list of running calls of this process. */
function createRunningCalls(): RunningCalls {
  const calls = new Map<string, Set<AbortController>>()
  const keyOf = (client: string, requestId: unknown) => `${client} ${typeof requestId} ${String(requestId)}`
  return {
    start(client, requestId) {
      const key = keyOf(client, requestId)
      const controller = new AbortController()
      const same = calls.get(key) ?? new Set()
      calls.set(key, same.add(controller))
      const end = () => {
        same.delete(controller)
        if (same.size === 0) calls.delete(key)
      }
      return { signal: controller.signal, end }
    },
    cancel(client, requestId) {
      const [first, ...others] = calls.get(keyOf(client, requestId)) ?? []
      if (others.length === 0) first?.abort()
    },
  }
}
