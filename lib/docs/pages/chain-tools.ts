import { findEndpoint } from '../endpoints'
import { describeEndpointLimits } from '../limits'
import { writeSamples } from '../samples'
import { writeClientSamples } from '../samples/client-samples'
import RECEIPT from './chain-receipt.json' with { type: 'json' }
import { BROKEN_STEPS, CHAIN_SAMPLES, endpointOf, type ChainSample } from './chain-samples'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'

/** Returns the guide to several tools in one request. */
export function describeChainTools({ origin, config }: PageContext): DocsPage {
  const endpoint = findEndpoint('pipeline')
  if (!endpoint) throw new Error('The guide needs the pipeline')
  return {
    slug: 'chain-tools',
    title: 'Chain tools',
    lead: 'Run several tools in one request. You upload the files once, get one file back, and pay 1 credit.',
    blocks: [
      prose(
        'Send the steps to the endpoint [Pipeline](/docs/pipeline). A step is a PDF tool, a web page or an invoice. ' +
          'Each step reads the result before it, unless its `files` name uploads or earlier results. A step ' +
          'has the same options as a request to its endpoint.',
      ),
      prose(
        'The files of the samples are [letter.pdf](/samples/letter.pdf) and [terms.pdf](/samples/terms.pdf). The key ' +
          'comes from the environment variable `SHEAF_API_KEY`.',
      ),
      ...CHAIN_SAMPLES.flatMap(sample => describeSample(sample, origin)),
      ...describeClients(origin),
      ...describeOrders(),
      ...describePromises(),
      ...describeReceipt(),
      heading('Price and limits'),
      list(
        'A pipeline costs 1 [credit](/docs/pricing), however many steps it has. A failed one is free.',
        ...describeEndpointLimits(endpoint, config),
        'A result between two steps can be as large as a response. See [all limits](/docs/limits).',
        'An [`Idempotency-Key`](/docs/idempotency) covers the whole request.',
      ),
    ],
  }
}

function describeSample(sample: ChainSample, origin: string): Block[] {
  const { title, text } = sample
  return [
    heading(title),
    prose(text),
    { kind: 'samples', label: title, samples: writeSamples(endpointOf(sample), origin).form },
  ]
}

function describeClients(origin: string): Block[] {
  const samples = CHAIN_SAMPLES.map(sample =>
    writeClientSamples({ endpoint: endpointOf(sample), options: sample.options, origin }),
  )
  return [
    heading('With a client'),
    prose(
      'The clients for [TypeScript](/docs/typescript) and [Python](/docs/python) take the files first. Without files, ' +
        'send an empty list. The [command](/docs/command-line) reads the steps from a JSON file, such as `sheaf ' +
        'pipeline steps.json letter.pdf`. `-` is standard input. Agents have the [tool](/docs/mcp) `pipeline`.',
    ),
    { kind: 'samples', label: 'A court bundle with a client', samples: samples[1] ?? [] },
  ]
}

function describeOrders(): Block[] {
  return [
    heading('Orders that are refused'),
    prose(
      'Sheaf checks all steps before it runs the first one. An order that contradicts itself is `422` and free. The ' +
        'message names the step and says what works.',
    ),
    {
      kind: 'table',
      columns: ['Order', 'What works'],
      rows: [
        ['Another tool than `unlock-pdf` after `protect-pdf`', 'Put `protect-pdf` last.'],
        [
          '`edit-metadata` adds what `remove-metadata` was asked to remove',
          'List the entry in `keep`, or leave out one of the two steps.',
        ],
        [
          'A tool for one file after `split-pdf`, `pdf-to-images` or another step with several files',
          'Put the tool before that step, or join the files with `merge-pdf` or `images-to-pdf`.',
        ],
        ['Any step after text, JSON or another report', 'Put the report last.'],
        ['Another tool than `read-invoice` after an invoice as XML', 'Ask for the invoice as a PDF.'],
        ['An upload or a result that no step reads', 'Name it in `files`, or leave it out.'],
        ['A web page or an invoice that reads the result of a step', 'Name only uploads in its `files`.'],
      ].map(cells => ({ cells })),
    },
  ]
}

function describePromises(): Block[] {
  return [
    heading('When a promise is broken'),
    prose(
      'Some steps promise something about their file. A later step could break it, so Sheaf checks each promise again ' +
        'on the final file.',
    ),
    {
      kind: 'table',
      columns: ['Step', 'Promise', 'How the final file is checked'],
      rows: [
        [
          '`pdf-redaction`',
          'Nothing is left that the redaction removed.',
          'The rules without `pages` search it again. See [what holds](/docs/pipeline#what-holds-for-the-final-file).',
        ],
        [
          '`convert-to-pdfa`, or a web page or an invoice with a standard',
          'The file conforms to the standard.',
          'It is validated again.',
        ],
        ['`compress-pdf` with `targetBytes`', 'The file has at most this size.', 'It is measured.'],
      ].map(cells => ({ cells })),
    },
    prose(
      'If a promise no longer holds, the response is `422` with the reason `promise_broken`, and it is free. The ' +
        'message names the step that broke the promise. These steps add a file that still has the name:',
    ),
    code(BROKEN_STEPS, 'steps that break a promise'),
    prose(`The message is: “${BROKEN_MESSAGE}”`),
  ]
}

/** The message for `BROKEN_STEPS`. */
export const BROKEN_MESSAGE =
  'steps[1] (merge-pdf) breaks what steps[0] (pdf-redaction) promises: the file has nothing left that the redaction ' +
  'removed. Move the step with the promise to the end, or leave out one of the two steps.'

function describeReceipt(): Block[] {
  return [
    heading('The receipt'),
    prose(
      'With `"receipt": true`, the response is a ZIP of the file and `receipt.json`. The receipt lists the steps with ' +
        'their options, warnings and milliseconds. It has the size and the SHA-256 of every file that a step reads or ' +
        'makes. Passwords and the contents of files are not shown, nor what a redaction searched.',
    ),
    prose(
      '`promises` has the promises that were checked on the final file. The `verdict` is `holds`, or `unknown` if a ' +
        "check was incomplete. It is `not-a-pdf` if the final file isn't a PDF. The step and the claim are beside it. " +
        'This receipt is of a redaction and page numbers. Its hashes are shortened:',
    ),
    code(RECEIPT, 'a receipt'),
  ]
}

function code(value: unknown, what: string): Block {
  return { kind: 'code', language: 'json', text: JSON.stringify(value, null, 2), what }
}
