import { MONTHLY_CREDITS } from '../../credits/ledger'
import { countTraps, listConstructions, REDACTION_TRAPS } from '../redaction-traps'
import { describeRuns, listTrials, TRIALS } from '../trials'
import { NOT_PROMISED, SECURITY_PROMISES, VULNERABILITY_REPORT } from '../security'
import { heading, list, prose, type Block, type DocsPage, type PageContext, type TableRow } from './page'

/** Returns the page about keys. */
export function describeAuthentication({ origin }: PageContext): DocsPage {
  return {
    slug: 'authentication',
    title: 'Authentication',
    lead: 'Every call carries the API key of your account in the header `x-api-key`.',
    blocks: [
      { kind: 'code', language: 'http', text: 'x-api-key: sheaf_live_…', what: 'the header' },
      prose(
        'Create the key in the [account area](/account). It is shown once; afterwards only its last four ' +
          'characters are. There is no other scheme: neither `Authorization` nor a parameter in the address is read.',
      ),
      heading('Keys belong on servers'),
      {
        kind: 'note',
        text:
          '**Never put a key into a web page, an app or a repository.** Whoever opens the page or the package can ' +
          'read the key and spend your credits with it.',
      },
      list(
        'There are no CORS headers, so browsers refuse to hand an answer to a page of yours. A call that carries ' +
          'an `Origin` header is answered all the same, with the warning ' +
          '[`browser-origin`](/docs/warnings#browser-origin): your key is then in a browser.',
        'Let your pages call your own server, and let that server call us. Read the key from an environment ' +
          'variable or a secret store there.',
        'If a key got out, rotate it. Nothing else stops whoever has it.',
      ),
      heading('Rotating'),
      prose(
        'An account has one key. Rotating it in the account area gives a new one that works at once, and the old ' +
          'one stops at once. Calls that have begun are finished. If something still tries the old key, the account ' +
          'area says so.',
      ),
      heading('When a key is refused'),
      prose('The answer is 401 with [`invalid_api_key`](/docs/errors#invalid_api_key), before the body is read:'),
      {
        kind: 'code',
        language: 'sh',
        text: `curl -i -X POST ${origin}/api/external/pdf-tools/merge-pdf -H "x-api-key: sheaf_live_wrong"`,
        what: 'a call with a wrong key',
      },
    ],
  }
}

/** Returns the page about prices and credits. */
export function describeCredits(): DocsPage {
  return {
    slug: 'credits',
    title: 'Credits',
    lead: 'A call that works costs 1 credit, whatever it does. A call that fails costs none.',
    blocks: [
      list(
        `Every account gets ${MONTHLY_CREDITS} credits in each calendar month (UTC), added to what it has.`,
        '1,000 credits are $1. Where this server sells them, `/account/credits` in the account area does, in packs ' +
          'or any whole number of dollars from 5 to 1,000; the balance has them as soon as the payment is confirmed, ' +
          'and every purchase has an invoice.',
        'The credits page keeps a threshold for you: when the balance falls below it, a mail says so, once each ' +
          'time, where the server can send mail. There you can also have credits bought automatically then, with a ' +
          'card that you leave with Stripe, up to a limit a month. Every such purchase is mailed and has its ' +
          'invoice; after three payments in a row that did not go through it is off. A refund or a dispute turns it ' +
          'off too, and a mail says so: money that went back is never taken again by itself.',
        "A payment that is refunded, or called back by the cardholder's bank, takes its credits with it. What was " +
          'spent by then is owed, and the next purchase pays it first.',
        'What was charged before a call failed is given back; the ledger in the [account area](/account) shows both.',
        'A call whose answer could not be delivered counts as failed.',
      ),
      heading('What an answer tells'),
      prose(
        'Every answer to a right key has `X-Credits-Charged` (1 or 0) and `X-Credit-Balance` (what is left), ' +
          'errors too. Read them instead of counting yourself.',
      ),
      prose(
        '`GET /api/external/credits` with your key returns the balance as `{"creditBalance": 42}`. It is free, and ' +
          'an account may send it 60 times a minute.',
      ),
      heading('When none are left'),
      prose(
        'The answer is 402 with [`insufficient_credits`](/docs/errors#insufficient_credits); `creditsRequired` and ' +
          '`creditBalance` stand in its body. The body of the request is not read, so an upload is not wasted. A ' +
          'call that repeats a paid one with the same [`Idempotency-Key`](/docs/retries#idempotency-key) needs no ' +
          'credit.',
      ),
    ],
  }
}

