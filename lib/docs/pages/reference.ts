import { WARNINGS, type Warning } from '../../../engines/types'
import { ERROR_STATUS } from '../../errors'
import { RESPONSE_HEADERS, type ResponseHeader } from '../response-headers'
import { describeOptions } from '../describe'
import { ERROR_ENTRIES, errorBodySchema, listErrorCodes, RETRY_ADVICE, writeExampleBody } from '../errors'
import { describeLimits } from '../limits'
import { EXAMPLE_PAGE_COUNT, SELECTOR_FORMS } from '../selectors'
import { WARNING_ADVICE } from '../warnings'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'

/** Returns the page with every error code, its cause, what to do, and an example body. */
export function describeErrors({ origin }: PageContext): DocsPage {
  const codes = listErrorCodes()
  return {
    slug: 'errors',
    title: 'Errors',
    lead:
      'A call that fails is answered with a status, a JSON body, and the credit headers that say that it cost ' +
      'nothing.',
    blocks: [
      {
        kind: 'table',
        columns: ['Status', 'Code', 'Send it again?'],
        rows: codes.map(code => ({
          cells: [String(ERROR_STATUS[code]), `[\`${code}\`](#${code})`, RETRY_ADVICE[ERROR_ENTRIES[code].retry]],
        })),
      },
      prose('How long to wait, and how not to pay twice: [retries and rates](/docs/retries).'),
      heading('Error body'),
      {
        kind: 'options',
        rows: describeOptions(errorBodySchema).map(row => (row.name === 'error' ? { ...row, values: [] } : row)),
      },
      ...codes.flatMap((code): Block[] => [
        { kind: 'heading', level: 2, id: code, text: `${ERROR_STATUS[code]} \`${code}\`` },
        prose(`**Cause.** ${ERROR_ENTRIES[code].cause}`),
        prose(`**What to do.** ${ERROR_ENTRIES[code].fix}`),
        prose(`**Send it again?** ${RETRY_ADVICE[ERROR_ENTRIES[code].retry]}`),
        {
          kind: 'code',
          language: 'json',
          text: JSON.stringify(writeExampleBody(code, origin), null, 2),
          what: `the body of ${code}`,
        },
      ]),
    ],
  }
}

/** Returns the page with every warning and what to do about it. */
export function describeWarnings(): DocsPage {
  return {
    slug: 'warnings',
    title: 'Warnings',
    lead:
      'A file that is answered may lack something, or something was adjusted. The header `X-Warnings` then names it, ' +
      'several codes separated by commas.',
    blocks: [
      prose(
        'A call with warnings worked and is charged. Codes are never renamed; new ones may come, so treat those ' +
          "that you don't know as information.",
      ),
      {
        kind: 'table',
        columns: ['Code', 'Meaning', 'What to do'],
        rows: (Object.keys(WARNINGS) as Warning[]).map(warning => ({
          id: warning,
          cells: [`\`${warning}\``, WARNINGS[warning], WARNING_ADVICE[warning]],
        })),
      },
    ],
  }
}

/** Returns the page with the limits of this server. */
export function describeLimitsPage({ config }: PageContext): DocsPage {
  return {
    slug: 'limits',
    title: 'Limits',
    lead: 'What a call may ask of this server. A call that goes beyond a limit costs nothing.',
    blocks: [
      {
        kind: 'table',
        columns: ['Limit', 'Value', 'Beyond it'],
        rows: describeLimits(config).map(({ what, value, variable, error }) => ({
          id: variable,
          cells: [what, value, error === undefined ? '' : `[\`${error}\`](/docs/errors#${error})`],
        })),
      },
      prose(
        'Where a file is too large or takes too long: split it, or ask for fewer pages in one call. Options have ' +
          'limits of their own, which stand beside them.',
      ),
      prose(
        'Operators set these limits by [variables](#MAX_BODY_BYTES) of the same names as the anchors of the rows, ' +
          'such as `MAX_BODY_BYTES`.',
      ),
    ],
  }
}

/** Returns the page about page selectors. */
export function describeSelectors(): DocsPage {
  return {
    slug: 'selectors',
    title: 'Page selectors',
    lead:
      'Wherever a call takes pages, it takes an array of page numbers or one text that selects them. Pages count ' +
      'from 1.',
    blocks: [
      {
        kind: 'table',
        columns: ['Form', 'Meaning', `Example, of ${EXAMPLE_PAGE_COUNT} pages`],
        rows: SELECTOR_FORMS.map(({ form, meaning, example, pages }) => ({
          cells: [`\`${form}\``, meaning, `\`${JSON.stringify(example)}\` names ${pages.join(', ')}`],
        })),
      },
      list(
        'Spaces are ignored, and capital letters mean the same as small ones.',
        'Where order and repeats have a meaning (reordering, extracting), they are kept; elsewhere a page counts once.',
        'A page that the document does not have is refused, never skipped; the message names the term and how many ' +
          'pages there are.',
        'Negative numbers and 0 are refused, for programs disagree on what they mean.',
        'A text may have 2,000 characters and name 20,000 pages.',
      ),
    ],
  }
}

/** Returns the page about response headers. */
export function describeHeaders(): DocsPage {
  return {
    slug: 'headers',
    title: 'Headers of answers',
    lead: 'What an answer tells beside its file: what it cost, how it can be found again, and what could not be kept.',
    blocks: [
      headerTable(RESPONSE_HEADERS),
      prose(
        'A client that reads only three of them reads `X-Request-Id` into its log, `X-Credit-Balance` into its ' +
          'alarms, and `X-Warnings` into its tests.',
      ),
    ],
  }
}

/** Returns a table of headers. */
export function headerTable(headers: ResponseHeader[]): Block {
  return {
    kind: 'table',
    columns: ['Header', 'Meaning', 'Present', 'Example'],
    rows: headers.map(({ name, meaning, on, when, example }) => ({
      id: name,
      cells: [`\`${name}\``, meaning, describePresence({ on, when }), `\`${example}\``],
    })),
  }
}

function describePresence({ on, when }: Pick<ResponseHeader, 'on' | 'when'>): string {
  if (when === undefined) return WHERE[on]
  return on === 'all' ? `When ${when}` : `${WHERE[on]}, when ${when}`
}

const WHERE = { all: 'Always', file: 'With a file', error: 'With an error' }
