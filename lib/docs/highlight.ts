import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'

const LANGUAGES = { curl: bash, node: javascript, python, php, go, csharp, json }

// Short names of classes, because each sample has hundreds of them.
hljs.configure({ classPrefix: '' })
for (const [id, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(id, language)

/** Punctuation has the color of other text, and would be half of the HTML of a JSON sample. */
const PUNCTUATION = /<span class="punctuation">([^<]*)<\/span>/g

/** Quotes need no escape outside of attributes. A sample has hundreds. */
const QUOTES = /&(?:quot|#x27);/g

/**
 * Adds highlighted HTML to samples. Everything except the color spans is escaped. A sample's `id` names its language.
 */
export function highlightSamples<Sample extends { id: string; text: string }>(
  samples: Sample[],
): (Sample & { html: string })[] {
  return samples.map(sample => ({
    ...sample,
    html: hljs
      .highlight(sample.text, { language: hljs.getLanguage(sample.id) ? sample.id : 'curl' })
      .value.replaceAll(PUNCTUATION, '$1')
      .replace(QUOTES, quote => (quote === '&quot;' ? '"' : "'")),
  }))
}
