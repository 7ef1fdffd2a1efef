import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ReceivedRequest } from '../requests/request'
import { DOCS_TOOL } from '../agents/agent-docs'
import type { McpTool } from '../agents/mcp-tool'
import { readVerdict, type Verdict } from '../agents/verdicts'
import { getConfig } from '../config'
import type { InnerResult } from '../http/inner-request'
import { siteOrigin } from '../site-origin'

/**
 * Returns the response of an endpoint as the result of a tool: what it is, and the file itself. `explain` returns the
 * tool whose options are wrong, from the parameter of an error.
 */
export function describeResult(
  { status, headers, bytes }: InnerResult,
  { tool, explain }: { tool: McpTool; explain: (param: string | undefined) => McpTool },
  outer: ReceivedRequest,
): CallToolResult {
  const text = bytes.toString('utf8')
  if (status !== 200) return fail(describeError(text, explain, siteOrigin(outer.headers.host, getConfig())))
  const contentType = String(headers['content-type']).replace(/;.*/, '')
  const report = (): unknown => JSON.parse(text)
  const verdict = readVerdict(tool.operation, { header: name => headerOf(headers, name), report })
  const facts = describeFacts(headers, { contentType, byteLength: bytes.length, verdict })
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

function describeFacts(
  headers: InnerResult['headers'],
  { contentType, byteLength, verdict }: { contentType: string; byteLength: number; verdict: Verdict | undefined },
): string {
  const pages = headerOf(headers, 'x-page-count')
  const warnings = headerOf(headers, 'x-warnings')
  return [
    `${nameOf(headers)} (${contentType}, ${pages === undefined ? '' : `${pages} ${pages === '1' ? 'page' : 'pages'}, `}${byteLength} bytes).`,
    ...(verdict ? [`${verdict.text}.`] : []),
    ...(warnings === undefined ? [] : [`Warnings: ${warnings}.`]),
    `${headerOf(headers, 'x-credit-balance')} credits left.`,
  ].join(' ')
}

function headerOf(headers: InnerResult['headers'], name: string): string | undefined {
  return headers[name] === undefined ? undefined : String(headers[name])
}

interface ErrorBody {
  error: string
  message: string
  requestId: string
  param?: string
  problems?: { param?: string }[]
}

function describeError(body: string, explain: (param: string | undefined) => McpTool, origin: string): string {
  const { error, message, requestId, param, problems = [] } = JSON.parse(body) as ErrorBody
  const { inputSchema, operation } = explain(param ?? problems[0]?.param)
  const { properties = {} } = inputSchema.properties['options'] ?? {}
  return (
    `${message} (${error}, ${requestId}, not charged)\nOptions: ${Object.keys(properties).join(', ')}. ` +
    `Read ${DOCS_TOOL.name} with page "${operation}", or ${origin}/docs/${operation}.md`
  )
}

/** Returns an error that an agent reads. */
export function fail(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function nameOf(headers: InnerResult['headers']): string {
  const [, encoded = 'file'] = String(headers['content-disposition']).split("filename*=UTF-8''")
  return decodeURIComponent(encoded)
}
