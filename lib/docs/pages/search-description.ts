import { type InlinePart, parseInline } from './inline'
import type { DocsPage } from './page'

const LEAST = 50
const MOST = 160
const MORE = 'From the documentation of Sheaf, the PDF API.'

/**
 * Returns the description of a page for search engines and shared links: 50 to 160 characters, made of whole sentences of
 * the lead if they fit.
 */
export function describeForSearch({ lead }: Pick<DocsPage, 'lead'>): string {
  const text = parseInline(lead).map(writePlain).join('')
  if (text.length < LEAST) return `${text} ${MORE}`
  return text.length <= MOST ? text : (takeSentences(text) ?? cutAtWord(text))
}

function writePlain(part: InlinePart): string {
  return part.kind === 'link' ? part.parts.map(writePlain).join('') : part.text
}

/** Returns the longest beginning of whole sentences that fits. Undefined if it would be too short. */
function takeSentences(text: string): string | undefined {
  const end = text.slice(0, MOST + 1).lastIndexOf('. ') + 1
  return end >= LEAST ? text.slice(0, end) : undefined
}

function cutAtWord(text: string): string {
  return `${text.slice(0, text.slice(0, MOST).lastIndexOf(' ')).replace(/[,:;]$/, '')}…`
}
