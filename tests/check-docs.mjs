// Checks that documents agree with the code. Paths, links and scripts in documents exist. Every script, variable,
// decision and large folder is described. Every tool has a test, and every function of lib and engines has a docstring.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { ROOT } from '../lib/build/project.mjs'

/** Names from the standard that one comment explains together. */
const PDF_NAMES = 'engines/pdf/syntax/names.ts'
const COMMANDS = 'CONTRIBUTING.md'
const VARIABLES = 'docs/configuration.md'
const ARCHITECTURE = 'docs/architecture.md'
const DECISIONS = 'docs/decisions'
const TOOLS = 'engines/tools/tools.ts'
const MOST_SOURCES = 20
/** Folders of the tree, as documents name them in backticks. */
const FOLDERS = ['app', 'lib', 'engines', 'db', 'docs', 'tests', 'deploy', 'public', '.ci']

const read = path => readFileSync(join(ROOT, path), 'utf8')
const documents = ['README.md', COMMANDS, 'SECURITY.md', ...listFiles('docs', /\.md$/)]
const texts = new Map(documents.filter(path => existsSync(join(ROOT, path))).map(path => [path, read(path)]))
const textOf = path => texts.get(path) ?? ''
const problems = [
  ...documents.filter(path => !texts.has(path)).map(path => `${path} is missing`),
  ...[...texts].flatMap(([path, text]) => [
    ...checkPaths(path, text),
    ...checkLinks(path, text),
    ...checkScripts(path, text),
  ]),
  ...checkCommands(textOf(COMMANDS)),
  ...checkVariables(textOf(VARIABLES)),
  ...checkDecisions(),
  ...checkLargeFolders(textOf(ARCHITECTURE)),
  ...checkToolTests(),
  ...['lib', 'engines'].flatMap(folder => listFiles(folder, /\.tsx?$/)).flatMap(checkDocstrings),
]

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${problems.length} disagreements\n`)
process.exitCode = problems.length ? 1 : 0

/** A path is text in backticks that begins with a folder of the tree. `<…>`, `*` and `…` make it a pattern. */
function checkPaths(document, text) {
  const named = new RegExp(`\`((?:${FOLDERS.join('|').replace('.', '\\.')})/[^\`\\s]*)\``, 'g')
  return [...new Set([...text.matchAll(named)].map(match => match[1]))]
    .filter(path => !/[<*…]/.test(path) && !existsSync(join(ROOT, path.replace(/:\d+$/, ''))))
    .map(path => `${document} names ${path}, which does not exist`)
}

/** Links to files of the repository, with the headings that they name. */
function checkLinks(document, text) {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(match => match[1])
  return [...new Set(links)]
    .filter(link => {
      const [target = '', anchor] = link.split('#')
      const path = target === '' ? document : posix.join(posix.dirname(document), target)
      return !existsSync(join(ROOT, path)) || (anchor !== undefined && !listAnchors(read(path)).includes(anchor))
    })
    .map(link => `${document} links ${link}, which does not exist`)
}

