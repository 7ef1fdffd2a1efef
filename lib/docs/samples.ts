import type { Endpoint } from './endpoints'
import { flattenParties } from './invoice-endpoint'
import { writeJsonExample } from './request-examples'
import { curl, writeShortCurl } from './samples/curl'
import { csharp } from './samples/csharp'
import { go } from './samples/go'
import { node } from './samples/node'
import { php } from './samples/php'
import { python } from './samples/python'
import type { SampleRequest } from './samples/request'

/** A code sample of a request: the name of its language and the text to copy. */
export interface Sample {
  id: string
  name: string
  text: string
}

/** The same request in every language, as a form and as JSON. */
export interface Samples {
  form: Sample[]
  /** The last sample is the body itself. */
  json: Sample[]
}

/** In the order of the tabs. */
const LANGUAGES = [curl, node, python, php, go, csharp]

/**
 * Returns samples of a request in every language, with the options of the first example. The key comes from the
 * environment variable SHEAF_API_KEY.
 */
export function writeSamples(endpoint: Endpoint, origin: string): Samples {
  const options = firstOptions(endpoint)
  const request = describeRequest(endpoint, origin, options)
  const formValues = endpoint.formSchema ? flattenParties(request.values) : request.values
  return {
    form: writeFormSamples({ ...request, values: formValues }),
    json: [
      ...LANGUAGES.map(({ id, name, writeJson }) => ({ id, name, text: writeJson(request) })),
      { id: 'json', name: 'JSON', text: JSON.stringify(writeJsonExample(endpoint, options), null, 2) },
    ],
  }
}

/** Returns a short curl command, by default with the options of the first example. */
export function writeShortSample(endpoint: Endpoint, origin: string, options = firstOptions(endpoint)): string {
  const request = describeRequest(endpoint, origin, options)
  return writeShortCurl(request, request.files !== undefined)
}

function firstOptions({ examples }: Endpoint): unknown {
  return examples[0]?.options ?? {}
}

/** Returns samples of a multipart request, in every language. */
export function writeFormSamples(request: SampleRequest): Sample[] {
  return LANGUAGES.map(({ id, name, writeForm }) => ({ id, name, text: writeForm(request) }))
}

function describeRequest(
  { path, files, sampleFiles, optionsKey, responseName }: Endpoint,
  origin: string,
  options: unknown,
): SampleRequest {
  const fields = options as Record<string, unknown> // The options or fields of a request are an object.
  const hasOptions = Object.keys(fields).length > 0
  return {
    url: `${origin}${path}`,
    apiKey: undefined,
    files:
      sampleFiles.length === 0 || files === 'html' || files === 'none'
        ? undefined
        : { field: files === 'one' ? 'file' : 'files', names: [...sampleFiles] },
    values: optionsKey === undefined ? fields : hasOptions ? { [optionsKey]: options } : {},
    responseName,
  }
}
