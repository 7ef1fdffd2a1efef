import { findDocumentedCall, listDocumentedCalls } from '../documented-calls'
import { describeCallPage } from './call'
import { describeAuthentication, describeCredits, describeRequests, describeRetries, describeSecurity } from './guides'
import { describeMarkdownFile } from './markdown-file'
import { describeOverview } from './overview'
import type { DocsPage, PageContext } from './page'
import { describeErrors, describeHeaders, describeLimitsPage, describeSelectors, describeWarnings } from './reference'

/** A page in the list of all pages. */
export interface PageEntry {
  slug: string
  title: string
  /** Description in the list for language models. */
  summary: string
}

/** A group of related pages. */
export interface PageGroup {
  title: string
  pages: PageEntry[]
}

interface Guide extends PageEntry {
  describe(context: PageContext): DocsPage
}

const GUIDE: Guide[] = [
  { slug: '', title: 'Overview', summary: 'Quick start and the list of all calls.', describe: describeOverview },
  {
    slug: 'authentication',
    title: 'Authentication',
    summary: 'The API key, and why it stays on servers.',
    describe: describeAuthentication,
  },
  {
    slug: 'credits',
    title: 'Credits',
    summary: 'What calls cost, and what failures do not.',
    describe: describeCredits,
  },
  { slug: 'requests', title: 'Requests', summary: 'Forms and JSON, files and names.', describe: describeRequests },
  {
    slug: 'retries',
    title: 'Retries and rates',
    summary: 'Idempotency keys, request ids, concurrency, what to send again and when.',
    describe: describeRetries,
  },
  { slug: 'security', title: 'Security', summary: 'What is kept and what is not.', describe: describeSecurity },
  {
    slug: 'self-hosting',
    title: 'Self-hosting',
    summary: 'Run your own server: Postgres, instances, backups, upgrades, bottlenecks and sizes.',
    describe: () => describeMarkdownFile('self-hosting'),
  },
  {
    slug: 'configuration',
    title: 'Configuration',
    summary: 'The environment variables of a server of your own.',
    describe: () => describeMarkdownFile('configuration'),
  },
]

const REFERENCE: Guide[] = [
  { slug: 'selectors', title: 'Page selectors', summary: 'How pages are named.', describe: describeSelectors },
  { slug: 'headers', title: 'Headers', summary: 'The headers of answers.', describe: describeHeaders },
  {
    slug: 'errors',
    title: 'Errors',
    summary: 'Every error code with its cause and what to do.',
    describe: describeErrors,
  },
  {
    slug: 'warnings',
    title: 'Warnings',
    summary: 'Every warning and what to do about it.',
    describe: describeWarnings,
  },
  { slug: 'limits', title: 'Limits', summary: 'Sizes, times and counts.', describe: describeLimitsPage },
  {
    slug: 'changelog',
    title: 'Changelog',
    summary: 'What changed.',
    describe: () => describeMarkdownFile('changelog'),
  },
]

/** Lists all pages in navigation order. */
export function listPages(): PageGroup[] {
  const calls = listDocumentedCalls()
  return [
    { title: 'Guide', pages: GUIDE },
    ...[...new Set(calls.map(({ group }) => group))].map(title => ({
      title,
      pages: calls.filter(({ group }) => group === title),
    })),
    { title: 'Reference', pages: REFERENCE },
  ]
}

/** Returns the page at `/docs/<slug>`. Undefined if there is none. */
export function findPage(slug: string, context: PageContext): DocsPage | undefined {
  const guide = [...GUIDE, ...REFERENCE].find(one => one.slug === slug)
  if (guide) return guide.describe(context)
  const call = findDocumentedCall(slug)
  return call && describeCallPage(call, context)
}
