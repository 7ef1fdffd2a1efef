// Documents that agree with the code: paths and scripts that the README names exist, its table of variables is the
// schema's, and every function of lib and engines that others use says what it gives.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { ROOT } from '../lib/build/project.mjs'

/** Names of the standard, which one comment explains together. */
const PDF_NAMES = 'engines/pdf-core/syntax/names.ts'
const read = path => readFileSync(join(ROOT, path), 'utf8')
const readme = existsSync(join(ROOT, 'README.md')) ? read('README.md') : undefined
const problems = [
  ...(readme === undefined
    ? ['README.md is missing']
    : [...checkPaths(readme), ...checkScripts(readme), ...checkVariables(readme)]),
  ...['lib', 'engines'].flatMap(listSources).flatMap(checkDocstrings),
]

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${problems.length} disagreements\n`)
process.exitCode = problems.length ? 1 : 0

/** Paths are what stands in backticks and begins with a folder of the tree; `<…>`, `*` and `…` make it a pattern. */
function checkPaths(text) {
  const named = [...text.matchAll(/`((?:app|lib|engines|db|tests|deploy|public|\.ci)\/[^`\s]*)`/g)].map(
    match => match[1],
  )
  const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(match => match[1])
  const paths = [...named, ...linked].filter(path => !/[<*…]/.test(path)).map(path => path.replace(/:\d+$/, ''))
  return [...new Set(paths)]
    .filter(path => !existsSync(join(ROOT, path)))
    .map(path => `README.md names ${path}, which does not exist`)
}

function checkScripts(text) {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const named = [...text.matchAll(/npm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)].map(match => match[1])
  const builtIn = ['install', 'run', 'ci']
  return [
    ...named
      .filter(name => !scripts.includes(name) && !builtIn.includes(name))
      .map(name => `README.md names npm run ${name}, which package.json does not have`),
    ...scripts.filter(name => !named.includes(name)).map(name => `README.md has no line about npm run ${name}`),
  ]
}

/** Rows that begin with a variable in backticks; several in one row are separated by commas. */
function checkVariables(text) {
  const rows = [...text.matchAll(/^\|([^|\n]+)\|/gm)].map(match => match[1])
  const listed = rows.flatMap(cell => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(match => match[1]))
  const schema = readSchema()
  return [
    ...schema.filter(name => !listed.includes(name)).map(name => `README.md's table of variables lacks ${name}`),
    ...[...new Set(listed)]
      .filter(name => !schema.includes(name))
      .map(name => `README.md's table has ${name}, which lib/config.ts does not read`),
    ...listed.filter((name, i) => listed.indexOf(name) !== i).map(name => `README.md's table has ${name} twice`),
  ]
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

function listSources(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return listSources(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

/**
 * Functions, classes and values; a type says itself what it is unless its members need words, a tool has its summary.
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