/** Returns the page about the two body formats. */
export function describeRequests({ origin }: PageContext): DocsPage {
  return {
    slug: 'requests',
    title: 'Requests',
    lead: 'A body is a form (`multipart/form-data`) or JSON (`application/json`). Both give the same file.',
    blocks: [
      heading('As a form'),
      prose('The better choice for large files: bytes travel as they are.'),
      list(
        'One part `file` with a file name; or a part `files` for each of several, in their order.',
        'The options of a tool as JSON in a part `options`. It may be left out where nothing has to be given.',
        'Let your HTTP library write the `Content-Type`: the boundary stands in it.',
      ),
      {
        kind: 'code',
        language: 'sh',
        text: [
          `curl ${origin}/api/external/pdf-tools/rotate-pdf \\`,
          '  -H "x-api-key: $SHEAF_API_KEY" \\',
          '  -F file=@report.pdf \\',
          `  --form-string options='{"angle":90}' \\`,
          '  -o report-rotated.pdf',
        ].join('\n'),
        what: 'a form',
      },
      heading('As JSON'),
      prose(
        '`file`, or `files` as an array; a file is an object with `name` and `dataBase64`. A `data:…;base64,` ' +
          'prefix is allowed. Base64 makes a file a third larger, and the [limit of a body](/docs/limits) counts ' +
          'what is sent.',
      ),
      {
        kind: 'code',
        language: 'json',
        text: '{\n  "file": { "name": "report.pdf", "dataBase64": "JVBERi0xLjcK…" },\n  "options": { "angle": 90 }\n}',
        what: 'a body in JSON',
      },
      heading('Unknown fields'),
      list(
        'An unknown key in `options` returns an error that suggests the closest name.',
        'A field that resembles a known field returns an error too, at any depth: `landscpae`, `taxrate`, ' +
          '`options[angle]`. So does a known field in the wrong place, such as the query string.',
        'The API ignores all other unknown fields. The response has the warning ' +
          '[`unknown-field`](/docs/warnings#unknown-field) and lists the names in `X-Unknown-Fields`, ' +
          'percent-encoded.',
        'Send the header `Prefer: handling=strict` to refuse every unknown field, or `Prefer: handling=lenient` to ' +
          'ignore all of them (RFC 7240). The response then has the header `Preference-Applied`.',
      ),
      heading('Types'),
      list(
        'In JSON, a number must be a number: `90`, not `"90"`. The same holds for `true` and `false`. Form fields ' +
          'contain text, and the API converts it.',
        'An empty form field counts as missing. In JSON, `null` counts as missing, and an empty string is a value.',
        'A form part with JSON may have a file name and a content type. The API reads it as text.',
      ),
      heading('Input files'),
      list(
        'PDFs have to open without a password. Unlock encrypted ones first; an owner password alone counts as well.',
        'A body with a `Content-Encoding` is refused.',
      ),
      heading('Names of files'),
      prose(
        'An answer is named after what came in: `report.pdf` becomes `report-rotated.pdf`. The option `outputName` ' +
          'of a tool chooses another name. Names may be in any script; `Content-Disposition` carries them in ASCII ' +
          'and in UTF-8.',
      ),
      heading('The same in, the same out'),
      prose(
        'The same files and options give the same bytes, unless an option asks for the date. Results can be ' +
          'compared and cached by their hash.',
      ),
    ],
  }
}

/** Returns the page about retries and idempotency. */
export function describeRetries({ config }: PageContext): DocsPage {
  const { KEY_CONCURRENCY, KEY_RPS, SLOT_TIMEOUT_MS } = config
  return {
    slug: 'retries',
    title: 'Retries and rates',
    lead: 'What may be sent again, how long to wait before, and how never to pay twice for one file.',
    blocks: [
      heading('What may be sent again'),
      {
        kind: 'table',
        columns: ['Answer', 'Send the same request again?'],
        rows: [
          { cells: ['No answer: the connection broke or timed out', 'Yes, with the same `Idempotency-Key`.'] },
          {
            cells: [
              '409 [`request_in_progress`](/docs/errors#request_in_progress), 429, 503',
              'Yes, after as many seconds as `Retry-After` says.',
            ],
          },
          {
            cells: [
              '500, 502',
              'Yes, at most three times, with pauses of 1, 2 and 4 seconds and a random part, so that many clients ' +
                "don't come at once.",
            ],
          },
          {
            cells: [
              '400, 422',
              'No: it fails again. Correct the request as `message` says; where size or time is the cause, send a ' +
                'smaller file or fewer pages.',
            ],
          },
          { cells: ['401, 402', 'No. Correct the key, or add credits.'] },
          { cells: ['404, 405, 413, 415, other 409', 'No. The message says what would be right.'] },
        ],
      },
      prose('Failed calls cost nothing, so trying again costs nothing either.'),
      heading('Idempotency-Key'),
      prose(
        'A connection can break after the work was done and paid. Send the header `Idempotency-Key` with every ' +
          'call, a fresh value for each new request (up to 255 printable ASCII characters, such as a UUID), and the ' +
          'same value when you send that request again.',
      ),
      { kind: 'code', language: 'http', text: 'Idempotency-Key: order-4711', what: 'the header' },
      list(
        'If the first one had worked, the work is done again and costs nothing; the answer has ' +
          '`Idempotent-Replayed: true`.',
        'A key returns its file three times more. After that: 409 `idempotency_key_reused`. Replays that you did ' +
          'not receive do not count.',
        'If the first one failed, it is a new call.',
        'While the first one runs, or three replays of it: 409 `request_in_progress` with `Retry-After`.',
        'With other fields or files: 409 `idempotency_key_reused`.',
        'Keys are remembered for 24 hours, per account. Documents are not kept for this, only a hash of the request.',
      ),
      heading('Request ids'),
      prose(
        'Every answer has `X-Request-Id`, and every error body the same as `requestId`. Write it into your log: it ' +
          'finds the call in the account area, and it is what we ask for when you ask us.',
      ),
      heading('Rates'),
      list(
        `${KEY_CONCURRENCY} calls of an account run at the same time. More are not refused but wait, up to ` +
          `${SLOT_TIMEOUT_MS / 1000} s, for their turn.`,
        KEY_RPS === undefined
          ? 'There is no limit of calls per second.'
          : `${KEY_RPS} calls of an account are taken per second.`,
        `At most ${config.ACCOUNT_WAITING} requests of an account wait at a time.`,
        `One account may use ${config.ACCOUNT_SHARE * 100} % of the memory for uploads and for responses that were ` +
          `not read yet. Bodies up to ${config.SMALL_BODY_BYTES / 2 ** 20} MiB never wait for large ones.`,
        `Upload and read at ${config.BODY_MIN_RATE / 1024} KiB/s or faster. A slower connection is closed, and the ` +
          'request costs nothing.',
        `Failed requests of an account may use ${config.FAILED_WORK_MS / 60_000} minutes of processing in any 10 ` +
          'minutes.',
        'What goes beyond it is answered with 429 [`rate_limited`](/docs/errors#rate_limited) and `Retry-After`.',
        'After 20 such responses, further ones are sent at 100 a second, so one can take up to 10 s. The call log ' +
          'lists one 429 a second and one 402 a minute.',
        'For many files, keep as many calls open as may run at once, and start the next when one ends.',
      ),
    ],
  }
}

