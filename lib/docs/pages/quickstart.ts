import { MONTHLY_CREDITS } from '../../credits/ledger'
import { findEndpoint } from '../endpoints'
import { writeFormSamples, writeShortSample } from '../samples'
import { writeInstallation } from './clients'
import { heading, list, prose, type DocsPage, type PageContext } from './page'

/** Returns the page that leads to a first file: an account, a key and one request. */
export function describeQuickstart({ origin }: PageContext): DocsPage {
  const merge = findEndpoint('merge-pdf')
  if (!merge) throw new Error('The quickstart needs merge-pdf')
  return {
    slug: 'quickstart',
    title: 'Quickstart',
    lead: 'Create an API key, send one request, and get a merged PDF back.',
    blocks: [
      heading('1. Create an API key'),
      prose(
        `[Create an account](/account), then create an API key. Each account gets ${MONTHLY_CREDITS} free credits a ` +
          'month. A successful request costs 1 credit.',
      ),
      prose('If the account area asks you to confirm your email address, confirm it before you create the key.'),
      prose('Sheaf shows the key once. Store it in an environment variable:'),
      { kind: 'code', language: 'sh', text: 'export SHEAF_API_KEY=sheaf_live_…', what: 'the environment variable' },
      heading('2. Send a request'),
      prose(
        'Download [letter.pdf](/samples/letter.pdf) and [terms.pdf](/samples/terms.pdf) into one folder. Run this ' +
          'command there:',
      ),
      { kind: 'code', language: 'sh', text: writeShortSample(merge, origin), what: 'a request that merges two files' },
      heading('3. Open the file'),
      prose(
        'The response body is the merged PDF. curl saves it as `letter-merged.pdf`. If the request fails, curl exits ' +
          'with an error. The file then contains the error as JSON instead of a PDF.',
      ),
      heading('The same request in your language'),
      {
        kind: 'samples',
        label: 'Merge two files',
        samples: writeFormSamples({
          url: `${origin}/api/external/pdf-tools/merge-pdf`,
          apiKey: undefined,
          files: { field: 'files', names: ['letter.pdf', 'terms.pdf'] },
          values: {},
          responseName: 'letter-merged.pdf',
        }),
      },
      heading('Use a client'),
      prose(
        'The clients check your options, retry safely and save files. Install the one for ' +
          '[TypeScript](/docs/typescript), [Python](/docs/python) or the [command line](/docs/command-line):',
      ),
      {
        kind: 'code',
        language: 'sh',
        text: (['typescript', 'python', 'cli'] as const).map(client => writeInstallation(client, origin)).join('\n'),
        what: 'the installation of the clients',
      },
      heading('Next steps'),
      list(
        '**Keep your key on your server.** Anyone who has the key can spend your credits. Read [how to protect ' +
          'it](/docs/api-basics#keep-keys-on-your-server).',
        'Try every endpoint in the [playground](/account/playground). It uses your account, so you need no key. A ' +
          'successful request there costs 1 credit, too.',
        '[Chain tools](/docs/chain-tools): run several tools in one request for 1 credit.',
        'Read [API basics](/docs/api-basics), then [handle errors](/docs/errors) and [retry safely](/docs/retries).',
      ),
    ],
  }
}
