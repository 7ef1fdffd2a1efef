import { setImmediate } from 'node:timers/promises'
import { singleton } from '../../registry'
import { ANY_ORIGIN } from '../any-origin'
import { findPage, listPages, type PageEntry } from './all'
import { writeMarkdown } from './markdown'
import type { PageContext } from './page'

const TITLE = '# Sheaf'
const SUMMARY =
  '> An HTTP API for PDF files: merge, split, fill, redact and OCR PDFs, convert web pages to PDF, create invoices. ' +
  'Send one POST request with the header `x-api-key`. The response is the finished file, or JSON with a stable error ' +
  'code. A successful request costs 1 credit. A failed request costs nothing.'
const RULES = [
  'Keep API keys on servers. Never put a key in a web page, an app or a repository.',
  'To retry without paying twice, send an `Idempotency-Key` with the first request. Repeat the key with the same ' +
    'request. The header is optional.',
  'Check the status before you save the body as a file. Errors are JSON.',
  'Read the response header `X-Warnings`. It lists what Sheaf adjusted or could not keep.',
  'Agents connect through MCP: `sheaf mcp --allow <folder>` for local files, or `/mcp` with `x-api-key` for files up ' +
    'to 1 MB.',
]
/** One language is enough here. The pages contain the others. */
const LANGUAGES = ['curl', 'json']

/** Returns the list of all pages for language models, in the format of llmstxt.org. */
export function writeLlmsList({ origin }: PageContext): string {
  const link = ({ slug, title, summary }: PageEntry) =>
    `- [${title}](${origin}/docs${slug === '' ? '' : `/${slug}`}.md): ${summary}`
  const groups = listPages().map(({ title, pages }) => `## ${title}\n\n${pages.map(link).join('\n')}`)
  const programs =
    `## Optional\n\n- [OpenAPI 3.1](${origin}/openapi.json): every endpoint, parameter, header and error.\n- ` +
    `[Postman collection](${origin}/postman.json): a request for each example.\n- ` +
    `[All pages in one file](${origin}/llms-full.txt): for models with a large context window.`
  return `${[TITLE, SUMMARY, RULES.map(rule => `- ${rule}`).join('\n'), ...groups, programs].join('\n\n')}\n`
}

/**
 * Returns all pages in one text, with samples for curl. The text is written once in a process. Other requests are
 * served between the pages.
 */
export async function writeLlmsFull({ origin, config }: PageContext): Promise<string> {
  const text = await singleton('llms-full', () => writeAllPages({ origin: ANY_ORIGIN, config }))
  return text.replaceAll(ANY_ORIGIN, origin)
}

async function writeAllPages(context: PageContext): Promise<string> {
  const texts: string[] = []
  for (const { slug } of listPages().flatMap(({ pages }) => pages)) {
    const page = findPage(slug, context)
    if (page) texts.push(writeMarkdown(page, { origin: context.origin, languages: LANGUAGES }))
    await setImmediate()
  }
  return `${TITLE}\n\n${SUMMARY}\n\n${texts.join('\n---\n\n')}`
}
