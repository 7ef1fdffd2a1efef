import { MOST_REPLAYS } from '../../credits/ledger'
import type { Config } from '../../config'
import { writeRotation } from './rotation'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'

/** Returns the page about the header `Idempotency-Key`. */
export function describeIdempotency({ origin }: PageContext): DocsPage {
  return {
    slug: 'idempotency',
    title: 'Idempotency',
    lead: 'Send an `Idempotency-Key` to retry a request without paying twice.',
    blocks: [
      prose(
        'A connection can break after Sheaf has charged the request and before you get the file. If you retry with ' +
          'the same `Idempotency-Key`, you get the file and pay nothing more.',
      ),
      heading('Send a key'),
      list(
        'The header is optional. Without it, every successful request costs 1 credit.',
        'A key has 1 to 255 printable ASCII characters, such as a UUID.',
        'Use a new key for each new request. Use the same key only to repeat that request.',
      ),
      {
        kind: 'code',
        language: 'sh',
        text: writeRotation(origin).replace('-F file', '-H "Idempotency-Key: order-4711" \\\n  -F file'),
        what: 'a request with an Idempotency-Key',
      },
      heading('What a repeated request returns'),
      {
        kind: 'table',
        columns: ['The first request', 'Response to the repeated request'],
        rows: [
          {
            cells: [
              'Succeeded',
              'Sheaf does the work again and charges nothing. The response has `Idempotent-Replayed: true`.',
            ],
          },
          { cells: ['Failed', 'Sheaf treats it as a new request.'] },
          {
            cells: ['Still runs', '409 [`request_in_progress`](/docs/errors#request_in_progress) with `Retry-After`.'],
          },
          {
            cells: [
              'Had other fields or files',
              '409 [`idempotency_key_reused`](/docs/errors#idempotency_key_reused).',
            ],
          },
        ],
      },
      heading('Limits'),
      list(
        `A key returns its file ${MOST_REPLAYS} more times. After that, the API returns 409 ` +
          "`idempotency_key_reused`. Responses that you didn't receive don't count.",
        `While ${MOST_REPLAYS} repeated requests run, the API returns 409 \`request_in_progress\`.`,
        'Sheaf remembers a key for 24 hours. Each account has its own keys.',
        'Sheaf stores the key and a hash of the request, never the document.',
      ),
    ],
  }
}

/** Returns the page about which failures to retry, and when. */
export function describeRetries(): DocsPage {
  return {
    slug: 'retries',
    title: 'Retries',
    lead: 'Which responses to retry, how long to wait, and how to avoid paying twice.',
    blocks: [
      heading('What to retry'),
      {
        kind: 'table',
        columns: ['Response', 'Retry the same request?'],
        rows: [
          {
            cells: [
              'No response: the connection broke or timed out',
              'Yes, with the same [`Idempotency-Key`](/docs/idempotency).',
            ],
          },
          {
            cells: [
              '409 [`request_in_progress`](/docs/errors#request_in_progress), 429, 503',
              'Yes. Wait the number of seconds in `Retry-After`.',
            ],
          },
          { cells: ['500, 502', 'Yes, up to three times. Wait 1, 2 and 4 seconds, plus a random part of a second.'] },
          { cells: ['400, 422', 'No. The same request fails again. Correct it as `message` says.'] },
          { cells: ['401, 402', 'No. Correct the API key, or add credits.'] },
          { cells: ['404, 405, 413, 415, other 409', 'No. Correct the request as `message` says.'] },
        ],
      },
      prose('Failed requests cost nothing, so retries of failed requests cost nothing either.'),
      heading('Idempotency-Key'),
      prose(
        'Send the header `Idempotency-Key` if you retry after a broken connection. A repeated request is then ' +
          'charged once. See [Idempotency](/docs/idempotency).',
      ),
      heading('Timeouts'),
      prose(
        "Set your client's timeout above the longest processing time of the endpoint. The [limits](/docs/limits) " +
          'page lists these times. Add the time that your upload and download take.',
      ),
      heading('Request IDs'),
      prose(
        'Every response has the header `X-Request-Id`. Errors repeat it as `requestId` in their body. Log it. The ' +
          'request log in the account area lists requests by this ID.',
      ),
    ],
  }
}

/** Returns the page about concurrency and rates. */
export function describeRateLimits({ config }: PageContext): DocsPage {
  return {
    slug: 'rate-limits',
    title: 'Rate limits and concurrency',
    lead: `An account can run ${config.KEY_CONCURRENCY} requests at the same time. Further requests wait in a queue.`,
    blocks: [
      heading('Concurrency'),
      list(
        `Up to ${config.KEY_CONCURRENCY} requests of an account run at the same time on each server instance.`,
        `Further requests wait up to ${seconds(config.SLOT_TIMEOUT_MS)}. Then the API returns 429.`,
        `Up to ${config.ACCOUNT_WAITING} requests of an account can wait at the same time.`,
        `To process many files, keep ${config.KEY_CONCURRENCY} requests open. Start the next request when one ends.`,
      ),
      heading('Requests per second'),
      prose(
        config.KEY_RPS === undefined
          ? 'This server has no limit on requests per second.'
          : `An account can send ${config.KEY_RPS} requests per second.`,
      ),
      heading('Memory and bandwidth'),
      list(...describeShares(config)),
      heading('Failed requests'),
      list(
        `Failed requests of an account can use ${config.FAILED_WORK_MS / 60_000} minutes of processing in any 10 ` +
          'minutes.',
        'After 20 responses with 429 in a short time, the API delays further ones. The delay is up to 10 seconds.',
        'The request log lists at most one 429 a second and one 402 a minute.',
      ),
      ...describeLimitErrors(),
    ],
  }
}

function describeShares(config: Config): string[] {
  const share = `${config.ACCOUNT_SHARE * 100}%`
  const small = config.SMALL_BODY_BYTES / 2 ** 20
  return [
    `An account can use ${share} of the memory for uploads and ${share} of the memory for unread responses.`,
    `Request bodies up to ${small} MB don't wait for larger ones.`,
    `Upload and download at ${config.BODY_MIN_RATE / 1024} KB/s or faster. The server closes slower connections, ` +
      'and the request costs nothing.',
  ]
}

function describeLimitErrors(): Block[] {
  return [
    heading('If you exceed a limit'),
    prose(
      'The API returns 429 [`rate_limited`](/docs/errors#rate_limited) with the header `Retry-After`. Wait that many ' +
        'seconds, then send the request again.',
    ),
    prose(
      'If the whole server is busy, the API returns 503 [`service_unavailable`](/docs/errors#service_unavailable), ' +
        'also with `Retry-After`.',
    ),
    prose('The [limits](/docs/limits) page lists all values.'),
  ]
}

const seconds = (ms: number): string => `${ms / 1000} seconds`
