import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type CallToolResult, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { BuiltCli } from './built-cli'

/** Connects an agent to a `sheaf mcp` of its own. `roots` are the folders that the agent shares. */
export async function connectAgent(
  { script }: BuiltCli,
  { args, env, roots }: { args: string[]; env: Record<string, string>; roots?: string[] },
): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: roots ? { roots: {} } : {} })
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map(path => ({ uri: pathToFileURL(path).href })),
    }))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [script, 'mcp', ...args],
      env: { ...(process.env as Record<string, string>), ...env },
    }),
  )
  return client
}

/** The text of a tool's result, and whether it is an error. */
export async function runTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', isError }
}
