import { listEndpoints } from '../endpoints'
import { heading, list, type Block, type DocsPage } from './page'

/** Returns the first page: where to start, and the list of all endpoints. */
export function describeOverview(): DocsPage {
  const endpoints = listEndpoints()
  const groups = [...new Set(endpoints.map(({ group }) => group))]
  return {
    slug: '',
    title: 'Documentation',
    lead: 'Send your files in one POST request. The API returns the finished file, or an error in JSON.',
    blocks: [
      heading('Start here'),
      list(
        '[Quickstart](/docs/quickstart): create an API key and merge two PDFs.',
        '[API basics](/docs/api-basics): authentication, API keys, requests, responses, files and page selectors.',
        '[Chain tools](/docs/chain-tools): several tools in one request.',
        '[Pricing](/docs/pricing): 1 credit for each successful request.',
        '[Errors](/docs/errors), [retries](/docs/retries) and [idempotency](/docs/idempotency): handle failures.',
        '[Limits](/docs/limits) and [rate limits](/docs/rate-limits): file sizes, times and concurrency.',
        '[Response headers](/docs/headers) and [warnings](/docs/warnings): details about each response.',
        '[What Sheaf doesn’t do](/docs/not-supported): webhooks, asynchronous jobs, several keys per account.',
        '[Privacy](/docs/privacy) and [security](/docs/security): what Sheaf stores, and how it protects your data.',
        '[Versioning](/docs/versioning) and [changelog](/docs/changelog): what may change, and what changed.',
        '[Self-hosting](/docs/self-hosting): run your own server.',
      ),
      heading('Endpoints'),
      ...groups.flatMap((group): Block[] => [
        heading(group, 3),
        {
          kind: 'table',
          columns: ['Endpoint', 'Description'],
          rows: endpoints
            .filter(endpoint => endpoint.group === group)
            .map(({ slug, title, summary }) => ({ cells: [`[${title}](/docs/${slug})`, summary] })),
        },
      ]),
      heading('Machine-readable documentation'),
      list(
        'Clients: [TypeScript](/docs/typescript), [Python](/docs/python), the [command line](/docs/command-line), and ' +
          '[agents](/docs/mcp).',
        'The [OpenAPI 3.1 document](/openapi.json) describes every endpoint, parameter, header and error. The [Postman ' +
          'collection](/postman.json) has a request for each example.',
        'Every page is also available as Markdown. Add `.md` to its URL, or send `Accept: text/markdown`.',
        '[/llms.txt](/llms.txt) lists all pages for language models. [/llms-full.txt](/llms-full.txt) contains their ' +
          'full text.',
      ),
    ],
  }
}
