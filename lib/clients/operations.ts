import type * as z from 'zod'
import { CLIENT_TYPE } from '../../engines/options/alternatives'
import { type JsonSchema, mapSchema, writeAnnotatedComponents } from '../docs/json-schema'
import { writeCamelCase } from '../docs/samples/camel-case'
import { type Endpoint, listEndpoints } from '../docs/endpoints'

/** An endpoint as the clients are generated from it. */
export interface ClientOperation {
  /** The slug of its page in the documentation, such as `merge-pdf`. */
  id: string
  /** The name of its method in TypeScript, such as `mergePdf`. */
  method: string
  /** The name of its command, such as `merge`. */
  command: string
  path: string
  title: string
  summary: string
  /** One file, a list, an optional page, or none. */
  files: Endpoint['files']
  fileCount: Endpoint['fileCount']
  accepts: Endpoint['accepts']
  /** Whether the options are the field `options` of the body. Otherwise, they are the body. */
  hasOptionsField: boolean
  /** A JSON Schema (2020-12) without references outside of it. */
  schema: JsonSchema
  /** See `ToolDeclaration.commandFlags`. */
  commandFlags: Readonly<Record<string, string>>
  /** See `Endpoint.commandFile`. */
  commandFile?: Endpoint['commandFile']
  /** Content types of responses, the usual one first. */
  responses: string[]
  /** The options that cause a content type, if only options decide. */
  responseOptions: Record<string, Readonly<Record<string, string | boolean>>>
  /** The type of its JSON responses, and its schema. */
  report?: { name: string; schema: JsonSchema }
  /** Suffix of the names of results: `report.pdf` becomes `report-<suffix>.pdf`. Missing if names have another origin. */
  suffix?: string
  /** Names of sample files, and options, in the order of the documentation. */
  sampleFiles: string[]
  examples: { title: string; options: Record<string, unknown> }[]
}

/** Lists every endpoint in the order of the documentation. */
export function listClientOperations(): ClientOperation[] {
  return listEndpoints().map(describeOperation)
}

function describeOperation(endpoint: Endpoint): ClientOperation {
  const {
    slug,
    path,
    title,
    summary,
    files,
    fileCount,
    accepts,
    optionsKey,
    schema,
    command,
    commandFlags,
    commandFile,
  } = endpoint
  const { responses, otherResponses, report, suffix, sampleFiles, examples } = endpoint
  return {
    id: slug,
    method: writeCamelCase(slug),
    command,
    path,
    title,
    summary,
    files,
    fileCount,
    accepts,
    hasOptionsField: optionsKey !== undefined,
    schema: writeClosedSchema(schema),
    commandFlags: commandFlags ?? {},
    ...(commandFile && { commandFile }),
    responses: [responses, ...otherResponses.map(({ contentType }) => contentType)],
    responseOptions: Object.fromEntries(
      otherResponses.flatMap(({ contentType, when }) => (typeof when === 'string' ? [] : [[contentType, when]])),
    ),
    ...(report && { report: { name: report.name, schema: writeClosedSchema(report.schema) } }),
    ...(suffix !== undefined && { suffix }),
    sampleFiles: [...sampleFiles],
    examples: examples.map(example => ({
      title: example.title,
      options: example.options as Record<string, unknown>, // The options or fields of a request are an object.
    })),
  }
}

const ROOT = 'Options'
const COMPONENTS = '#/components/schemas/'

/** Writes a schema with its shared parts in `$defs`. */
function writeClosedSchema(schema: z.ZodType): JsonSchema {
  const { schemas } = writeAnnotatedComponents(schema, ROOT, key => key === CLIENT_TYPE)
  const close = (part: JsonSchema): JsonSchema =>
    mapSchema(part, one => {
      if (typeof one.$ref !== 'string') return one
      const name = one.$ref.slice(COMPONENTS.length)
      return { ...one, $ref: name === ROOT ? '#' : `#/$defs/${shorten(name)}` }
    })
  const { [ROOT]: root = {}, ...parts } = schemas
  const shared = Object.entries(parts).map(([name, part]) => [shorten(name), close(part)] as const)
  return { ...close(root), ...(shared.length > 0 && { $defs: Object.fromEntries(shared) }) }
}

function shorten(name: string): string {
  return name.slice(ROOT.length + 1)
}

/** Whether a schema is a file in the options, as `{name, dataBase64}`. */
export function isFileOption({ properties }: JsonSchema): boolean {
  return properties !== undefined && Object.keys(properties).join() === 'name,dataBase64'
}

/** Whether a schema is an invoice, as the body of the invoice endpoint. */
export function isInvoiceRequest(schema: JsonSchema): boolean {
  return (schema as Record<string, unknown>)[CLIENT_TYPE] === 'invoice-generator'
}

/** The name of the type of its options, such as `MergePdfOptions`. */
export function nameOfOptions({ method }: Pick<ClientOperation, 'method'>): string {
  return `${method.charAt(0).toUpperCase()}${method.slice(1)}Options`
}
