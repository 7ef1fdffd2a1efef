// Checks the regular expressions and schemas that see texts of requests in the main process, where a slow expression
// stops all requests. Expressions must take linear time, and schemas must check the length of a text before its pattern.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/build/project.mjs'
import { listLateChecks, listPatterns } from './patterns/listed-patterns.mjs'
import { superLinearProblem } from './patterns/super-linear.mjs'

/** Files and folders with code that sees texts of requests. */
const PLACES = [
  'lib',
  'engines/file-name.ts',
  'engines/options',
  'engines/tools',
  ...listFolders('engines').flatMap(folder => [`${folder}/options.ts`, `${folder}/request`]),
  'engines/features/invoice/data',
  'engines/features/invoice/electronic',
  'engines/standards/einvoice/format-rules',
  'engines/standards/einvoice/rules',
  'engines/features/headers-footers',
  'engines/pdf/metadata/metadata-options.ts',
  'engines/pdf/metadata/dates.ts',
  'engines/pdf/text/template.ts',
  'engines/webpage/egress',
]

/** Folders that only see texts of Sheaf itself, or of its operator. */
const OWN_TEXTS = ['lib/build', 'lib/commands', 'lib/docs', 'lib/start']

/** Expressions and schemas that are fast although the check reports them, with the reason. */
const EXCEPTIONS = {
  'lib/accounts/account-command.ts': 'only the operator runs the command',
  'lib/requests/network.ts': 'the text is a valid address',
  'lib/log.ts': 'the text has at most MOST_CHARACTERS',
  'engines/file-name.ts': 'only engine processes run it',
  'engines/features/invoice/data/qr-payload.ts': 'the text is a line of an address, at most 2,000 characters',
  'engines/standards/einvoice/format-rules/xrechnung.ts': 'payment terms have at most 2,000 characters',
  'engines/webpage/egress/page-site.ts': 'the text has at most LOOKED_AT_BYTES',
  'engines/webpage/egress/public-address.ts': 'URLs have at most 2,048 characters',
}

const used = new Set()
const problems = PLACES.flatMap(listFiles).flatMap(checkFile)
for (const path of Object.keys(EXCEPTIONS)) if (!used.has(path)) problems.push(`${path} needs no exception`)
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${problems.length} slow expressions or late checks\n`)
process.exitCode = problems.length ? 1 : 0

function checkFile(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const slow = listPatterns(path, text).flatMap(({ source, flags, line }) => {
    const problem = superLinearProblem(source, flags)
    return problem === undefined ? [] : [`${path}:${line} /${source}/${flags} ${problem}`]
  })
  const late = listLateChecks(path, text).map(
    ({ name, line }) => `${path}:${line} ${name} runs before the length is checked. Use boundedText`,
  )
  const found = [...slow, ...late]
  if (found.length === 0 || !Object.hasOwn(EXCEPTIONS, path)) return found
  used.add(path)
  return []
}

function listFolders(path) {
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? [`${path}/${entry.name}`] : [],
  )
}

function listFiles(path) {
  if (!existsSync(join(ROOT, path)) || OWN_TEXTS.includes(path)) return []
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path)).flatMap(name =>
    name.endsWith('.ts') || !name.includes('.') ? listFiles(`${path}/${name}`) : [],
  )
}
