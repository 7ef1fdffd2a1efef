import { findPage, listPages, type PageEntry } from './all'
import { writeMarkdown } from './markdown'
import type { PageContext } from './page'

const TITLE = '# Sheaf'
const SUMMARY =
  '> An HTTP API for PDF files: merge, split, fill, redact, recognize text, print web pages, draw invoices. Every ' +
  'call is one POST with the header `x-api-key`; its answer is the finished file, or a JSON body with a stable ' +
  'error code. A call that works costs 1 credit, a call that fails costs none.'
const RULES = [
  'Keys belong on servers: never put one into a web page, an app or a repository.',
  'Send `Idempotency-Key` with every call, and the same value when the same request is sent again: nothing is ' +
    'charged twice.',
  'Check the status before saving the body as a file: errors are JSON.',
  'Read `X-Warnings` of an answer: it names what could not be kept.',
]
/** One language is enough here. The pages contain the others. */
const LANGUAGES = ['curl', 'json']

/** Returns the list of all pages for language models, in the format of llmstxt.org. */
export function writeLlmsList({ origin }: PageContext): string {
  const link = ({ slug, title, summary }: PageEntry) =>
    `- [${title}](${origin}/docs${slug === '' ? '' : `/${slug}`}.md): ${summary}`
  const groups = listPages().map(({ title, pages }) => `## ${title}\n\n${pages.map(link).join('\n')}`)
  const programs =
    `## Optional\n\n- [OpenAPI 3.1](${origin}/openapi.json): every call, option, header and error for programs.\n- ` +
    `[All pages in one file](${origin}/llms-full.txt): for models with room for it.`
  return `${[TITLE, SUMMARY, RULES.map(rule => `- ${rule}`).join('\n'), ...groups, programs].join('\n\n')}\n`
}

/** Returns all pages in one text, with samples for curl. */
export function writeLlmsFull(context: PageContext): string {
  const pages = listPages().flatMap(group => group.pages.flatMap(({ slug }) => findPage(slug, context) ?? []))
  return `${TITLE}\n\n${SUMMARY}\n\n${pages.map(page => writeMarkdown(page, { origin: context.origin, languages: LANGUAGES })).join('\n---\n\n')}`
}
