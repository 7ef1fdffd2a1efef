import { EXAMPLE_PAGE_COUNT, SELECTOR_FORMS } from '../selectors'
import { writeRotation } from './rotation'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'

/** Returns the page about everything that all endpoints have in common. */
export function describeApiBasics({ origin }: PageContext): DocsPage {
  return {
    slug: 'api-basics',
    title: 'API basics',
    lead: 'Authentication, requests, responses, files, page selectors and units work the same on every endpoint.',
    blocks: [
      heading('Base URL'),
      { kind: 'code', language: 'http', text: `${origin}/api/external/`, what: 'the base URL' },
      prose(
        'Every endpoint takes POST requests. The only exception is `GET /api/external/credits`, which returns [your ' +
          'balance](/docs/pricing#read-your-balance). A slash at the end of the path is allowed.',
      ),
      ...describeAuthentication(origin),
      ...describeRequests(origin),
      ...describeResponses(),
      ...describeFiles(),
      ...describeSelectors(),
      ...describeUnits(),
      ...describeTypes(),
      ...describeUnknownFields(),
    ],
  }
}

function describeAuthentication(origin: string): Block[] {
  return [
    heading('Authentication'),
    prose('Send your API key in the header `x-api-key` of every request:'),
    { kind: 'code', language: 'http', text: 'x-api-key: sheaf_live_…', what: 'the header' },
    prose(
      'Create the key in the [account area](/account). Sheaf shows the key once. Later, the account area shows only ' +
        "its last four characters. The API doesn't read keys from `Authorization` or from the URL.",
    ),
    prose(
      'A request without a valid key returns 401 [`invalid_api_key`](/docs/errors#invalid_api_key). Try it with a ' +
        'wrong key:',
    ),
    {
      kind: 'code',
      language: 'sh',
      text: `curl -i -X POST ${origin}/api/external/pdf-tools/merge-pdf -H "x-api-key: sheaf_live_wrong"`,
      what: 'a request with a wrong key',
    },
    heading('Keep keys on your server', 3),
    {
      kind: 'note',
      text:
        '**Never put a key in a web page, an app or a repository.** Anyone who reads the key can spend your ' +
        'credits.',
    },
    list(
      'Read the key from an environment variable or a secret store on your server.',
      'Let your web pages send requests to your server, and let your server send requests to Sheaf.',
      'The API sends no CORS headers, so browsers block requests from your pages. If a request with an `Origin` ' +
        'header still arrives, the API processes it. Its response has the warning ' +
        '[`browser-origin`](/docs/warnings#browser-origin).',
    ),
    heading('Rotate a key', 3),
    list(
      'An account has one key. Choose **Rotate key** in the [account area](/account) to replace it.',
      'The new key works at once, and the old key stops at once. Sheaf still finishes requests that it accepted ' +
        'with the old key, even if they wait in the queue.',
      'Two keys never work at the same time. Until your servers have the new key, their requests return 401 and ' +
        'cost nothing.',
      'To lose no request, let your servers read the key from a secret store. After a 401, read the key again and ' +
        'repeat the request.',
      'For 90 days after the rotation, the account area shows how often requests used the old key. It also ' +
        'shows the time, the client program and the network of the latest of these requests. The network is a part ' +
        'of the IP address.',
      'Rotate your key immediately if somebody else may have read it.',
    ),
  ]
}

