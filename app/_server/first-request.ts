import { highlightSamples } from '../../lib/docs/highlight'
import { writeFormSamples } from '../../lib/docs/samples'
import { writeFirstCurl } from '../../lib/docs/samples/curl'
import type { CodeSample } from '../_ui/elements/code-tabs'
import { KEY_PLACE } from '../_ui/key/key-place'

/** Samples of a first request in every language. The key comes from the environment or is part of the sample. */
export interface FirstRequestSamples {
  /** They read the key from the environment variable SHEAF_API_KEY. */
  withVariable: CodeSample[]
  /** They contain `KEY_PLACE`, which the browser replaces with the key. Only the browser has the key. */
  withKey: CodeSample[]
}

/** Returns samples of a request that merges two files of `/samples`. The sample for curl downloads them. */
export function firstRequestSamples(origin: string): FirstRequestSamples {
  return { withVariable: writeAll(origin, undefined), withKey: writeAll(origin, KEY_PLACE) }
}

function writeAll(origin: string, apiKey: string | undefined): CodeSample[] {
  const files = { field: 'files', names: ['letter.pdf', 'terms.pdf'] }
  const request = {
    url: `${origin}/api/external/pdf-tools/merge-pdf`,
    apiKey,
    files,
    values: {},
    responseName: 'merged.pdf',
  }
  const firstCurl = writeFirstCurl(request, `${origin}/samples`)
  return highlightSamples(
    writeFormSamples(request).map(sample => (sample.id === 'curl' ? { ...sample, text: firstCurl } : sample)),
  )
}
