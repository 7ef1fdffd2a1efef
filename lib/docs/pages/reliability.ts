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
        "If Sheaf can't send the whole response, it refunds the request. But the connection can also break after " +
          'Sheaf has sent the response. You then paid for a file that you did not get. If you repeat the request with ' +
          'the same `Idempotency-Key`, you get the file and pay nothing more.',
      ),
      heading('Send a key'),
      list(
        '**Send the key with the first request, too.** Sheaf can recognize a repeat only if the first request had ' +
          'the same key.',
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
        columns: ['The first request with the key', 'Response to the repeat'],
        rows: [
          {
            cells: [
              'Succeeded',
              'Sheaf processes the request again and charges nothing. The response has `Idempotent-Replayed: true`.',
            ],
          },
          { cells: ['Failed', 'Sheaf treats the repeat as a new request.'] },
          {
            cells: [
              'Is still running',
              '409 [`request_in_progress`](/docs/errors#request_in_progress) with `Retry-After`.',
            ],
          },
          {
            cells: [
              'Has other fields or files than the repeat, and did not fail',
              '409 [`idempotency_key_reused`](/docs/errors#idempotency_key_reused).',
            ],
          },
        ],
      },
      heading('Limits'),
      list(
        `After the first success, you can repeat the request ${MOST_REPLAYS} times with the same key. Running ` +
          'repeats count, too. Failed repeats do not count.',
        'The API returns 409 for any further repeat. The code is `request_in_progress` while one of the counted ' +
          'repeats runs. After that, the code is `idempotency_key_reused`.',
        'Sheaf remembers a key for 24 hours. Each account has its own keys.',
        'Sheaf stores the key and a keyed hash of the request, never the document.',
      ),
    ],
  }
}

/** Returns the page about which failures to retry, and when. */
export function describeRetries({ config }: PageContext): DocsPage {
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
              'Yes, with the [`Idempotency-Key`](/docs/idempotency) that the first request already had.',
            ],
          },
          {
            cells: [
              '409 [`request_in_progress`](/docs/errors#request_in_progress), 429, 503',
              'Yes. Wait the number of seconds in `Retry-After`.',
            ],
          },
          {
            cells: [
              '500, 502',
              'Yes, up to three times. Wait 1, 2 and 4 seconds, each with up to 1 second of random delay.',
            ],
          },
          { cells: ['400, 422', 'No. The same request fails again. Correct it as `message` says.'] },
          { cells: ['401, 402', 'No. Send a valid API key, or get more credits.'] },
          { cells: ['404, 405, 413, 415, other 409', 'No. Correct the request as `message` says.'] },
        ],
      },
      prose('A failed request costs nothing. If its retry succeeds, you pay 1 credit in total.'),
      heading('Idempotency-Key'),
      prose(
        '**Send an `Idempotency-Key` with every first request.** If the connection breaks, send the same request ' +
          'with the same key. The request and its repeats then cost 1 credit in total. If only the retry has the ' +
          'key, you can pay twice. See [Idempotency](/docs/idempotency).',
      ),
      heading('Timeouts'),
      prose(
        "Set your client's timeout above the longest processing time of the endpoint. The [limits](/docs/limits) " +
          `page lists these times. Add ${seconds(config.SLOT_TIMEOUT_MS)} for the queue, and the time of your upload ` +
          `and download. Uploads over ${config.SMALL_BODY_BYTES / 2 ** 20} MB can wait up to ` +
          `${seconds(config.SLOT_TIMEOUT_MS)} more for memory.`,
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
    lead:
      `An account can run ${config.KEY_CONCURRENCY} requests at the same time on each server instance. Further ` +
      'requests wait in a queue.',
    blocks: [
      prose(
        'The limits on this page apply to each account, and separately on each server instance. The operator decides ' +
          'how many instances run behind this URL. Plan with the limits of one instance.',
      ),
      heading('Concurrency'),
      list(
        `Up to ${config.KEY_CONCURRENCY} requests run at the same time.`,
        `Further requests wait up to ${seconds(config.SLOT_TIMEOUT_MS)}. Then the API returns 429. While a request ` +
          'waits, its connection stays open and receives no data.',
        `Up to ${config.ACCOUNT_WAITING} requests can wait at the same time.`,
        'Accounts that bought credits come first. All other accounts of one network wait like one account.',
        `To process many files, run ${config.KEY_CONCURRENCY} requests at the same time. Start the next request when ` +
          'one ends. Run fewer if your files are large.',
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
        'Sheaf adds up the processing times of your failed requests of the last 10 minutes. If the sum reaches ' +
          `${config.FAILED_WORK_MS / 60_000} minutes, the API returns 429. Failures of the server do not count.`,
        'If you never bought credits, the limit is ' +
          `${seconds(Math.min(config.FAILED_WORK_MS, config.FREE_FAILED_WORK_MS))}, and running requests count too. ` +
          'You share the limit with all such accounts of your network.',
        'If you cause many responses with 429, the API sends the first 20 without delay. It delays the others, so ' +
          'that you get about 100 a second. The delay is up to 10 seconds.',
        'The request log shows at most one 429 a second and one 402 a minute. It omits the others.',
      ),
      ...describeLimitErrors(),
    ],
  }
}

function describeShares(config: Config): string[] {
  const mb = (bytes: number) => `${Math.floor(bytes / 2 ** 20).toLocaleString('en')} MB`
  const { ACCOUNT_SHARE, BODY_MEMORY_BYTES, OUTPUT_SPOOL_BYTES, MAX_BODY_BYTES, SMALL_BODY_BYTES } = config
  const uploads = Math.max(1, Math.floor((ACCOUNT_SHARE * BODY_MEMORY_BYTES) / MAX_BODY_BYTES))
  const small = mb(SMALL_BODY_BYTES)
  return [
    `Together, your uploads over ${small} can use ${mb(ACCOUNT_SHARE * BODY_MEMORY_BYTES)} of memory. That is enough for ` +
      `${uploads} ${uploads === 1 ? 'upload' : 'uploads'} of ${mb(MAX_BODY_BYTES)} at the same time. An upload uses ` +
      'memory until its request is processed.',
    `Further uploads over ${small} wait up to ${seconds(config.SLOT_TIMEOUT_MS)} for memory. Then the API returns 429.`,
    `Request bodies up to ${small} have their own memory, so larger uploads don't delay them.`,
    `A response can have up to ${mb(config.MAX_OUTPUT_BYTES)}. The server keeps responses over 1 MB on disk while you ` +
      'download them.',
    `Together, your responses on disk can use ${mb(ACCOUNT_SHARE * OUTPUT_SPOOL_BYTES)}. Beyond that, the API returns ` +
      '429.',
    'Downloads of other accounts never keep you from a response up to 1 MB.',
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
      'If all accounts together exceed the capacity of the server, the API returns 503 ' +
        '[`service_unavailable`](/docs/errors#service_unavailable), also with `Retry-After`.',
    ),
    prose(
      'The balance request `GET /api/external/credits` has a separate limit of 60 requests a minute. The ' +
        '[limits](/docs/limits) page lists all values.',
    ),
  ]
}

const seconds = (ms: number): string => `${ms / 1000} seconds`
