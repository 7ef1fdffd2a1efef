import type { JsonSchema } from '../docs/json-schema'
import type { ClientOperation } from './operations'

/** A tool of the Model Context Protocol. Its schema is short, because all tools are in the context of the model. */
export interface McpTool {
  name: string
  /** The ID of its operation. */
  operation: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, JsonSchema>; required: string[] }
}

/** How a server receives and returns files: as paths, or in messages as base64. */
export type McpFiles = 'paths' | 'inline'

/** Describes an endpoint as a tool. */
export function describeMcpTool(operation: ClientOperation, files: McpFiles): McpTool {
  const { id, summary, schema } = operation
  const inputs = describeInputs(operation, files)
  const options: JsonSchema = {
    type: 'object',
    properties: shortenProperties(schema),
    ...(schema.required?.length ? { required: schema.required } : {}),
  }
  return {
    name: id.replaceAll('-', '_'),
    operation: id,
    description: firstSentence(summary),
    inputSchema: {
      type: 'object',
      properties: { ...inputs.properties, options, ...OUTPUTS[files] },
      required: [...inputs.required, ...(schema.required?.length ? ['options'] : [])],
    },
  }
}

const OUTPUTS: Record<McpFiles, Record<string, JsonSchema>> = {
  paths: { output: { type: 'string' }, overwrite: { type: 'boolean', description: 'Replaces the file.' } },
  inline: {},
}

const INLINE_FILE: JsonSchema = { type: 'object', required: ['name', 'dataBase64'] }

function describeInputs(
  { files }: ClientOperation,
  kind: McpFiles,
): { properties: Record<string, JsonSchema>; required: string[] } {
  const file: JsonSchema = kind === 'paths' ? { type: 'string' } : INLINE_FILE
  switch (files) {
    case 'one':
      return { properties: { file }, required: ['file'] }
    case 'many':
      return { properties: { files: { type: 'array', items: file } }, required: ['files'] }
    case 'html':
      return { properties: { file }, required: [] }
    case 'none':
      return { properties: {}, required: [] }
  }
}

/** The name, type and values of each option. The documentation has the rest. */
function shortenProperties({ properties = {} }: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name !== 'outputName')
      .map(([name, schema]) => [name, typeof schema === 'boolean' ? {} : shorten(schema)]),
  )
}

/** The host checks only some types. Texts and everything else are `{}`, and the API checks them. */
function shorten({ type, enum: values, anyOf, oneOf, properties, items }: JsonSchema): JsonSchema {
  if (values) return values.length <= MAX_VALUES ? { enum: values } : {}
  if (anyOf ?? oneOf) return {}
  if (typeof type !== 'string' || type === 'string') return {}
  const members = type === 'array' && typeof items === 'object' && !Array.isArray(items) ? items.properties : properties
  const names = Object.keys(members ?? {})
  return { type, ...(names.length > 0 && { description: `{${names.slice(0, MAX_NAMES).join(', ')}}` }) }
}

/** Longer lists of values or members are only in the documentation. */
const MAX_VALUES = 8
const MAX_NAMES = 6

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
}
