import type { JsonSchema } from '../docs/json-schema'
import { firstSentence, PIPELINE_HINT } from '../agents/agent-docs'
import type { McpTool } from '../agents/mcp-tool'
import type { ClientOperation } from './operations'

/** How a server receives and returns files: as paths, or in messages as base64. */
export type McpFiles = 'paths' | 'inline'

/** Describes an endpoint as a tool. */
export function describeMcpTool(operation: ClientOperation, files: McpFiles): McpTool {
  const { id, title, summary, schema } = operation
  const inputs = describeInputs(operation, files)
  const options: JsonSchema = {
    type: 'object',
    properties: shortenProperties(schema),
    ...(schema.required?.length ? { required: schema.required } : {}),
  }
  return {
    name: id.replaceAll('-', '_'),
    operation: id,
    description: id === 'pipeline' ? `${firstSentence(summary)} ${PIPELINE_HINT}` : firstSentence(summary),
    inputSchema: {
      type: 'object',
      properties: { ...inputs.properties, options, ...OUTPUTS[files] },
      required: [...inputs.required, ...(schema.required?.length ? ['options'] : [])],
      additionalProperties: false,
    },
    annotations: {
      title,
      // Each use costs a credit.
      readOnlyHint: false,
      idempotentHint: false,
      // With `overwrite`, a file is replaced.
      destructiveHint: files === 'paths',
      // A step of a pipeline can be a web page.
      openWorldHint: id === 'webpage-to-pdf' || id === 'pipeline',
    },
  }
}

const OUTPUTS: Record<McpFiles, Record<string, JsonSchema>> = {
  paths: {
    output: { type: 'string', description: 'A file or folder. Default: beside the first file.' },
    overwrite: { type: 'boolean', description: 'Replaces a file.' },
  },
  inline: {},
}

/** The members of a file in a message. */
const MEMBERS = '{name, dataBase64} or {name, url}'

function describeInputs(
  { files, fileCount, accepts }: ClientOperation,
  kind: McpFiles,
): { properties: Record<string, JsonSchema>; required: string[] } {
  const what = files === 'html' ? 'HTML, SVG, text or ZIP file' : FORMATS[accepts]
  const file: JsonSchema = kind === 'paths' ? { type: 'string' } : { type: 'object', required: ['name'] }
  const described = { ...file, description: kind === 'paths' ? `Path of a ${what}.` : `A ${what}: ${MEMBERS}.` }
  switch (files) {
    case 'one':
      return { properties: { file: described }, required: ['file'] }
    case 'many':
      if (fileCount.least === 0)
        return {
          properties: { files: { type: 'array', items: file, description: USED_BY_STEPS[kind] } },
          required: [],
        }
      return {
        properties: {
          files: {
            type: 'array',
            items: file,
            description: `Several, in this order: ${what}.${kind === 'paths' ? '' : ` Each: ${MEMBERS}.`}`,
          },
        },
        required: ['files'],
      }
    case 'html':
      return { properties: { file: described }, required: [] }
    case 'none':
      return { properties: {}, required: [] }
  }
}

const USED_BY_STEPS: Record<McpFiles, string> = {
  paths: 'Paths of the files that steps read. Steps use their names without folders.',
  inline: 'The files that steps read.',
}

const FORMATS: Record<ClientOperation['accepts'], string> = {
  pdf: 'PDF',
  'encrypted-pdf': 'PDF',
  'pdf-or-xml': 'PDF or XML file',
  images: 'JPEG, PNG, WebP or TIFF image',
}

/** The name, type, values and meaning of each option. The documentation has the rest. */
function shortenProperties({ properties = {} }: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name !== 'outputName')
      .map(([name, schema]) => [name, typeof schema === 'boolean' ? {} : shorten(schema)]),
  )
}

/** The host checks only some types. The API checks everything. */
function shorten(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, oneOf, properties, items } = schema
  const members = type === 'array' && typeof items === 'object' && !Array.isArray(items) ? items.properties : properties
  const names = Object.keys(members ?? {})
  const description = [
    clip(firstSentence(schema.description ?? '')),
    ...(names.length > 0 ? [`{${names.slice(0, MAX_NAMES).join(', ')}}`] : []),
  ]
    .filter(text => text !== '')
    .join(' ')
  return {
    ...(values && values.length <= MAX_VALUES && { enum: values }),
    ...(!values && !(anyOf ?? oneOf) && typeof type === 'string' && type !== 'string' && { type }),
    ...(description !== '' && { description }),
  }
}

/** Longer lists of values or members are only in the documentation. */
const MAX_VALUES = 8
const MAX_NAMES = 6
const MAX_LENGTH = 72

function clip(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const cut = text.slice(0, MAX_LENGTH)
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`
}
