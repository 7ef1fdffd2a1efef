import { describe, expect, it } from 'vitest'
import { openIndex } from '../../../../app/_ui/search/find-results'
import { readConfig } from '../../../../lib/config'
import { listPages } from '../../../../lib/docs/pages/all'
import { PAGE_WORDS } from '../../../../lib/docs/search/page-words'
import { createSearchIndex } from '../../../../lib/docs/search/search-index'

const find = openIndex(await createSearchIndex(readConfig({})))

/** What people type, and the slug of the page that answers it. */
const QUESTIONS: readonly [slug: string, ...queries: string[]][] = [
  ['convert-to-pdfa', 'PDF/A', 'pdf/a', 'pdfa', 'archive'],
  ['validate-pdf', 'PDF/UA', 'validate pdf', 'accessibility'],
  ['limits', 'max file size', 'limits'],
  ['not-supported', 'webhook', 'batch', 'docx', 'sign pdf', 'word', 'excel', 'async', 'signature'],
  ['rotate-pdf', 'rotate', 'rotate pdf'],
  ['chain-tools', 'chain', 'chain tools', 'workflow', 'combine steps'],
  ['pipeline', 'pipeline'],
  ['pricing', 'credits', 'price', 'free trial'],
  ['api-basics', 'api key rotate', 'api key', 'api keys', 'rotate key', 'bearer token', 'authentication'],
  ['pdf-ocr', 'ocr language', 'ocr', 'scan'],
  ['typescript', 'node sdk', 'npm', 'javascript'],
  ['python', 'python', 'pip'],
  ['command-line', 'cli'],
  ['mcp', 'claude', 'mcp', 'cursor'],
  ['pdf-to-images', 'thumbnail', 'pdf to jpg'],
  ['images-to-pdf', 'jpg', 'jpeg to pdf', 'photo'],
  ['self-hosting', 'docker', 'kubernetes', 'self-host'],
  ['quickstart', 'php', 'curl', 'first request'],
  ['webpage-to-pdf', 'screenshot', 'url to pdf', 'html to pdf'],
  ['privacy', 'gdpr', 'data retention', 'privacy'],
  ['compress-pdf', 'reduce size', 'compress'],
  ['merge-pdf', 'merge', 'combine pdf'],
  ['split-pdf', 'split'],
  ['unlock-pdf', 'decrypt'],
  ['protect-pdf', 'encrypt', 'password protect'],
  ['extract-text', 'extract text', 'pdf to text', 'pdf to markdown'],
  ['pdf-redaction', 'redact', 'black out'],
  ['invoice-generator', 'invoice'],
  ['factur-x', 'zugferd'],
  ['xrechnung', 'xrechnung'],
  ['errors', 'error codes', 'status codes'],
  ['idempotency', 'idempotency'],
  ['retries', 'retry'],
  ['rate-limits', 'rate limit', '429'],
  ['configuration', 'environment variables'],
  ['form-filler', 'fill form'],
  ['compare-pdfs', 'compare', 'diff'],
  ['organize-pdf', 'reorder'],
  ['edit-metadata', 'metadata'],
  ['page-numbers', 'page numbers'],
  ['', 'openapi', 'postman'],
]

const pathOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`)

describe('the first result of a search', () => {
  it('is the right page for more than 60 queries', () => {
    const queries = QUESTIONS.flatMap(([slug, ...all]) => all.map(query => ({ slug, query })))
    expect(queries.length).toBeGreaterThanOrEqual(60)
    const wrong = queries.flatMap(({ slug, query }) => {
      const href = find(query)[0]?.href
      return href?.replace(/#.*/, '') === pathOf(slug)
        ? []
        : [`${query}: ${href ?? 'nothing'} instead of ${pathOf(slug)}`]
    })
    expect(wrong).toEqual([])
  })

  it('is followed by the guide, if it is the endpoint for chains', () => {
    expect(find('pipeline').map(({ href }) => href.replace(/#.*/, ''))).toContain('/docs/chain-tools')
  })

  it('is never an environment variable or a parameter if a page has the words in its title', () => {
    for (const { title } of listPages().flatMap(({ pages }) => pages))
      expect(['Page', 'Endpoint', 'Section', 'Error code'], title).toContain(find(title)[0]?.kind)
  })

  it.each(['a', 'e', 'x', 'Q', '7', '/'])('is missing for the letter %s', query => {
    expect(find(query)).toEqual([])
  })
})

it('only pages that exist have words of their own', () => {
  const slugs = new Set(listPages().flatMap(({ pages }) => pages.map(({ slug }) => slug)))
  expect(Object.keys(PAGE_WORDS).filter(slug => !slugs.has(slug))).toEqual([])
})
