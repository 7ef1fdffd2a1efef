// The rules for imports. tests/check-boundaries.mjs compares every import of the tree with these rules.

/** The files of `engines` that other folders may import. Everything else there is private. */
const doors = [
  'engines/tools/registry.ts',
  'engines/create-engines.ts',
  'engines/types.ts',
  'engines/output-content.ts',
  'engines/errors.ts',
  'engines/options/alternatives.ts',
  'engines/options/bounded-text.ts',
  'engines/options/file-input.ts',
  'engines/options/form-hints.ts',
  'engines/options/nearest-name.ts',
  'engines/options/schemas.ts',
  'engines/webpage/egress/fetch-file.ts',
  'engines/webpage/egress/file-url.ts',
  'engines/webpage/request/options.ts',
  'engines/webpage/request/page-source.ts',
  'engines/features/invoice/input/assumed-currency.ts',
  'engines/features/invoice/data/invoice.ts',
  'engines/features/invoice/input/invoice-schema.ts',
]

/** The files of `engines` that the browser runs too. They import nothing. */
const shared = ['engines/options/lengths.ts', 'engines/options/page-order.ts', 'engines/options/selector-grammar.ts']

const anyOf = paths => new RegExp(`^(${paths.map(path => path.replaceAll('.', '\\.')).join('|')})$`)

