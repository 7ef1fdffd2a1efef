import * as z from 'zod'
import { alternatives } from '../../../engines/options/alternatives'
import { writeFormExample, writeJsonExample } from '../request-examples'
import type { Endpoint } from '../endpoints'
import { type JsonSchema, referTo, writeSchemaComponents } from '../json-schema'
import { writeRequestComponents } from './request-schema'

type Part = Record<string, unknown>

/** A file in a JSON body. */
const fileInputSchema = z
  .object({
    name: z.string().describe('File name of the upload. The name of the response comes from it.'),
    dataBase64: z
      .string()
      .optional()
      .describe('The bytes in base64. A `data:…;base64,` prefix and line breaks are allowed.'),
    url: z
      .url()
      .optional()
      .describe('The URL from which Sheaf fetches the file, in place of its bytes. The host must be public.'),
  })
  .meta(alternatives({ required: ['dataBase64'], without: ['url'] }, { required: ['url'], without: ['dataBase64'] }))

/** Returns the schema of a file in a JSON body, for `components.schemas`. */
export function writeFileInput(): Record<string, JsonSchema> {
  return writeRequestComponents(fileInputSchema, 'FileInput')
}

const FILE_INPUT = referTo('FileInput')
const FILE_PART: JsonSchema = { type: 'string', format: 'binary' }
/** Where a web page comes from: exactly one of these fields. */
const PAGE_SOURCES = ['url', 'html', 'file'] as const

/** Returns the schemas of an operation's options or fields, for `components.schemas`. */
export function listBodySchemas({ slug, schema, formSchema, files, optionsKey }: Endpoint): Record<string, JsonSchema> {
  // Fields that are refused beside the files of a body would contradict them.
  const open = files === 'many' && optionsKey === undefined ? z.object(schema.shape) : schema
  const fields = files === 'html' ? withoutSources(schema) : open
  const json = writeRequestComponents(fields, schemaName(slug))
  return formSchema ? { ...json, ...writeRequestComponents(formSchema, formSchemaName(slug)) } : json
}

/** Returns the two possible request bodies of an operation, by media type. `maxFiles` is the limit of the server. */
export function writeRequestContent(endpoint: Endpoint, maxFiles: number): Record<string, Part> {
  return { 'multipart/form-data': writeForm(endpoint, maxFiles), 'application/json': writeJson(endpoint, maxFiles) }
}

function listExamples({ examples }: Endpoint, write: (options: unknown) => Part): Part {
  return Object.fromEntries(
    examples.map(({ title, options }, index) => [`example${index + 1}`, { summary: title, value: write(options) }]),
  )
}

function writeJson(endpoint: Endpoint, maxFiles: number): Part {
  return {
    schema: writeJsonSchema(endpoint, maxFiles),
    examples: listExamples(endpoint, one => writeJsonExample(endpoint, one)),
  }
}

function writeJsonSchema(endpoint: Endpoint, maxFiles: number): JsonSchema {
  const { slug, files, optionsKey } = endpoint
  const fields = referTo(schemaName(slug))
  const list: JsonSchema = { type: 'array', items: FILE_INPUT }
  if (optionsKey === undefined) {
    if (files === 'many') return withFiles(endpoint, { ...list, ...countItems(endpoint, maxFiles) })
    return files === 'html' ? oneSource(endpoint, FILE_INPUT) : fields
  }
  if (files === 'many') return toolBody(endpoint, 'files', { ...list, ...countItems(endpoint, maxFiles) })
  const single = { ...list, minItems: 1, maxItems: 1, description: 'An array with one file, instead of `file`.' }
  return { oneOf: [toolBody(endpoint, 'file', FILE_INPUT), toolBody(endpoint, 'files', single)] }
}

function writeForm(endpoint: Endpoint, maxFiles: number): Part {
  const json = endpoint.operation.bodyRules.jsonFields.map(name => [name, { contentType: 'application/json' }])
  return {
    schema: writeFormSchema(endpoint, maxFiles),
    encoding: { ...Object.fromEntries(json), ...encodeFile(endpoint) } as Part,
    examples: listExamples(endpoint, one => writeFormExample(endpoint, one)),
  }
}

/** How many files a list may have. */
function countItems({ fileCount: { least, most } }: Endpoint, maxFiles: number): JsonSchema {
  return { minItems: least, maxItems: Math.min(most ?? maxFiles, maxFiles) }
}

const MEDIA_TYPES: Record<Endpoint['accepts'], string> = {
  pdf: 'application/pdf',
  'encrypted-pdf': 'application/pdf',
  'pdf-or-xml': 'application/pdf, application/xml',
  images: 'image/jpeg, image/png, image/webp, image/tiff',
}

function encodeFile({ files, optionsKey, accepts }: Endpoint): Part {
  if (files === 'html') return { file: { contentType: 'text/html, application/zip' } }
  return optionsKey === undefined && files !== 'many'
    ? {}
    : { [files === 'many' ? 'files' : 'file']: { contentType: MEDIA_TYPES[accepts] } }
}

function writeFormSchema(endpoint: Endpoint, maxFiles: number): JsonSchema {
  const { slug, formSchema, files, optionsKey } = endpoint
  const description = 'One part for each file, in this order.'
  const list: JsonSchema = { type: 'array', items: FILE_PART, ...countItems(endpoint, maxFiles), description }
  if (optionsKey === undefined) {
    if (files === 'many') return withFiles(endpoint, list)
    if (files === 'html') return oneSource(endpoint, FILE_PART)
    return referTo(formSchema ? formSchemaName(slug) : schemaName(slug))
  }
  if (files !== 'many') return toolBody(endpoint, 'file', FILE_PART)
  return toolBody(endpoint, 'files', list)
}

/** Returns the fields of an operation beside a list of files. */
function withFiles({ slug, fileCount }: Endpoint, files: JsonSchema): JsonSchema {
  const required = fileCount.least > 0 ? { required: ['files'] } : {}
  return { allOf: [referTo(schemaName(slug)), { type: 'object', properties: { files }, ...required }] }
}

/** Returns the body of a tool: its file or files, and its options. */
function toolBody({ slug, schema }: Endpoint, fileKey: 'file' | 'files', file: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [fileKey]: file, options: referTo(schemaName(slug)) },
    required: [fileKey, ...(needsOptions(schema) ? ['options'] : [])],
  }
}

/** Returns the fields of an operation that takes a URL, a text or a file. */
function oneSource({ slug, schema }: Endpoint, file: JsonSchema): JsonSchema {
  const { properties = {} } = writeSchemaComponents(schema, 'fields').schemas['fields'] ?? {}
  const sources = PAGE_SOURCES.map((name): JsonSchema => {
    const source = name === 'file' ? file : (properties[name] ?? {})
    return { type: 'object', properties: { [name]: source }, required: [name] }
  })
  return { allOf: [referTo(schemaName(slug)), { oneOf: sources }] }
}

function withoutSources(schema: z.ZodObject): z.ZodObject {
  const { shape } = schema
  const isSource = (name: string) => (PAGE_SOURCES as readonly string[]).includes(name)
  return z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => !isSource(name))))
}

function needsOptions(schema: z.ZodObject): boolean {
  return !schema.safeParse({}).success
}

function schemaName(slug: string): string {
  const words = slug.split('-').map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Options`
}

function formSchemaName(slug: string): string {
  return `${schemaName(slug)}Form`
}
