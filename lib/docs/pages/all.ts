import { findEndpoint, listEndpoints } from '../endpoints'
import { describeApiBasics } from './api-basics'
import { describeEndpointPage } from './endpoint'
import { describeCommandLine, describeMcp, describePython, describeTypeScript } from './clients'
import { describeChainTools } from './chain-tools'
import { describeElectronicFields } from './electronic-fields'
import { describeElectronic, describeFacturX, describePeppol, describeXRechnung } from './electronic-formats'
import { describeMarkdownFile } from './markdown-file'
import { describeOverview } from './overview'
import type { DocsPage, PageContext } from './page'
import { describePerformance } from './performance'
import { describePricing } from './pricing'
import { describePrivacy } from './privacy'
import { describeQuickstart } from './quickstart'
import { describeErrors, describeHeaders, describeLimitsPage, describeWarnings } from './reference'
import { describeIdempotency, describeRateLimits, describeRetries } from './reliability'
import { describeSecurity } from './security'
import { describeNotSupported, describeVersioning } from './versioning'

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

const START: Guide[] = [
  { slug: '', title: 'Overview', summary: 'All endpoints, and where to start.', describe: describeOverview },
  {
    slug: 'quickstart',
    title: 'Quickstart',
    summary: 'Create an API key and send the first request.',
    describe: describeQuickstart,
  },
  { slug: 'pricing', title: 'Pricing', summary: 'Credits, free credits, purchases.', describe: describePricing },
  {
    slug: 'api-basics',
    title: 'API basics',
    summary: 'Authentication, API keys, requests, responses, files, page selectors, units, types, unknown fields.',
    describe: describeApiBasics,
  },
  {
    slug: 'chain-tools',
    title: 'Chain tools',
    summary: 'Several tools in one request for one credit, with samples, refused orders and the receipt.',
    describe: describeChainTools,
  },
  {
    slug: 'not-supported',
    title: 'What Sheaf doesn’t do',
    summary: 'No webhooks, no asynchronous jobs, no Office files, no signatures, one key per account.',
    describe: describeNotSupported,
  },
]

const HANDLING: Guide[] = [
  {
    slug: 'errors',
    title: 'Errors',
    summary: 'Every error code, its cause, how to fix it, and whether to retry.',
    describe: describeErrors,
  },
  {
    slug: 'idempotency',
    title: 'Idempotency',
    summary: 'Retry a request without paying twice.',
    describe: describeIdempotency,
  },
  {
    slug: 'retries',
    title: 'Retries',
    summary: 'Which responses to retry, and how long to wait.',
    describe: describeRetries,
  },
  {
    slug: 'rate-limits',
    title: 'Rate limits and concurrency',
    summary: 'Simultaneous requests, the queue, and 429 responses.',
    describe: describeRateLimits,
  },
  {
    slug: 'warnings',
    title: 'Warnings',
    summary: 'Every warning, and what to do about it.',
    describe: describeWarnings,
  },
  { slug: 'limits', title: 'Limits', summary: 'Maximum sizes, times and counts.', describe: describeLimitsPage },
  {
    slug: 'headers',
    title: 'Response headers',
    summary: 'Every header of a response.',
    describe: describeHeaders,
  },
]

const CLIENTS: Guide[] = [
  {
    slug: 'typescript',
    title: 'TypeScript',
    summary: 'The client for Node.js, Bun, Deno and Workers.',
    describe: describeTypeScript,
  },
  { slug: 'python', title: 'Python', summary: 'The client for Python.', describe: describePython },
  {
    slug: 'command-line',
    title: 'Command line',
    summary: 'The command `sheaf` for terminals and scripts.',
    describe: describeCommandLine,
  },
  {
    slug: 'mcp',
    title: 'Agents (MCP)',
    summary: 'Connect an agent: `sheaf mcp` with local files, or `/mcp` over HTTP.',
    describe: describeMcp,
  },
]

const ELECTRONIC: Guide[] = [
  {
    slug: 'e-invoices',
    title: 'Electronic invoices',
    summary: 'Factur-X, XRechnung and Peppol from the same JSON, and the rules that Sheaf checks.',
    describe: describeElectronic,
  },
  {
    slug: 'e-invoice-fields',
    title: 'Fields of EN 16931',
    summary: 'The business terms (BT) of EN 16931, and the parameters for them.',
    describe: describeElectronicFields,
  },
  {
    slug: 'factur-x',
    title: 'Factur-X and ZUGFeRD',
    summary: 'A PDF with the invoice data inside.',
    describe: describeFacturX,
  },
  {
    slug: 'xrechnung',
    title: 'XRechnung',
    summary: 'The German format for public buyers.',
    describe: describeXRechnung,
  },
  {
    slug: 'peppol',
    title: 'Peppol BIS Billing 3',
    summary: 'The format of the Peppol network.',
    describe: describePeppol,
  },
]

const TRUST: Guide[] = [
  { slug: 'privacy', title: 'Privacy', summary: 'What Sheaf stores, and for how long.', describe: describePrivacy },
  {
    slug: 'security',
    title: 'Security',
    summary: 'What Sheaf promises, and how each promise is tested.',
    describe: describeSecurity,
  },
  {
    slug: 'performance',
    title: 'Performance',
    summary: 'Processor times of the tools, compared with qpdf.',
    describe: describePerformance,
  },
  {
    slug: 'versioning',
    title: 'Versioning',
    summary: 'What may change without notice.',
    describe: describeVersioning,
  },
  {
    slug: 'changelog',
    title: 'Changelog',
    summary: 'Changes by date.',
    describe: () => describeMarkdownFile('changelog'),
  },
]

const SELF_HOSTING: Guide[] = [
  {
    slug: 'self-hosting',
    title: 'Self-hosting',
    summary: 'Run your own server: install, Postgres, backups, upgrades and operations.',
    describe: () => describeMarkdownFile('self-hosting'),
  },
  {
    slug: 'configuration',
    title: 'Configuration',
    summary: 'The environment variables of your own server.',
    describe: () => describeMarkdownFile('configuration'),
  },
]

/** Lists all pages in navigation order. */
export function listPages(): PageGroup[] {
  const endpoints = listEndpoints()
  return [
    { title: 'Get started', pages: START },
    { title: 'Clients', pages: CLIENTS },
    { title: 'Errors and limits', pages: HANDLING },
    ...[...new Set(endpoints.map(({ group }) => group))].map(group => ({
      title: `Endpoints: ${group.toLowerCase()}`,
      pages: endpoints.filter(endpoint => endpoint.group === group),
    })),
    { title: 'Electronic invoices', pages: ELECTRONIC },
    { title: 'Security and releases', pages: TRUST },
    { title: 'Self-hosting', pages: SELF_HOSTING },
  ]
}

/** Returns the page at `/docs/<slug>`. Undefined if there is none. */
export function findPage(slug: string, context: PageContext): DocsPage | undefined {
  const guide = [...START, ...CLIENTS, ...HANDLING, ...ELECTRONIC, ...TRUST, ...SELF_HOSTING].find(
    one => one.slug === slug,
  )
  if (guide) return guide.describe(context)
  const endpoint = findEndpoint(slug)
  return endpoint && describeEndpointPage(endpoint, context)
}
