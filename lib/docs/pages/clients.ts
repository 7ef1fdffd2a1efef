import { findEndpoint, listEndpoints, type Endpoint } from '../endpoints'
import { CLIENT_PACKAGES } from './client-packages'
import { writeClientSamples } from '../samples/client-samples'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'

const code = (language: string, text: string, what: string): Block => ({ kind: 'code', language, text, what })

/** The merge of two samples, with one client. */
function mergeWith(id: string, origin: string): string {
  const endpoint = findEndpoint('merge-pdf')
  const samples = endpoint ? writeClientSamples({ endpoint, options: { bookmarks: 'per-file' }, origin }) : []
  return samples.find(sample => sample.id === id)?.text ?? ''
}

const SAMPLES = prose(
  'The files are [letter.pdf](/samples/letter.pdf) and [terms.pdf](/samples/terms.pdf). The key comes from the ' +
    'environment variable `SHEAF_API_KEY`.',
)

const REDIRECTS = 'The client never follows redirects, because the key and the file would go to another URL.'

const FOREIGN =
  'A successful response may come from something else, such as the login page of a proxy. The client then throws a ' +
  '`SheafForeignResponseError`. It saves nothing and does not repeat the request.'

const NODE_PROXIES =
  'Node.js 22.21 or later uses `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` if `NODE_USE_ENV_PROXY` is `1`.'

const INSTALLERS = { typescript: 'npm install', python: 'pip install', cli: 'npm install --global' } as const

/** Returns the command that installs a client from this server. */
export function writeInstallation(client: keyof typeof CLIENT_PACKAGES, origin: string): string {
  return `${INSTALLERS[client]} ${origin}/clients/${CLIENT_PACKAGES[client]}`
}

function describeSource(folder: string, { SOURCE_URL }: PageContext['config']): string {
  const source = SOURCE_URL === undefined ? 'the sources of this server' : `[its sources](${SOURCE_URL})`
  return `This server offers the package, in the version of its API. The code is in the folder \`${folder}\` of ${source}.`
}