/** Returns the page about security. */
export function describeSecurity(): DocsPage {
  return {
    slug: 'security',
    title: 'Security and what is kept',
    lead: 'No document that you send or get is kept. It lives in the memory of the server while its call runs.',
    blocks: [
      heading('Documents'),
      list(
        'Files are held in memory while their call runs, and are gone when it has been answered.',
        'Every call is worked by a separate process with limits of time and memory, which is killed when it goes ' +
          'beyond them.',
        'File names, texts and options are in no log and in no database.',
      ),
      heading('What is kept'),
      list(
        'Of an account: its address, a hash of its password if it has one, and a hash of its API key with the last ' +
          'four characters.',
        'Of a call: its id, time, name, status, error code, credits, durations and sizes.',
        'Of an `Idempotency-Key`: the key and a hash of the request, for 24 hours.',
      ),
      heading('API keys'),
      prose(
        'A key is stored as a hash only and shown once. It begins with `sheaf_live_` and ends with a checksum, so ' +
          'scanners of repositories can find one that got out. See [authentication](/docs/authentication).',
      ),
      heading('Web pages'),
      prose(
        'A page that is printed reaches public addresses and nothing else: each name is resolved by our own proxy, ' +
          'which refuses private addresses and those of this server, and dials only the ones that it checked. ' +
          'Whatever is behind an address that could not be printed, the answer reads the same.',
      ),
      heading('Redaction'),
      prose(
        '[Redaction](/docs/pdf-redaction) removes what lies under an area from everything that the file says of ' +
          'it, and another program reads the result before it is handed out. If anything is left, the call fails and ' +
          'costs nothing.',
      ),
      heading('What is promised'),
      prose(
        'Files and pages come from strangers. This is what the service promises nevertheless, and which parts of ' +
          '`npm run chaos` try it.',
      ),
      {
        kind: 'table',
        columns: ['Against', 'Promise', 'Tried by'],
        rows: SECURITY_PROMISES.map(({ against, promise, chaosParts }) => ({
          cells: [against, promise, chaosParts.map(part => `\`${part}\``).join(', ')],
        })),
      },
      heading('What is not promised'),
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
    heading('How the trials went'),
    prose(
      'Checks that passed, of those made, in the last run of each part that was published. The machine: ' +
        `${TRIALS.machine}.`,
    ),
    {
      kind: 'table',
      columns: ['Part', 'What was asked', 'Checks'],
      rows: [
        ...listTrials().map(trial => ({ cells: [`\`${trial.part}\``, trial.asks, describeRuns(trial)] })),
        trapRow(),
      ],
    },
    ...describeTraps(),
  ]
}

function trapRow(): TableRow {
  const { constructions, tried, verified, leaked } = countTraps()
  const description =
    `${number(tried)} files that hide a secret in ${number(constructions)} ways: nothing of the secret is left, or ` +
    `the response says that the redaction isn't verified`
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
      'Each trap is checked first: the secret must be found in the file before its redaction. It leaks if anything ' +
        "finds the secret afterwards. Some traps hide text that can't be told from the file: its font has no usable " +
        'mapping, or a wrong one. For those the response may say `X-Redaction-Verified: false` instead, and the ' +
        'secret may still be there.',
    ),
    {
      kind: 'table',
      columns: ['Traps', 'Cause', 'Constructions, with the number of traps', 'Tried', 'Verified', 'Leaked'],
      rows,
    },
  ]
}

const number = (count: number): string => count.toLocaleString('en')
