import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { DOCS_TOOL, findExplainingPage, listDocsResources } from '../../../../lib/agents/agent-docs'
import { findArgumentError } from '../../../../lib/agents/check-arguments'
import { readVerdict } from '../../../../lib/agents/verdicts'
import { SheafApiError, type SheafResult } from '../../../typescript/src/sheaf'
import { VERSION } from '../../../typescript/src/version'
import { type Operation, OPERATIONS } from '../catalog'
import { describeFailure, SaveError } from '../failure'
import { formatBytes } from '../progress'
import { predictNames } from '../result-names'
import { createSender, type Sender } from '../sender'
import { INSTRUCTIONS, PAGE_IDS, readPage } from './docs'
import { AllowedFolders, resolveFolders } from './folders'
import { assertExtension, OutputFile } from './output-file'

interface McpSettings {
  /** Folders that the agent may use, besides the roots of its program. */
  folders: string[]
  baseUrl?: string
  userAgent: string
}

/** The arguments of a tool. */
interface ToolArguments {
  file?: string
  files?: string[]
  output?: string
  overwrite?: boolean
  options?: Record<string, unknown>
}

/** Serves one client over standard input and output, until it ends. Throws a PathError for a wrong folder. */
export async function serveMcp({ folders, ...settings }: McpSettings): Promise<void> {
  const given = await resolveFolders(folders)
  const sender = createSender(settings) // Throws without an API key.
  const server = new Server(
    { name: 'sheaf', version: VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  const unsaved = new Map<string, string>()
  let roots: Promise<string[]> | undefined
  const allowed = new AllowedFolders(async () => [...given, ...(await (roots ??= listRoots(server)))])
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    roots = undefined
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...OPERATIONS.map(({ tool: { operation: _, ...tool } }) => tool), DOCS_TOOL],
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    if (params.name === DOCS_TOOL.name) return readDocs(sender.baseUrl, params.arguments)
    const operation = OPERATIONS.find(({ tool }) => tool.name === params.name)
    if (!operation) throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}.`)
    const problem = findArgumentError(operation.tool, params.arguments ?? {})
    if (problem !== undefined) return fail(problem)
    try {
      return await runTool(operation, params.arguments ?? {}, { sender, allowed, unsaved, signal })
    } catch (error) {
      return describeError(error, operation, params.arguments ?? {})
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listDocsResources(PAGE_IDS) }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: 'text/markdown', text: await readPage(uri, sender.baseUrl) }],
  }))
  await server.connect(new StdioServerTransport())
  await new Promise<void>(resolve => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
}

/** The folders that the client shares (MCP, Roots). Empty if it shares none. */
async function listRoots(server: Server): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return []
  const { roots } = await server.listRoots()
  const paths = roots.map(({ uri }) => uri).filter(uri => uri.startsWith('file:'))
  return resolveFolders(paths.map(uri => fileURLToPath(uri)))
}

interface ToolContext {
  /** Idempotency keys of charged requests whose files could not be saved, so that their repetition is free. */
  unsaved: Map<string, string>
  sender: Sender
  allowed: AllowedFolders
  signal: AbortSignal
}

async function runTool(
  operation: Operation,
  { file, files = [], output, overwrite, options = {} }: ToolArguments,
  { sender, allowed, unsaved, signal }: ToolContext,
): Promise<CallToolResult> {
  const paths = operation.files === 'many' ? files : file === undefined ? [] : [file]
  const inputs: string[] = []
  for (const path of paths) inputs.push(await allowed.findInput(path))
  // The path is checked before the request, so that a wrong one costs nothing.
  const { likely: name = `${operation.command}.pdf` } = predictNames(operation, { input: inputs[0], options })
  const place = await allowed.findOutput(output ?? defaultFolder(inputs), {
    name,
    check: chosen => assertExtension(chosen, operation.responses),
  })
  const reserved = await OutputFile.reserve(place, overwrite === true)
  const request = JSON.stringify([operation.id, inputs, options])
  const idempotencyKey = unsaved.get(request) ?? crypto.randomUUID()
  let result: SheafResult | undefined
  try {
    result = await sender.send(operation, { files: inputs, options }, { signal, strict: true, idempotencyKey })
    await reserved.save(result)
    unsaved.delete(request)
  } catch (error) {
    await reserved.giveUp()
    if (!result) throw error
    unsaved.set(request, idempotencyKey)
    throw new SaveError(error, 'Repeat it within 24 hours with another output, which is free.')
  }
  return { content: [{ type: 'text', text: await describeSaved(result, reserved.path, operation) }] }
}

/** Beside the first input, or in the first allowed folder. */
function defaultFolder([first]: string[]): string {
  return first === undefined ? './' : `${dirname(first)}${sep}`
}

async function describeSaved(result: SheafResult, path: string, { id }: Operation): Promise<string> {
  const { contentType, headers, warnings, creditBalance } = result
  const pages = headers.get('x-page-count')
  const report = (): unknown => JSON.parse(readFileSync(path, 'utf8'))
  const verdict = readVerdict(id, { header: name => headers.get(name) ?? undefined, report })
  const facts = [
    contentType,
    ...(pages === null ? [] : [`${pages} ${pages === '1' ? 'page' : 'pages'}`]),
    formatBytes((await stat(path)).size),
  ]
  return [
    `Saved ${path} (${facts.join(', ')}).`,
    ...(verdict ? [`${verdict.text}.`] : []),
    ...(warnings.length > 0 ? [`Warnings: ${warnings.join(', ')}.`] : []),
    `${creditBalance} credits left.`,
  ].join(' ')
}

function describeError(error: unknown, operation: Operation, { options: sent }: ToolArguments): CallToolResult {
  const { message } = describeFailure(error)
  const param = error instanceof SheafApiError ? (error.param ?? error.problems[0]?.param) : undefined
  const page = findExplainingPage(operation.id, param, sent)
  const { id, tool } = OPERATIONS.find(one => one.id === page) ?? operation
  const options = tool.inputSchema.properties['options']?.properties ?? {}
  const isAboutOptions = error instanceof SheafApiError && (error.status === 422 || error.status === 400)
  const help = isAboutOptions
    ? `\nOptions of ${tool.name}: ${Object.keys(options).join(', ')}. Read ${DOCS_TOOL.name} with page "${id}" for their meaning.`
    : ''
  return fail(`${message}${help}`)
}

async function readDocs(baseUrl: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  const problem = findArgumentError(DOCS_TOOL, args)
  if (problem !== undefined) return fail(problem)
  try {
    return { content: [{ type: 'text', text: await readPage(args['page'], baseUrl) }] }
  } catch (error) {
    return fail((error as Error).message)
  }
}

function fail(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}