/** Returns the page of the client for TypeScript. */
export function describeTypeScript({ origin, config }: PageContext): DocsPage {
  return {
    slug: 'typescript',
    title: 'TypeScript',
    lead: 'The package `@sheaf/client` has a typed method for each endpoint. It needs no other package.',
    blocks: [
      heading('Install'),
      code('sh', writeInstallation('typescript', origin), 'the installation'),
      prose(describeSource('clients/typescript', config)),
      prose(
        'It works with Node.js 20.3 or later, Bun, Deno and Workers. It uses only web standards, and `node:fs` for paths.',
      ),
      heading('First request'),
      code('typescript', mergeWith('typescript', origin), 'a program that merges two files'),
      SAMPLES,
      prose(
        'Without `baseUrl`, the client uses the environment variable `SHEAF_BASE_URL`, or port 3000 of this ' +
          'machine. A key can also be set as `apiKey`.',
      ),
      heading('Files'),
      prose(
        'A file is a path, a `Blob`, a `Uint8Array`, an `ArrayBuffer` or a stream. To name bytes or a stream, send ' +
          '`{ data, name }`. For a [file by URL](/docs/api-basics#files-by-url), send `{ url, name }`. The client reads files while it sends them, so a large file needs little memory. On Bun, it reads them first.',
      ),
      heading('Results'),
      {
        kind: 'table',
        columns: ['Member', 'Meaning'],
        rows: [
          [
            '`save(path)`',
            'Saves the file and returns its path. A path with a slash at its end keeps the name of the file.',
          ],
          [
            '`bytes()`, `text()`, `json()`, `blob()`',
            'Return the file. `json()` has a type for reports, such as `ValidationReports` or `Comparison`.',
          ],
          ['`stream()`', 'Returns the file as a stream that you can read once.'],
          [
            '`name`, `contentType`',
            'The name and type of the file. Path separators, hidden characters and names of Windows devices are ' +
              'replaced in names.',
          ],
          ['`warnings`', 'Codes of [warnings](/docs/warnings).'],
          ['`creditsCharged`, `creditBalance`', 'The price of the request, and the balance after it.'],
          ['`requestId`, `headers`', 'The ID of the request, and all [headers](/docs/headers).'],
        ].map(cells => ({ cells })),
      },
      heading('Errors'),
      prose(
        'A refused request throws a `SheafApiError` with `code`, `param`, `problems`, `status`, `requestId` and `docs`. ' +
          'It costs nothing. Without a complete response, the client throws a `SheafConnectionError` or a ' +
          '`SheafTimeoutError`. Such a request may have been charged. Repeat it with the `idempotencyKey` of the error, ' +
          'which costs nothing within 24 hours.',
      ),
      code(
        'typescript',
        "import { SheafApiError } from '@sheaf/client'\n\ntry {\n  await sheaf.rotatePdf('report.pdf', { angle: 90, pages: '9-' })\n} catch (error) {\n  if (!(error instanceof SheafApiError)) throw error\n  console.error(error.code, error.param, error.message)\n}",
        'the handling of an error',
      ),
      prose(
        `${REDIRECTS} The error has the code \`redirected\` and the location. Set \`baseUrl\` to the new server if you ` +
          'trust it. `baseUrl` must not contain credentials.',
      ),
      prose(FOREIGN),
      heading('Retries'),
      prose(
        'The client retries lost connections and the statuses 429, 500, 502, 503 and 504. It also retries 409 with ' +
          '`request_in_progress`. It waits as `Retry-After` says, up to a minute, or longer each time. A download that ' +
          'is cut off is repeated once. All attempts have the same ' +
          '[`Idempotency-Key`](/docs/idempotency), so at most one is charged. A stream can be sent only once, so such ' +
          'a request is not retried.',
      ),
      list(
        '`maxRetries`: the maximum number of retries, 3 by default.',
        '`timeoutMs`: the maximum time of an attempt until the end of the download, 300,000 by default.',
        '`signal`: an `AbortSignal` that cancels the request.',
        '`strict`: refuses unknown options.',
        '`idempotencyKey`: your own key.',
      ),
      prose(
        'Set these for one request in the last argument, such as `sheaf.rotatePdf(file, options, { strict: true })`.',
      ),
      heading('Proxies'),
      prose(`${NODE_PROXIES} Elsewhere, send \`fetch\` with a proxy of its own to the constructor.`),
    ],
  }
}

/** Returns the page of the client for Python. */
export function describePython({ origin, config }: PageContext): DocsPage {
  return {
    slug: 'python',
    title: 'Python',
    lead: 'The package `sheaf-client` has a method for each endpoint. It needs only the standard library.',
    blocks: [
      heading('Install'),
      code('sh', writeInstallation('python', origin), 'the installation'),
      prose(`${describeSource('clients/python', config)} It needs Python 3.9 or later.`),
      heading('First request'),
      code('python', mergeWith('python', origin), 'a program that merges two files'),
      SAMPLES,
      prose(
        'Without `base_url`, the client uses the environment variable `SHEAF_BASE_URL`, or port 3000 of this machine.',
      ),
      heading('Files and results'),
      prose(
        'A file is a path, bytes, or an open binary file. To name bytes, send `(name, content)`. For a [file by ' +
          'URL](/docs/api-basics#files-by-url), send `{"name": …, "url": …}`. In options, a ' +
          '`pathlib.Path` stands for a file, such as a logo.',
      ),
      prose(
        'Options have names in snake_case, such as `blank_between`, and types for type checkers. Errors name them in ' +
          'the same way. The names of this documentation work too.',
      ),
      prose(
        'A result has `save(path)`, `bytes()`, `text()`, `json()` and `stream()`. Its attributes are `name`, ' +
          '`content_type`, `warnings`, `credits_charged`, `credit_balance`, `request_id` and `headers`. `save` keeps ' +
          'the name of the file in a folder.',
      ),
      heading('Asynchronous programs'),
      code(
        'python',
        "import asyncio\nfrom sheaf import AsyncSheaf\n\nasync def main():\n    sheaf = AsyncSheaf()\n    names = ['a.pdf', 'b.pdf']\n    results = await asyncio.gather(*(sheaf.rotate_pdf(name, {'angle': 90}) for name in names))\n    for result in results:\n        await result.save(result.name)\n\nasyncio.run(main())",
        'a program that rotates two files at once',
      ),
      prose(
        '`AsyncSheaf` has the same methods and settings. Requests run in threads. A task that is canceled stops ' +
          'waiting, but its request goes on and may be charged.',
      ),
      heading('Errors and retries'),
      code(
        'python',
        "from sheaf import SheafApiError\n\ntry:\n    sheaf.rotate_pdf('report.pdf', {'angle': 90, 'pages': '9-'})\nexcept SheafApiError as error:\n    print(error.code, error.param, error)",
        'the handling of an error',
      ),
      prose(
        'The client handles errors and [retries](/docs/retries) like the [client for TypeScript](/docs/typescript). Settings of a ' +
          'request are `idempotency_key`, `timeout` in seconds, `max_retries` and `strict`.',
      ),
      prose(`${REDIRECTS} \`base_url\` must not contain credentials.`),
      prose(FOREIGN),
      prose('The client uses the proxies of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, as `urllib.request` does.'),
    ],
  }
}

