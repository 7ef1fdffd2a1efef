import { countTraps, listConstructions, OTHER_LEAKS, REDACTION_TRAPS } from '../redaction-traps'
import { NOT_PROMISED, SECURITY_PROMISES, VULNERABILITY_REPORT } from '../security'
import { describeRuns, listTrials, TRIALS } from '../trials'
import { heading, list, prose, type Block, type DocsPage, type TableRow } from './page'

/** Returns the page about security. */
export function describeSecurity(): DocsPage {
  return {
    slug: 'security',
    title: 'Security',
    lead: 'How Sheaf protects documents, keys and accounts, and how each promise is tested.',
    blocks: [
      heading('Documents'),
      list(
        'A separate process with limits for time and memory opens the files of a request.',
        'Sheaf does not store documents. See [Privacy](/docs/privacy) for what it stores.',
      ),
      heading('API keys'),
      prose(
        'Sheaf stores a hash of your key and shows the key once. A key begins with `sheaf_live_` and ends with a ' +
          'checksum, so secret scanners can find leaked keys. See [Keep keys on your ' +
          'server](/docs/api-basics#keep-keys-on-your-server) and [Rotate a key](/docs/api-basics#rotate-a-key).',
      ),
      heading('Web pages'),
      prose(
        "A web page can open public IP addresses only. Sheaf's proxy resolves each name. It rejects private " +
          "addresses and the server's own addresses, and connects only to an address that it checked. A URL with a " +
          'private host returns 400. While a page loads, the error for blocked addresses is the same as for ' +
          'unreachable addresses.',
      ),
      heading('Redaction'),
      prose(
        '[Redaction](/docs/pdf-redaction) removes the selected content. A second engine then checks the result. If ' +
          'the engine finds content, Sheaf redacts that content again. If content remains, Sheaf turns the page into ' +
          'an image. If the content is still readable, the request fails and costs nothing. `X-Redaction-Verified` is ' +
          '`false` if something could not be checked. See [what "verified" ' +
          'means](/docs/pdf-redaction#what-verified-means).',
      ),
      heading('Promises'),
      prose(
        'This table lists threats, what Sheaf promises, and the tests of each promise. `npm run chaos` runs these ' +
          'tests in the repository of Sheaf. A name such as `ledger` stands for all tests whose names begin with it, ' +
          'such as `ledger-server`.',
      ),
      {
        kind: 'table',
        columns: ['Threat', 'Promise', 'Tested by'],
        rows: SECURITY_PROMISES.map(({ against, promise, chaosParts }) => ({
          cells: [against, promise, chaosParts.map(part => `\`${part}\``).join(', ')],
        })),
      },
      heading('Not promised'),
      list(...NOT_PROMISED),
      ...describeTrials(),
      heading('Report a vulnerability'),
      list(...VULNERABILITY_REPORT),
    ],
  }
}

function describeTrials(): Block[] {
  if (TRIALS.trials.length === 0) return []
  return [
    heading('Test results'),
    prose(
      'The table shows how many checks passed in the latest published run of each test. The machine: ' +
        `${TRIALS.machine}. PGlite is the embedded database. At 10% of full scale, a run does 10% of the described ` +
        'repetitions.',
    ),
    {
      kind: 'table',
      columns: ['Test', 'What it does', 'Passed checks'],
      rows: [
        ...listTrials().map(trial => ({ cells: [`\`${trial.part}\``, trial.description, describeRuns(trial)] })),
        trapRow(),
      ],
    },
    ...describeTraps(),
  ]
}

function trapRow(): TableRow {
  const { constructions, tried, verified, leaked } = countTraps()
  const description =
    `${number(tried)} files of our own hide a secret in ${number(constructions)} ways. Sheaf must remove the secret, ` +
    `or report the redaction as not verified. ${OTHER_LEAKS}`
  return {
    cells: [
      '[Redaction traps](#redaction-traps)',
      description,
      `Tried: ${number(tried)}. Verified: ${number(verified)}. Not verified: ${number(tried - verified)}. ` +
        `Leaked: ${number(leaked)}. (${REDACTION_TRAPS.date})`,
    ],
  }
}

function describeTraps(): Block[] {
  const rows = REDACTION_TRAPS.groups.map(group => {
    const { tried, verified, leaked } = countTraps([group])
    return {
      cells: [
        group.name,
        group.cause,
        listConstructions(group),
        ...[tried, verified, tried - verified, leaked].map(number),
      ],
    }
  })
  return [
    heading('Redaction traps', 3),
    prose(
      'A redaction trap is a file with a secret in one place. The tests make each file and redact it. They first ' +
        'check that they find the secret in the original file. Then they search the redacted file:',
    ),
    list(
      'PDFium and PDF.js read all text. Poppler and MuPDF also read it if they are installed.',
      'All bytes are decoded and searched in every encoding.',
      'Embedded fonts are read glyph by glyph.',
      'Areas are checked pixel by pixel, and scans are recognized again.',
    ),
    prose(
      `The traps are our own, so the table shows nothing about ways that we did not think of. ${OTHER_LEAKS} Check a ` +
        'redacted file yourself before you publish it.',
    ),
    prose('The table counts these results:'),
    list(
      '"Verified": the response has `X-Redaction-Verified: true`.',
      '"Not verified": the response has `X-Redaction-Verified: false`, or the request returns an error.',
      '"Leaked": the response has `X-Redaction-Verified: true`, but the tests still find the secret.',
    ),
    prose(
      "In some traps, the font has no usable Unicode mapping or a wrong one, so Sheaf can't find the text. If Sheaf " +
        "reports such a redaction as not verified, the secret may remain. Sheaf doesn't claim to have removed it, so " +
        "the tests don't count it as leaked.",
    ),
    {
      kind: 'table',
      columns: [
        'Traps',
        'Contents',
        'Ways to hide the secret (number of files)',
        'Tried',
        'Verified',
        'Not verified',
        'Leaked',
      ],
      rows,
    },
  ]
}

const number = (count: number): string => count.toLocaleString('en')
