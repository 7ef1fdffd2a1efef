import { countTraps, listConstructions, REDACTION_TRAPS } from '../redaction-traps'
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
        'Sheaf processes each request in a separate process with limits for time and memory.',
        'Sheaf does not store documents. See [Privacy](/docs/privacy) for what it stores.',
      ),
      heading('API keys'),
      prose(
        'Sheaf stores a hash of your key and shows the key once. A key begins with `sheaf_live_` and ends with a ' +
          'checksum, so secret scanners can find leaked keys. See [Keep keys on your ' +
          'server](/docs/api-basics#keep-keys-on-your-server).',
      ),
      heading('Web pages'),
      prose(
        'A web page can open public IP addresses only. A proxy of Sheaf resolves each name and rejects private ' +
          "addresses and the server's own addresses. It connects to the address that it checked. The error for a " +
          'blocked address is the same as for an unreachable one.',
      ),
      heading('Redaction'),
      prose(
        '[Redaction](/docs/pdf-redaction) removes the selected content. A second engine then checks the result. If ' +
          'it finds the content, the request fails and costs nothing. `X-Redaction-Verified` is `false` if something ' +
          'could not be checked. See [what "verified" means](/docs/pdf-redaction#what-verified-means).',
      ),
      heading('Promises'),
      prose('This table lists the threats, the promise for each, and the parts of `npm run chaos` that test it.'),
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
      'The table shows how many checks passed in the latest published run of each part. The machine: ' +
        `${TRIALS.machine}.`,
    ),
    {
      kind: 'table',
      columns: ['Part', 'Test', 'Passed checks'],
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
    `${number(tried)} files hide a secret in ${number(constructions)} ways. The secret is removed, or the response ` +
    "says that the redaction isn't verified."
  return {
    cells: [
      '[Redaction traps](#redaction-traps)',
      description,
      `Tried: ${number(tried)}. Verified: ${number(verified)}. Leaked: ${number(leaked)}. ${REDACTION_TRAPS.date}`,
    ],
  }
}

function describeTraps(): Block[] {
  const rows = REDACTION_TRAPS.groups.map(group => {
    const { tried, verified, leaked } = countTraps([group])
    return {
      cells: [group.name, group.cause, listConstructions(group), number(tried), number(verified), number(leaked)],
    }
  })
  return [
    heading('Redaction traps', 3),
    prose(
      'A redaction trap is a file with a secret in one place. The tests make each file, redact it and search the ' +
        'result. PDFium and pdf.js read all text. All bytes are decoded and searched in every encoding. Embedded ' +
        'fonts are read glyph by glyph. Areas are compared as pixels, and scans are recognized again. Poppler and ' +
        'MuPDF also read each file if they are installed.',
    ),
    prose(
      'The tests first check that they find the secret in the original file. A trap leaks if anything finds the ' +
        'secret after the redaction. In some traps, the font has no usable Unicode mapping or a wrong one. For ' +
        'these traps, the response may have `X-Redaction-Verified: false`, and the secret may remain.',
    ),
    {
      kind: 'table',
      columns: ['Traps', 'Cause', 'Constructions, with the number of traps', 'Tried', 'Verified', 'Leaked'],
      rows,
    },
  ]
}

const number = (count: number): string => count.toLocaleString('en')