/** Anchors of headings as GitHub generates them. `heading` in lib/docs/pages/page.ts generates the same anchors. */
function listAnchors(text) {
  return [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

function listScripts() {
  return Object.keys(JSON.parse(read('package.json')).scripts)
}

function listNamedScripts(text) {
  return [...text.matchAll(/npm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)].map(match => match[1])
}

function checkScripts(document, text) {
  const known = [...listScripts(), 'install', 'run', 'ci']
  const commands = [...text.matchAll(/`[^`\n]+`|^```[^]*?^```/gm)].map(([code]) => code).join('\n')
  return [...new Set(listNamedScripts(commands))]
    .filter(name => !known.includes(name))
    .map(name => `${document} names npm run ${name}, which package.json does not have`)
}

function checkCommands(text) {
  const named = listNamedScripts(text)
  return listScripts()
    .filter(name => !named.includes(name))
    .map(name => `${COMMANDS} has no line about npm run ${name}`)
}

/** Rows that begin with a variable in backticks. */
function checkVariables(text) {
  const listed = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(match => match[1])
  const schema = readSchema()
  return [
    ...schema.filter(name => !listed.includes(name)).map(name => `${VARIABLES} lacks ${name}`),
    ...[...new Set(listed)]
      .filter(name => !schema.includes(name))
      .map(name => `${VARIABLES} has ${name}, which lib/config.ts does not read`),
    ...listed.filter((name, i) => listed.indexOf(name) !== i).map(name => `${VARIABLES} has ${name} twice`),
  ]
}

/** Decisions are numbered from 0001, have the same four headings, and are listed. */
function checkDecisions() {
  const headings = ['Context', 'Decision', 'Consequences', 'What would change it']
  return listFiles(DECISIONS, /\.md$/).flatMap((path, index) => {
    const number = String(index + 1).padStart(4, '0')
    const found = [...textOf(path).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    return [
      ...(path.startsWith(`${DECISIONS}/${number}-`) ? [] : [`${path} should have the number ${number}`]),
      ...(found.join() === headings.join() ? [] : [`${path} should have the headings ${headings.join(', ')}`]),
      ...(textOf(ARCHITECTURE).includes(`](${posix.relative('docs', path)})`) ? [] : [`${ARCHITECTURE} lacks ${path}`]),
    ]
  })
}

/** Folders with many source files have a row with the reason. Migrations are SQL and don't count. */
function checkLargeFolders(text) {
  const counts = new Map()
  for (const folder of ['app', 'lib', 'engines', 'db', 'tests', 'deploy'])
    for (const path of listFiles(folder, /\.(ts|tsx|mjs)$/))
      counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  const large = [...counts].filter(([, count]) => count > MOST_SOURCES).map(([folder]) => folder)
  const [, section = ''] = text.split(`\n## Folders with more than ${MOST_SOURCES} source files\n`)
  const listed = [...section.split('\n## ')[0].matchAll(/^\| `([^`]+)\/` \|/gm)].map(match => match[1])
  return [
    ...large.filter(folder => !listed.includes(folder)).map(folder => `${ARCHITECTURE} has no reason for ${folder}`),
    ...listed.filter(folder => !large.includes(folder)).map(folder => `${folder} is not large: remove its reason`),
  ]
}

/** Each tool has a test in a file with the tool's name. */
function checkToolTests() {
  return [...read(TOOLS).matchAll(/from '\.\/([a-z0-9-]+)'/g)]
    .map(([, id]) => `tests/engines/tools/${id}.test.ts`)
    .filter(path => !existsSync(join(ROOT, path)))
    .map(path => `${path} is missing: a tool has a test file of its own name`)
}

/** The keys of `const variables = z.object({ … })` in lib/config.ts. */
function readSchema() {
  const { program } = parseSync('config.ts', read('lib/config.ts'))
  const declarations = program.body.flatMap(statement =>
    statement.type === 'VariableDeclaration' ? statement.declarations : [],
  )
  const properties = declarations.find(one => one.id.name === 'variables')?.init.arguments[0].properties
  if (!properties)
    throw new Error('lib/config.ts no longer declares its variables as `const variables = z.object({ … })`')
  return properties.map(property => property.key.name)
}

/** Files below a folder whose names match, in the order of their names. */
function listFiles(folder, pattern) {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return listFiles(path, pattern)
      return pattern.test(path) ? [path] : []
    })
}

/**
 * Functions, classes and values. A type documents itself unless its members need comments, and a tool has its summary.
 */
function checkDocstrings(file) {
  if (file === PDF_NAMES) return []
  const source = read(file)
  const { program, comments } = parseSync(file, source)
  const isDocumented = start =>
    comments.some(one => one.value.startsWith('*') && one.end <= start && source.slice(one.end, start).trim() === '')
  return program.body
    .filter(
      statement =>
        statement.type === 'ExportNamedDeclaration' &&
        statement.declaration &&
        !statement.declaration.type.startsWith('TS'),
    )
    .filter(
      statement =>
        !isDocumented(statement.start) && statement.declaration.declarations?.[0].init?.callee?.name !== 'defineTool',
    )
    .map(({ declaration }) => `${file}: ${(declaration.id ?? declaration.declarations[0].id).name} has no docstring`)
}