function describeRequests(origin: string): Block[] {
  return [
    heading('Requests'),
    prose(
      'Send the body as `multipart/form-data` or as `application/json`. Both return the same file. A compressed body ' +
        '(`Content-Encoding`) returns 415.',
    ),
    heading('multipart/form-data', 3),
    prose('Use `multipart/form-data` for large files. It sends their bytes without encoding them.'),
    list(
      'Send one file in the form field `file`. For several files, repeat the form field `files` in order.',
      'PDF tools are the endpoints under `/pdf-tools/`. They read their parameters as JSON from the form field ' +
        '`options`.',
      'The endpoints for [web pages](/docs/webpage-to-pdf) and [invoices](/docs/invoice-generator) read each ' +
        'parameter from a form field of its own.',
      'Let your HTTP library set `Content-Type`, because the header contains the boundary.',
    ),
    {
      kind: 'code',
      language: 'sh',
      text: writeRotation(origin),
      what: 'a multipart request',
    },
    heading('JSON', 3),
    prose(
      'Send a file as an object with `name` and `dataBase64`. For several files, send an array in `files`. A ' +
        '`data:…;base64,` prefix is allowed. Base64 adds a third to the size of a file.',
    ),
    {
      kind: 'code',
      language: 'json',
      text: '{\n  "file": { "name": "report.pdf", "dataBase64": "JVBERi0xLjcK…" },\n  "options": { "angle": 90 }\n}',
      what: 'a JSON body',
    },
    heading('Files by URL', 3),
    prose(
      'In JSON, a file can have a `url` in place of `dataBase64`. Sheaf fetches the file before it charges you. Every ' +
        'endpoint that takes files takes URLs, and so do the files of a [pipeline](/docs/pipeline).',
    ),
    {
      kind: 'code',
      language: 'json',
      text: '{\n  "file": { "name": "report.pdf", "url": "https://example.com/report.pdf" },\n  "options": { "angle": 90 }\n}',
      what: 'a JSON body with a URL',
    },
    list(
      'The URL must start with `https://` or `http://`, and its host must be public. It can have up to 8,192 characters.',
      'Sheaf sends no credentials and no cookies. A URL with a user name or a password returns an error. Use a signed ' +
        'URL for a private file.',
      'Sheaf follows 5 redirects. A redirect from `https` to `http`, or to a host that is not public, returns an error.',
      'The other server must respond with status 200. It must not compress the file (`Content-Encoding`), and it must ' +
        'say where the file ends.',
      'Fetched files count toward the size of the request body. The [limits](/docs/limits) page lists the time limits.',
      'If a file cannot be fetched, the error has the reason `not_fetched`. Its message has the status of the other ' +
        'server. The error costs nothing.',
      'Error messages, receipts and the request log contain at most the host of a URL, never its path or query.',
      'With an `Idempotency-Key`, Sheaf compares the URL that you sent. It fetches the file again for each attempt.',
      'Files in options, such as a logo or the image of a watermark, take no URL.',
    ),
  ]
}

function describeResponses(): Block[] {
  return [
    heading('Responses'),
    list(
      'A successful request returns 200. The response body is the file.',
      'A failed request returns a 4xx or 5xx status. Its body is JSON with a stable [error code](/docs/errors).',
      'Check the status before you save the body as a file.',
      'Every response has the header `X-Request-Id`. Log it, because it identifies the request if you need help.',
      'Read [`X-Warnings`](/docs/warnings). It lists what Sheaf adjusted or could not keep.',
      'Read [`X-Credit-Balance`](/docs/pricing#read-your-balance) to monitor your balance.',
    ),
    prose('See [all response headers](/docs/headers).'),
    heading('File names', 3),
    prose(
      'The file in the response gets its name from the input: `report.pdf` becomes `report-rotated.pdf`. Set ' +
        '`outputName` to choose another name. `Content-Disposition` contains the name in ASCII and in UTF-8.',
    ),
    heading('Same input, same bytes', 3),
    prose(
      'Within one [version](/docs/versioning) of Sheaf, a PDF tool returns the same bytes for the same files and ' +
        'parameters. You can compare results by their hash. Exceptions are parameters that use the current date, and ' +
        '[protect-pdf](/docs/protect-pdf), whose encryption is random.',
    ),
  ]
}

