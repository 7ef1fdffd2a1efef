import { z } from 'zod'
import { writeJsonExample } from '../call-examples'
import type { DocumentedCall } from '../documented-calls'
import { type JsonSchema, writeSchemaComponents } from '../json-schema'

type Part = Record<string, unknown>

/** A file in a JSON body. */
export const fileInputSchema = z.object({
  name: z.string().describe('File name of the upload; the answer is named after it.'),
  dataBase64: z.string().describe('The bytes in base64; a `data:…;base64,` prefix and line breaks are allowed.'),
})

const FILE_INPUT = { $ref: '#/components/schemas/FileInput' }
const FILE_PART: JsonSchema = { type: 'string', format: 'binary' }

/** Returns the schemas of an operation's options or fields, for `components.schemas`. */
export function listBodySchemas({ slug, schema, formSchema }: DocumentedCall): Record<string, JsonSchema> {
  const json = writeSchemaComponents(schema, schemaName(slug)).schemas
  return formSchema ? { ...json, ...writeSchemaComponents(formSchema, `${schemaName(slug)}Form`).schemas } : json
}

/** Returns the two possible request bodies of an operation, by media type. */
export function writeRequestContent(call: DocumentedCall): Record<string, Part> {
  return { 'multipart/form-data': writeForm(call), 'application/json': writeJson(call) }
}

function writeJson(call: DocumentedCall): Part {
  const examples = call.examples.map(({ title, options }, index) => [
    `example${index + 1}`,
    { summary: title, value: writeJsonExample(call, options) },
  ])
  return { schema: writeJsonSchema(call), examples: Object.fromEntries(examples) }
}

function writeJsonSchema({ slug, schema, files, optionsKey }: DocumentedCall): JsonSchema {
  const fields = { $ref: `#/components/schemas/${schemaName(slug)}` }
  if (optionsKey === undefined) return files === 'html' ? oneSource(fields, FILE_INPUT) : fields
  const required = needsOptions(schema) ? [optionsKey] : []
  if (files === 'many') {
    return {
      type: 'object',
      properties: { files: { type: 'array', items: FILE_INPUT, minItems: 2 }, options: fields },
      required: ['files', ...required],
    }
  }
  const several: JsonSchema = {
    type: 'array',
    items: FILE_INPUT,
    minItems: 1,
    maxItems: 1,
    description: 'In place of `file`: an array of one.',
  }
  return {
    type: 'object',
    properties: { file: FILE_INPUT, files: several, options: fields },
    required,
    oneOf: [{ required: ['file'] }, { required: ['files'] }],
  }
}

function writeForm(call: DocumentedCall): Part {
  const { slug, schema, formSchema, files, optionsKey, operation } = call
  const json = operation.bodyRules.jsonFields.map(name => [name, { contentType: 'application/json' }])
  const encoding = Object.fromEntries(json) as Part
  if (optionsKey === undefined) {
    const fields = { $ref: `#/components/schemas/${schemaName(slug)}${formSchema ? 'Form' : ''}` }
    return files === 'html'
      ? {
          schema: oneSource(fields, FILE_PART),
          encoding: { ...encoding, file: { contentType: 'text/html, application/zip' } },
        }
      : { schema: fields, encoding }
  }
  const fileKey = files === 'many' ? 'files' : 'file'
  const file: JsonSchema =
    files === 'many'
      ? { type: 'array', items: FILE_PART, minItems: 2, description: 'One part a file, in this order.' }
      : FILE_PART
  const properties = { [fileKey]: file, options: { $ref: `#/components/schemas/${schemaName(slug)}` } }
  const required = [fileKey, ...(needsOptions(schema) ? [optionsKey] : [])]
  return {
    schema: { type: 'object', properties, required },
    encoding: { ...encoding, [fileKey]: { contentType: 'application/pdf' } },
  }
}

/** Returns the fields of an operation that takes a file instead of a URL or a text. */
function oneSource(fields: { $ref: string }, file: JsonSchema): JsonSchema {
  return {
    allOf: [fields, { type: 'object', properties: { file } }],
    oneOf: ['url', 'html', 'file'].map(name => ({ required: [name] })),
  }
}

function needsOptions(schema: z.ZodObject): boolean {
  return !schema.safeParse({}).success
}

function schemaName(slug: string): string {
  const words = slug.split('-').map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Options`
}
