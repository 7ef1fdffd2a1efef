// Who may import whom. tests/check-boundaries.mjs reads every import of the tree and holds it against these rules.

/** The files of `engines` that others may import; everything else there is private. */
const doors = [
  'engines/pdf-tools/registry.ts',
  'engines/run.ts',
  'engines/types.ts',
  'engines/errors.ts',
  'engines/options/nearest-name.ts',
  'engines/webpage/request/options.ts',
  'engines/webpage/request/page-source.ts',
  'engines/invoice/data/invoice.ts',
]

const anyOf = paths => new RegExp(`^(${paths.map(path => path.replaceAll('.', '\\.')).join('|')})$`)

/** For every place in the tree the places it may import from; the first row that fits a file counts. */
const mayImport = [
  { from: /^tests\//, to: [/./] },
  {
    from: /^app\/_ui\//,
    to: [/^app\/_ui\//],
    types: [/^lib\//, anyOf(doors)],
    why: 'client components take types only from below: their code runs in the browser',
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
    types: [/^engines\/pdf-tools\/define\.ts$/],
    to: [/^lib\//, /^db\//, anyOf(doors), /^package\.json$/],
    why: 'the service reaches the database, and documents through the doors of engines',
  },
  { from: /^engines\//, to: [/^engines\//], why: 'engines know no HTTP, no account and no database' },
  { from: /^db\//, to: [/^db\//], why: 'the database knows only itself' },
  { from: /^instrumentation\.ts$/, to: [/^lib\//], why: 'it starts the service and nothing else' },
  { from: /^drizzle\.config\.ts$/, to: [/^db\//], why: 'it describes the schema only' },
  { from: /^[^/]+$/, to: [], why: 'settings of tools stand alone' },
]

/** Packages (or Node modules) that have no business in a place. */
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

/** The only file that hands on what others export; its lines are the tools, which never import each other. */
const toolList = 'engines/pdf-tools/tools.ts'

/** Names that say nothing about what a file holds. */
const emptyNames = /^(utils?|helpers?|common|misc|shared|base|manager|service-?utils|stuff|index)$/

/** A file name in kebab-case, or one that Next.js asks for. */
const fileName = /^(\[+(\.\.\.)?[a-z]+[A-Za-z]*\]+|[a-z0-9]+(-[a-z0-9]+)*)(\.[a-z0-9-]+)*$/

module.exports = { mayImport, mayNotUse, toolList, emptyNames, fileName }
