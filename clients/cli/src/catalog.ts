import type { McpTool } from '../../../lib/agents/mcp-tool'
import entries from './operations.json' with { type: 'json' }

/** A part of a JSON Schema that the command line reads. */
export interface Schema {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  $ref?: string
  $defs?: Record<string, Schema>
}

/** An endpoint (lib/clients/operations.ts). */
export interface Operation {
  /** The slug of its page in the documentation, such as `merge-pdf`. */
  id: string
  /** The name of its command, such as `merge`. */
  command: string
  path: string
  title: string
  summary: string
  files: 'one' | 'many' | 'html' | 'none'
  /** How many files a list has. Without `most`, the server sets the limit. */
  fileCount: { least: number; most?: number }
  hasOptionsField: boolean
  schema: Schema
  /** Flags that add an entry to a list of objects, as `list.member`. */
  commandFlags: Record<string, string>
  /** The option that the command reads from its first argument, a file with JSON. */
  commandFile?: 'steps'
  responses: string[]
  responseOptions: Record<string, Record<string, string | boolean>>
  suffix?: string
  tool: McpTool
}

/** Every endpoint in the order of the documentation. */
export const OPERATIONS = entries as unknown as Operation[]
