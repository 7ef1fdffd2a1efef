import { findEndpoint } from '../endpoints'
import { type Sample, writeFormSamples } from '../samples'
import { writeNarrowCurl } from '../samples/curl'
import type { SampleRequest } from '../samples/request'
import result from './showcase.json' with { type: 'json' }

/** The request on the start page. Its images show the file and the result of this request. */
export const SHOWCASE = {
  tool: 'pdf-redaction',
  file: 'payslip.pdf',
  options: { search: [{ text: 'Ada Reyes' }, { preset: 'iban' }] as Record<string, string>[] },
  result: 'payslip-redacted.pdf',
}

/** The size of both images in pixels, and headers of the response. `node tests/fixtures/make-showcase.mjs` writes them. */
export const SHOWCASE_RESULT: { width: number; height: number; headers: Record<string, string> } = result

/** Languages besides curl. One more click leads to the others, in the documentation of the endpoint. */
const LANGUAGES = ['node', 'python']

/** Returns the request in three languages. */
export function writeShowcaseSamples(origin: string): Sample[] {
  const request = describeRequest(origin)
  return [
    { id: 'curl', name: 'curl', text: writeNarrowCurl(request) },
    ...writeFormSamples(request).filter(({ id }) => LANGUAGES.includes(id)),
  ]
}

function describeRequest(origin: string): SampleRequest {
  const { tool, file, options, result: responseName } = SHOWCASE
  return {
    url: `${origin}${findEndpoint(tool)?.path ?? ''}`,
    apiKey: undefined,
    files: { field: 'file', names: [file] },
    values: { options },
    responseName,
  }
}
