import { highlightSamples } from '../../lib/docs/highlight'
import { writeFormSamples } from '../../lib/docs/samples'
import type { CodeSample } from '../_ui/elements/code-tabs'
import { KEY_PLACE } from '../_ui/key/key-place'

/** The first call in every language, reading the key from the environment and holding it. */
export interface FirstCallSamples {
  /** They read the key from the environment variable SHEAF_API_KEY. */
  withVariable: CodeSample[]
  /** They hold `KEY_PLACE` where the browser puts the key that it alone has. */
  withKey: CodeSample[]
}

/** The first call: merges the two files that `/samples` offers. */
export function firstCallSamples(origin: string): FirstCallSamples {
  return { withVariable: writeAll(origin, undefined), withKey: writeAll(origin, KEY_PLACE) }
}

function writeAll(origin: string, apiKey: string | undefined): CodeSample[] {
  const files = { field: 'files', names: ['letter.pdf', 'terms.pdf'] }
  return highlightSamples(
    writeFormSamples({
      url: `${origin}/api/external/pdf-tools/merge-pdf`,
      apiKey,
      files,
      values: {},
      responseName: 'merged.pdf',
    }),
  )
}
