import { MONTHLY_CREDITS } from '../../credits/ledger'
import { listDocumentedCalls } from '../documented-calls'
import { writeFormSamples } from '../samples'
import { heading, list, prose, type DocsPage, type PageContext } from './page'

/** Returns the first page: the product, and three steps to a first file. */
export function describeOverview({ origin }: PageContext): DocsPage {
  const calls = listDocumentedCalls()
  const groups = [...new Set(calls.map(({ group }) => group))]
  return {
    slug: '',
    title: 'Documentation',
    lead:
      'Every call is one POST. Its answer is the finished file, or a JSON body that says what is wrong and what ' +
      'would be right.',
    blocks: [
      heading('Quick start'),
      {
        kind: 'list',
        isOrdered: true,
        items: [
          `[Open an account](/account) and create an API key. The account has ${MONTHLY_CREDITS} credits each ` +
            'month; a call that works costs one.',
          'Keep the key on your server, in the environment variable `SHEAF_API_KEY`: `export ' +
            'SHEAF_API_KEY=sheaf_live_…`',
          'Save [letter.pdf](/samples/letter.pdf) and [terms.pdf](/samples/terms.pdf) beside one of these programs ' +
            'and run it. It saves `merged.pdf`.',
        ],
      },
      {
        kind: 'samples',
        label: 'Merge two files',
        samples: writeFormSamples({
          url: `${origin}/api/external/pdf-tools/merge-pdf`,
          apiKey: undefined,
          files: { field: 'files', names: ['letter.pdf', 'terms.pdf'] },
          values: {},
          responseName: 'merged.pdf',
        }),
      },
      {
        kind: 'note',
        text:
          '**Keys belong on servers.** Whoever has the key spends your credits, so never ship it in a web page or an ' +
          'app. [Why, and what to do instead](/docs/authentication#keys-belong-on-servers).',
      },
      prose(
        'Nothing to install? The [playground](/account/playground) runs every call in the browser, with your ' +
          'account instead of a key.',
      ),
      heading('Base address'),
      { kind: 'code', language: 'http', text: `${origin}/api/external/`, what: 'the base address' },
      ...groups.flatMap(group => [
        heading(group),
        {
          kind: 'table' as const,
          columns: ['Call', 'What it does'],
          rows: calls
            .filter(call => call.group === group)
            .map(({ slug, title, summary }) => ({ cells: [`[${title}](/docs/${slug})`, summary] })),
        },
      ]),
      heading('For programs'),
      list(
        'The [OpenAPI 3.1 document](/openapi.json) has every call, option, header and error.',
        'Every page is Markdown too: put `.md` behind its address, or send `Accept: text/markdown`.',
        '[/llms.txt](/llms.txt) lists the pages for language models; [/llms-full.txt](/llms-full.txt) holds all of ' +
          'them.',
      ),
    ],
  }
}
