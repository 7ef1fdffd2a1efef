import type { Endpoint } from './endpoints'
import { flattenParties } from './invoice-endpoint'

type Part = Record<string, unknown>

/** The first bytes of a file by its extension, in base64. */
const EXAMPLE_BYTES: Readonly<Record<string, string>> = {
  pdf: 'JVBERi0xLjcK',
  jpg: '/9j/4AAQSkZJRgAB',
  png: 'iVBORw0KGgoAAAAN',
}

/** Returns the JSON body of an example. Its files contain their first bytes. */
export function writeJsonExample(endpoint: Endpoint, options: unknown): Part {
  return writeExample(endpoint, options, name => ({ name, dataBase64: EXAMPLE_BYTES[name.split('.').at(-1) ?? ''] }))
}

/** Returns the fields of an example form. A file is its name, because an example has no bytes. */
export function writeFormExample(endpoint: Endpoint, options: unknown): Part {
  const body = writeExample(endpoint, options, name => name)
  if (endpoint.optionsKey !== undefined) return { ...body, options }
  return endpoint.formSchema ? joinLines(flattenParties(body)) : body
}

/** Returns the files and texts of an example form. Without `field`, the endpoint takes no file, and JSON fits better. */
export function describeExampleFields(
  { files, sampleFiles, optionsKey }: Endpoint,
  options: unknown,
): { field: 'file' | 'files' | undefined; names: readonly string[]; texts: Part } {
  const field = ({ one: 'file', many: 'files', html: undefined, none: undefined } as const)[files]
  const texts = optionsKey === undefined ? (options as Part) : isEmpty(options) ? {} : { [optionsKey]: options }
  return { field, names: sampleFiles, texts }
}

/** The postal addresses of an invoice form are texts of several lines. */
function joinLines(fields: Part): Part {
  const join = (name: string, value: unknown) =>
    name.endsWith('AddressLines') && Array.isArray(value) ? value.join('\n') : value
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, join(name, value)]))
}

function writeExample(
  { files, sampleFiles, optionsKey }: Endpoint,
  options: unknown,
  file: (name: string) => unknown,
): Part {
  const fileFields = {
    one: { file: file(sampleFiles[0] ?? '') },
    many: { files: sampleFiles.map(file) },
    html: {},
    none: {},
  }[files]
  if (optionsKey === undefined) return { ...fileFields, ...(options as Part) } // The fields of a body are an object.
  return isEmpty(options) ? fileFields : { ...fileFields, options }
}

function isEmpty(options: unknown): boolean {
  return Object.keys(options as Part).length === 0 // An example of a tool is an object.
}