/** The allowed import sources of every folder in the tree. The first row that matches a file applies. */
const mayImport = [
  { from: /^tests\//, to: [/./] },
  {
    from: /^app\/_ui\//,
    to: [/^app\/_ui\//, /^lib\/docs\/search\/index-format\.ts$/, anyOf(shared)],
    types: [/^lib\//, anyOf(doors)],
    why: 'client components take types only from below, and what both sides share: their code runs in the browser',
  },
  {
    from: /^app\//,
    to: [/^app\//, /^lib\//, anyOf(doors)],
    why: 'pages and routes reach the service, and documents through the doors of engines',
  },
  {
    from: /^lib\/(build|commands|start)\/.*\.mjs$/,
    to: [/^lib\/(build|commands|start)\/.*\.mjs$/],
    why: 'these run before anything is built',
  },
  {
    from: /^lib\//,
    types: [/^engines\/tools\/define\.ts$/],
    to: [/^lib\//, /^db\//, anyOf(doors), /^package\.json$/],
    why: 'the service reaches the database, and documents through the doors of engines',
  },
  {
    from: /^clients\/generate/,
    to: [/^clients\/generate\//, /^lib\/(clients|docs|build)\//],
    why: 'the clients follow from the declarations of the endpoints',
  },
  {
    from: /^clients\/build\.mjs$/,
    to: [/^lib\/build\/.*\.mjs$/],
    why: 'the packages of the project are installed first',
  },
  {
    from: /^clients\//,
    to: [/^clients\/(typescript|cli)\//, /^lib\/agents\//],
    why: 'the command line contains the client for TypeScript, and what both MCP servers say',
  },
  { from: /^engines\//, to: [/^engines\//], why: 'engines know no HTTP, no account and no database' },
  { from: /^db\//, to: [/^db\//], why: 'the database knows only itself' },
  { from: /^drizzle\.config\.ts$/, to: [/^db\//], why: 'it describes the schema only' },
  { from: /^[^/]+$/, to: [], why: 'settings of tools stand alone' },
]

/** What every feature may import. */
const FEATURE = [
  'decode-text.ts',
  'errors.ts',
  'file-name.ts',
  'options',
  'installed-package.ts',
  'map-entries.ts',
  'pdf',
  'types.ts',
]

/**
 * The imports that the files of each room may use besides their own room, below `engines/` or `lib/`: a file, or a
 * folder with everything below it. A file belongs to the room with the longest path that matches. Types count in
 * `engines`. Other rooms use `pdf` through the files directly in its folder.
 */
const rooms = {
  // engines
  'engines/options': ['errors.ts'],
  'engines/pdf': ['decode-text.ts', 'errors.ts', 'options', 'installed-package.ts', 'map-entries.ts', 'types.ts'],
  'engines/standards/conformance': ['decode-text.ts', 'errors.ts', 'map-entries.ts', 'pdf'],
  'engines/standards/archival': ['errors.ts', 'installed-package.ts', 'map-entries.ts', 'pdf', 'standards/conformance'],
  'engines/standards/einvoice': ['decode-text.ts', 'errors.ts', 'map-entries.ts'],
  'engines/features/ocr': FEATURE,
  'engines/features/comparison': [...FEATURE, 'features/ocr'],
  'engines/features/compression': [...FEATURE, 'standards/archival', 'standards/conformance'],
  'engines/features/headers-footers': FEATURE,
  'engines/features/images-in': [...FEATURE, 'features/ocr'],
  'engines/features/images-out': FEATURE,
  'engines/features/redaction': [...FEATURE, 'features/ocr'],
  'engines/features/text-extraction': [...FEATURE, 'features/ocr', 'standards/conformance'],
  'engines/features/watermark': FEATURE,
  'engines/features/invoice': [...FEATURE, 'features/text-extraction', 'standards/archival', 'standards/einvoice'],
  'engines/tools': [...FEATURE, 'features', 'standards', 'webpage/request'],
  'engines/pipeline': [...FEATURE, 'features/invoice', 'tools'],
  'engines/pool': ['errors.ts', 'jobs.ts', 'output-content.ts', 'types.ts'],
  'engines/webpage': [...FEATURE, 'output-content.ts', 'pool'],
  // lib
  'lib/telemetry': ['errors.ts', 'registry.ts'],
  'lib/accounts/account': ['database.ts', 'registry.ts'],
  'lib/credits': ['config.ts', 'csv.ts', 'database.ts', 'errors.ts', 'log.ts', 'registry.ts', 'telemetry'],
  'lib/accounts/key': ['accounts/account', 'credits', 'database.ts', 'errors.ts'],
  'lib/accounts': ['accounts/account', 'accounts/key'],
  'lib/accounts/session': ['accounts/account', 'config.ts', 'registry.ts'],
  'lib/build': [],
  'lib/requests': ['config.ts', 'csv.ts', 'database.ts', 'errors.ts', 'log.ts', 'registry.ts'],
  'lib/accounts/route': [
    'accounts/account',
    'accounts/session',
    'config.ts',
    'content-disposition.ts',
    'database.ts',
    'errors.ts',
    'http-exchange.ts',
    'log.ts',
    'requests',
    'site-origin.ts',
  ],
  'lib/accounts/sign-in': [
    'accounts/account',
    'accounts/key',
    'accounts/route',
    'accounts/session',
    'config.ts',
    'database.ts',
    'fail-point.ts',
    'http-exchange.ts',
    'log.ts',
    'mail.ts',
    'registry.ts',
    'requests',
    'site-origin.ts',
  ],
  'lib/accounts/settings': ['accounts/account', 'accounts/session', 'accounts/sign-in', 'config.ts', 'database.ts'],
  'lib/body': ['refusal.ts'],
  'lib/purchases': [
    'accounts/account',
    'accounts/route',
    'accounts/sign-in',
    'config.ts',
    'content-disposition.ts',
    'credits',
    'database.ts',
    'running-engines.ts',
    'errors.ts',
    'fail-point.ts',
    'http-exchange.ts',
    'log.ts',
    'registry.ts',
    'telemetry',
  ],
  'lib/docs/samples': [],
  'lib/operations': ['body', 'config.ts', 'database.ts', 'errors.ts', 'refusal.ts', 'running-engines.ts'],
  'lib/docs': ['content-disposition.ts', 'docs/samples', 'errors.ts', 'operations'],
  'lib/agents': [],
  'lib/clients': ['agents', 'docs'],
  'lib/docs/openapi': ['credits', 'docs', 'errors.ts', 'registry.ts'],
  'lib/http/connection': ['requests'],
  'lib/http/limits': ['config.ts', 'credits', 'errors.ts', 'http/connection', 'log.ts', 'registry.ts', 'requests'],
  'lib/http/request': ['config.ts', 'errors.ts', 'http/connection', 'refusal.ts', 'requests'],
  'lib/http/response': [
    'config.ts',
    'content-disposition.ts',
    'errors.ts',
    'http/connection',
    'log.ts',
    'refusal.ts',
    'site-origin.ts',
  ],
  'lib/http': [
    'accounts/key',
    'accounts/session/auth-secret.ts',
    'body',
    'config.ts',
    'credits',
    'docs',
    'errors.ts',
    'fail-point.ts',
    'http-exchange.ts',
    'http/connection',
    'http/limits',
    'http/request',
    'http/response',
    'log.ts',
    'once-per-period.ts',
    'refusal.ts',
    'registry.ts',
    'requests',
    'site-origin.ts',
    'telemetry',
  ],
  'lib/mcp': [
    'accounts/key',
    'agents',
    'body',
    'clients',
    'config.ts',
    'docs',
    'errors.ts',
    'http',
    'http-exchange.ts',
    'registry.ts',
    'requests',
    'site-origin.ts',
  ],
  'lib/http/server': ['http-exchange.ts', 'http/connection', 'http/limits', 'site-origin.ts'],
  'lib/metrics': ['database.ts', 'running-engines.ts', 'errors.ts', 'health.ts', 'http/limits', 'registry.ts'],
  'lib/notices': ['accounts/account', 'config.ts', 'credits', 'database.ts', 'log.ts', 'mail.ts', 'purchases'],
  'lib/start': [
    'accounts',
    'accounts/session',
    'accounts/sign-in',
    'build',
    'config.ts',
    'credits',
    'database.ts',
    'http',
    'http-exchange.ts',
    'http/limits',
    'http/server',
    'log.ts',
    'metrics',
    'notices',
    'purchases',
    'registry.ts',
    'requests',
    'running-engines.ts',
    'site-origin.ts',
    'telemetry',
  ],
  'lib/commands': ['build', 'accounts', 'accounts/sign-in', 'config.ts', 'credits', 'purchases', 'start'],
  'lib/docs/start-page': ['docs'],
  'lib/docs/pages': ['agents', 'credits', 'docs', 'errors.ts', 'purchases', 'registry.ts'],
  'lib/docs/search': ['docs', 'docs/pages'],
  'lib/trial': [
    'accounts/route',
    'config.ts',
    'errors.ts',
    'http',
    'http-exchange.ts',
    'operations',
    'refusal.ts',
    'registry.ts',
    'requests',
  ],
  'lib/playground': [
    'accounts/account',
    'accounts/route',
    'accounts/session',
    'body',
    'config.ts',
    'credits',
    'errors.ts',
    'http-exchange.ts',
    'http',
    'operations',
    'running-engines.ts',
    'registry.ts',
  ],
}

/** Packages (or Node modules) that a folder may not import. */
const mayNotUse = [
  {
    from: /^(engines|db)\//,
    packages: /^(next|next-auth|@auth\/.*|react|react-dom|nodemailer|busboy|pino)$/,
    why: 'no framework and no HTTP below lib',
  },
  { from: /^engines\//, packages: /^(drizzle-orm|postgres|@electric-sql\/.*)$/, why: 'no database in engines' },
  {
    from: /^engines\/(?!webpage\/|pool\/)/,
    packages: /^node:(https?|http2|net|tls|dns)$/,
    why: 'only the page renderer goes to the network, and the pool talks through pipes',
  },
  {
    from: /^db\//,
    packages: /^(pdf-lib|@embedpdf\/.*|puppeteer|tesseract\.js|jszip)$/,
    why: 'no documents in the database',
  },
  {
    from: /^app\//,
    packages: /^(drizzle-orm|postgres|@electric-sql\/.*|pdf-lib|puppeteer|tesseract\.js)$/,
    why: 'routes and pages have no logic',
  },
  {
    from: /^app\/(?!_ui\/playground\/)/,
    packages: /^@embedpdf\//,
    why: 'only the browser of a visitor draws previews, in a worker',
  },
]

/**
 * Code that the process of the server never loads, also not through other modules. This work belongs to other
 * processes, because the content of a document decides how long it takes.
 */
const mayNotReach = [
  { from: /^(app|lib)\//, target: /^engines\/(webpage\/archive\/|jobs\.ts$)/, why: 'an engine reads documents' },
]

/** The only file that re-exports other modules. It lists the tools, and tools never import each other. */
const toolList = 'engines/tools/tools.ts'

/** File names that don't describe the file's content. */
const emptyNames = /^(utils?|helpers?|common|misc|shared|base|manager|service-?utils|stuff|index)$/

/** A file name in kebab-case, or a name that Next.js requires. */
const fileName = /^(\[+(\.\.\.)?[a-z]+[A-Za-z]*\]+|[a-z0-9]+(-[a-z0-9]+)*)(\.[a-z0-9-]+)*$/

module.exports = { mayImport, rooms, mayNotUse, mayNotReach, toolList, emptyNames, fileName }