/** Returns the page of the command line. */
export function describeCommandLine({ origin, config }: PageContext): DocsPage {
  return {
    slug: 'command-line',
    title: 'Command line',
    lead: 'The command `sheaf` has a subcommand for each endpoint, for terminals and scripts.',
    blocks: [
      heading('Install'),
      code('sh', writeInstallation('cli', origin), 'the installation'),
      prose(describeSource('clients/cli', config)),
      heading('Commands'),
      code(
        'sh',
        `export SHEAF_API_KEY=sheaf_live_…
export SHEAF_BASE_URL=${origin}

sheaf merge letter.pdf terms.pdf -o merged.pdf
sheaf redact letter.pdf --search "Jane Doe" --preset iban
sheaf web https://example.com -o page.pdf
sheaf invoice invoice.json
sheaf pipeline steps.json letter.pdf terms.pdf -o bundle.pdf
sheaf rotate scans/*.pdf --angle 90 -o turned/
cat report.pdf | sheaf ocr - --languages eng,deu -o - > searchable.pdf`,
        'some commands',
      ),
      prose('`sheaf <command> --help` lists the options of a command. Lists and objects are JSON.'),
      {
        kind: 'table',
        columns: ['Command', 'Endpoint'],
        rows: listEndpoints().map(({ command, slug, title }) => ({
          cells: [`\`sheaf ${command}\``, `[${title}](/docs/${slug})`],
        })),
      },
      heading('Flags of every command'),
      list(
        '`-o`: where to save the file. A folder keeps the name of the file, and is created. `-` is standard output.',
        '`--force`: replaces an existing file if its name comes from the response.',
        '`--skip-existing`: skips files whose results exist.',
        '`--exit-code`: ends with 1 if a report finds something wrong. `validate`, `compare`, `redact`, ' +
          '`read-invoice` and `pipeline` have it.',
        '`--options`: a JSON file with options. Flags replace its values.',
        '`--json`: prints the result or the error as JSON.',
        '`--quiet`: prints only errors.',
        '`--strict`: refuses unknown options.',
        '`--idempotency-key`: your own key, so that a repetition costs nothing.',
      ),
      prose(
        'Before a request is sent, the command checks that its result can be saved. The folder must be writable, and no ' +
          'file may have the name. If only the response shows a name that a file has, the result gets a number.',
      ),
      heading('Several files'),
      prose(
        'Each file is a request. If some of them fail, the others are still processed. The command then prints flags ' +
          'that repeat only the missing ones. With these flags, a file that was paid for costs nothing within 24 hours.',
      ),
      heading('Exit codes'),
      {
        kind: 'table',
        columns: ['Code', 'Meaning'],
        rows: [
          { cells: ['0', 'Done.'] },
          { cells: ['1', 'The request was refused, the file could not be saved, or `--exit-code` found something.'] },
          { cells: ['2', 'Wrong arguments.'] },
          { cells: ['3', 'The server could not be reached.'] },
        ],
      },
      prose(
        'The command never follows redirects. The error shows the location. Set `SHEAF_BASE_URL` to the new server if ' +
          'you trust it.',
      ),
      prose(NODE_PROXIES),
      heading('Completion'),
      code('sh', 'source <(sheaf completion bash)', 'the completion for bash'),
      prose('There are completions for bash, zsh and fish.'),
    ],
  }
}