function describeFiles(): Block[] {
  return [
    heading('Files'),
    list(
      'The page of each endpoint says which files it takes. Most take PDF files. Sheaf detects the type by the ' +
        "content. The name and the content type don't matter.",
      'Only [unlock-pdf](/docs/unlock-pdf) opens encrypted PDFs. All other endpoints reject them, even if a PDF has ' +
        'just an owner password. Unlock such a file first.',
      'Sheaf repairs damaged files if it can. The response then has the warning [`repaired`](/docs/warnings#repaired).',
      'The [limits](/docs/limits) page lists the maximum size, pages and number of files.',
    ),
    prose(
      'Sample files: [report.pdf](/samples/report.pdf), [letter.pdf](/samples/letter.pdf), ' +
        '[terms.pdf](/samples/terms.pdf), [form.pdf](/samples/form.pdf) and [scan.pdf](/samples/scan.pdf).',
    ),
  ]
}

function describeSelectors(): Block[] {
  return [
    heading('Page selectors'),
    prose(
      'A parameter that selects pages takes an array of page numbers or a string. The string has one or more terms, ' +
        'separated by commas. The first page is page 1. The examples use a document with ' +
        `${EXAMPLE_PAGE_COUNT} pages.`,
    ),
    {
      kind: 'table',
      columns: ['Form', 'Meaning', 'Example'],
      rows: SELECTOR_FORMS.map(({ id, forms, meaning, example, pages }) => ({
        id,
        cells: [
          forms.map(form => `\`${form}\``).join(', '),
          meaning,
          `\`${JSON.stringify(example)}\` selects ${pages.join(', ')}`,
        ],
      })),
    },
    list(
      'Selectors ignore spaces and letter case.',
      'Endpoints that extract, reorder, merge or split pages keep your order and repeated pages. So does web page to ' +
        'PDF. Other endpoints count each page once.',
      "If you select a page that the document doesn't have, the API returns an error. It also returns an error for 0 " +
        'and negative numbers.',
      'A selector can have up to 2,000 characters and select up to 20,000 pages.',
    ),
  ]
}

function describeUnits(): Block[] {
  return [
    heading('Units'),
    list(
      'Lengths and coordinates in PDFs are in points. 1 point is 1/72 inch. Some parameters take other units, and ' +
        'their descriptions say so.',
      'Colors are `#RRGGBB`. Most endpoints also take `#RGB` or `{r, g, b}`.',
      'Dates are `YYYY-MM-DD` (ISO 8601). Dates in document metadata can also have a time and a time zone.',
      'Resolutions are in DPI.',
      '1 KB is 1,024 bytes. 1 MB is 1,048,576 bytes.',
    ),
  ]
}

function describeTypes(): Block[] {
  return [
    heading('Types'),
    list(
      'In JSON, a number must be a number: `90`, not `"90"`. `true` and `false` must not be in quotes either.',
      'A form field contains text. The API converts the text to the type of the parameter.',
      'An empty form field counts as missing. In JSON, `null` counts as missing, and an empty string is a value.',
      'Each text has a maximum length. The [OpenAPI document](/openapi.json) states each one. These pages state only ' +
        'lengths below 500 characters.',
      'If a form field contains JSON, its part can also have a file name and a content type. The API ignores both.',
    ),
  ]
}

function describeUnknownFields(): Block[] {
  return [
    heading('Unknown fields'),
    list(
      'An unknown parameter in `options` returns an error that suggests the closest name.',
      'A field whose name is close to a known name, such as `landscpae`, also returns an error. This includes fields ' +
        'of nested objects. A form field such as `options[angle]` returns an error too.',
      'A known field in the wrong place, such as the query string, returns an error too.',
      'The API ignores all other unknown fields. The response has the warning ' +
        '[`unknown-field`](/docs/warnings#unknown-field) and lists the names in `X-Unknown-Fields`.',
      'Send `Prefer: handling=strict` to reject every unknown field (RFC 7240). Send `Prefer: handling=lenient` to ' +
        'ignore every unknown field, even misspelled fields and fields in `options`. The response then has the header ' +
        '`Preference-Applied`.',
    ),
  ]
}
