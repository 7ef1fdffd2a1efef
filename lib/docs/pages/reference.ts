import { WARNINGS, type Warning } from '../../../engines/types'
import { ERROR_STATUS, type ErrorCode } from '../../errors'
import { RESPONSE_HEADERS, type ResponseHeader } from '../response-headers'
import { describeOptions } from '../describe'
import {
  ERROR_ENTRIES,
  errorBodySchema,
  listErrorCodes,
  REASON_MEANINGS,
  RETRY_ADVICE,
  writeExampleBody,
} from '../errors'
import { listEndpoints } from '../endpoints'
import { describeLimits, describeTimeLimits } from '../limits'
import { WARNING_ADVICE } from '../warnings'
import { heading, prose, type Block, type DocsPage, type PageContext } from './page'

/** Returns the page with every error code, its cause, what to do, and an example body. */
export function describeErrors({ origin, config }: PageContext): DocsPage {
  const codes = listErrorCodes()
  return {
    slug: 'errors',
    title: 'Errors',
    lead: 'A failed request returns a 4xx or 5xx status and a JSON body with an error code. It costs nothing.',
    blocks: [
      {
        kind: 'table',
        columns: ['Status', 'Code', 'Retry?'],
        rows: codes.map(code => ({
          cells: [String(ERROR_STATUS[code]), `[\`${code}\`](#${code})`, RETRY_ADVICE[ERROR_ENTRIES[code].retry]],
        })),
      },
      prose('See [Retries](/docs/retries) and [Idempotency](/docs/idempotency) to retry without paying twice.'),
      heading('Contact support'),
      prose(
        config.OPERATOR_EMAIL === undefined
          ? 'This server publishes no support address. Ask the person or company that runs it. Include the `requestId`.'
          : `Write to ${config.OPERATOR_EMAIL}, the operator of this server. Include the \`requestId\`.`,
      ),
      heading('Error body'),
      {
        kind: 'options',
        anchor: 'body',
        rows: describeOptions(errorBodySchema).map(row =>
          row.name === 'error' || row.name === 'reason' ? { ...row, values: [] } : row,
        ),
      },
      heading('Reasons'),
      prose(
        'An error about your input has a `reason`. The error code says what kind of request failed, and the reason ' +
          'says why.',
      ),
      {
        kind: 'table',
        columns: ['Reason', 'Meaning'],
        rows: Object.entries(REASON_MEANINGS).map(([reason, meaning]) => ({
          id: `reason-${reason}`,
          cells: [`\`${reason}\``, meaning],
        })),
      },
      ...codes.flatMap((code): Block[] => [
        { kind: 'heading', level: 2, id: code, text: `${ERROR_STATUS[code]} \`${code}\`` },
        prose(`**Cause.** ${ERROR_ENTRIES[code].cause}`),
        prose(`**What to do.** ${ERROR_ENTRIES[code].fix}`),
        prose(`**Retry?** ${RETRY_ADVICE[ERROR_ENTRIES[code].retry]}`),
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
    lead: 'A warning says what Sheaf adjusted or could not keep. Warnings do not make a request fail.',
    blocks: [
      prose(
        'The response header `X-Warnings` lists the codes, separated by commas. Warnings do not change the price. ' +
          'Error responses can have warnings, too, such as `unknown-field`.',
      ),
      prose('Warnings keep their names. New ones may be added, so ignore warnings that you do not know.'),
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
    lead: 'The limits of this server. A request that fails because of a limit costs nothing.',
    blocks: [
      {
        kind: 'table',
        columns: ['Limit', 'Value', 'If you exceed it'],
        rows: describeLimits(config).map(({ what, value, variable, errors = [], outcome }) => ({
          ...(variable === undefined ? {} : { id: variable }),
          cells: [what, value, outcome ?? linkErrors(errors)],
        })),
      },
      prose(
        'If a file is too large, split it with another program. If its processing takes too long, process fewer ' +
          'pages per request. Parameters have their own limits. The page of each endpoint lists them.',
      ),
      heading('Time limits by endpoint'),
      prose('Time in the queue does not count. A request over its limit fails, and costs nothing.'),
      {
        kind: 'table',
        columns: ['Endpoint', 'Maximum time'],
        rows: listEndpoints().map(endpoint => ({
          cells: [`[${endpoint.title}](/docs/${endpoint.slug})`, describeTimeLimits(endpoint, config)],
        })),
      },
      prose('Concurrency and queues: [Rate limits and concurrency](/docs/rate-limits).'),
      prose(
        'If you run your own server, you can change most of these limits with [environment ' +
          'variables](/docs/configuration). ' +
          'The name of a variable is also the anchor of its row on this page, such as ' +
          '[`#MAX_BODY_BYTES`](#MAX_BODY_BYTES).',
      ),
    ],
  }
}

function linkErrors(codes: ErrorCode[]): string {
  return codes.map(code => `[\`${code}\`](/docs/errors#${code})`).join(', ')
}

/** Returns the page about response headers. */
export function describeHeaders(): DocsPage {
  return {
    slug: 'headers',
    title: 'Response headers',
    lead: 'Response headers state the cost, the ID and the warnings of a request, and details about the file.',
    blocks: [
      headerTable(RESPONSE_HEADERS),
      prose('Log `X-Request-Id`. Monitor `X-Credit-Balance`. Check `X-Warnings` in every response.'),
    ],
  }
}

/** Returns a table of headers. */
export function headerTable(headers: ResponseHeader[]): Block {
  return {
    kind: 'table',
    columns: ['Header', 'Description', 'Present', 'Example'],
    rows: headers.map(({ name, meaning, on, when, example }) => ({
      id: name,
      cells: [`\`${name}\``, meaning, describePresence({ on, when }), `\`${example}\``],
    })),
  }
}

function describePresence({ on, when }: Pick<ResponseHeader, 'on' | 'when'>): string {
  if (when === undefined) return WHERE[on]
  return on === 'all' ? `If ${when}` : `${WHERE[on]}, if ${when}`
}

const WHERE = { all: 'Always', file: 'On success', error: 'On errors' }