/** Returns the page for agents. */
export function describeMcp({ origin }: PageContext): DocsPage {
  return {
    slug: 'mcp',
    title: 'Agents (MCP)',
    lead: 'Agents use Sheaf through the Model Context Protocol: with files on your machine, or over HTTP.',
    blocks: [
      heading('With files on your machine'),
      prose(
        '`sheaf mcp` starts a server on standard input and output. Agents send paths and get paths, so that no file ' +
          'passes through the model. Install the [command line](/docs/command-line), then add this to the ' +
          'configuration of your agent:',
      ),
      code(
        'json',
        JSON.stringify(
          {
            mcpServers: {
              sheaf: {
                command: 'sheaf',
                args: ['mcp', '--allow', '/home/you/documents'],
                env: { SHEAF_API_KEY: 'sheaf_live_…', SHEAF_BASE_URL: origin },
              },
            },
          },
          null,
          2,
        ),
        'the configuration of an agent',
      ),
      list(
        'The agent can read and write only in the folders after `--allow`. If your agent program shares folders as MCP ' +
          '“roots”, these are allowed too. A symbolic link that leads out of these folders is refused.',
        'Hidden files and folders are refused, for reading and writing. Their names begin with a dot.',
        'A file is replaced only if the agent sends `overwrite: true`.',
        'Without `output`, the result is saved beside the first file, with the name of the response.',
        'The extension of `output` must fit the content type of the result, such as `.pdf`. If only the response shows ' +
          'that it does not fit, another output costs nothing for 24 hours.',
        'Names that mean something else on Windows are refused, such as `NUL.pdf` or `a.pdf:b.pdf`.',
        'Unknown arguments and options are refused. The error names the nearest one.',
        'The documentation is available as resources. Agents without resources use the tool `read_docs`.',
        'A page about a tool has at most 4 KB. Members of an option have their own pages, such as ' +
          '`pdf_redaction/areas`.',
      ),
      heading('Over HTTP'),
      prose(
        'Agents without a file system use the path `/mcp` of this server (Streamable HTTP) with the header `x-api-key`. Files are ' +
          'inline as base64. The files of a request and the file of a response may have up to 1 MB. A larger result is ' +
          'refused and costs nothing.',
      ),
      code(
        'json',
        JSON.stringify(
          { mcpServers: { sheaf: { type: 'http', url: `${origin}/mcp`, headers: { 'x-api-key': 'sheaf_live_…' } } } },
          null,
          2,
        ),
        'the configuration of an agent over HTTP',
      ),
      prose('In Claude Code, this command adds the server:'),
      code(
        'sh',
        `claude mcp add --transport http sheaf ${origin}/mcp --header "x-api-key: $SHEAF_API_KEY"`,
        'the command for Claude Code',
      ),
      prose(
        'Sheaf keeps nothing after the response. Each use of a tool is a request to its endpoint, with the same price, limits and log.',
      ),
      list(
        'A message is one request. Batches are refused.',
        'Resources and `read_docs` are the same as with files on your machine.',
        'To cancel a request, close its connection or send `notifications/cancelled` with the same key. The request then costs nothing.',
        'Without a key, a network can send 120 messages a minute, such as `tools/list`.',
        'Pages of other sites are refused. The `Origin` of a browser must be `PUBLIC_URL` or a loopback name.',
      ),
      heading('Tools'),
      prose(
        `Each endpoint is a tool, such as \`merge_pdf\` or \`pdf_redaction\`. The ${listEndpoints().length} tools ` +
          'together take fewer than 14,000 tokens of context, with a few words about each option.',
      ),
    ],
  }
}

/** The samples of an endpoint with the clients. */
export function describeClientSamples(endpoint: Endpoint, origin: string): Block[] {
  const options = (endpoint.examples[0]?.options ?? {}) as Record<string, unknown> // Options are an object.
  return [
    heading('Clients', 3),
    prose('See [TypeScript](/docs/typescript), [Python](/docs/python) and [command line](/docs/command-line).'),
    {
      kind: 'samples',
      label: `${endpoint.title}, clients`,
      samples: writeClientSamples({ endpoint, options, origin }),
    },
  ]
}
