// `npm run mutants` makes small changes to the product, one at a time, and runs the nearest unit tests. A change that no
// test notices is printed. `npm run mutants -- lib/credits engines/pool --count 100 --seed 1` takes a sample of two
// folders. Without names, it takes the files that differ from the branch main. `--files 8` runs the eight nearest test
// files of each change (default: 12). `--list` only prints the changes. Equivalent changes are listed in
// equivalent.json, with their reasons. All changes happen in a copy of the tree. A change that makes tests endless has
// "timed out". Processor time decides, so the load of the machine makes no difference.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { assertNode, enterProject, ROOT } from '../../lib/build/project.mjs'
import { runMain } from '../../lib/build/print-status.mjs'
import { createRandom } from '../support/random.mjs'
import { listMutants } from './list-mutants.mjs'
import { createNearTests } from './near-tests.mjs'
import { startVitest } from './run-tests.mjs'

const PRODUCT = /^(app|lib|engines|db)\/.*\.tsx?$/
/**
 * Processor time until the next test ends, beside twice what the slowest file usually needs. It covers the start of the
 * workers. A change may cause an endless loop.
 */
const SPARE_SECONDS = 30
const SLOWER = 2
/** A test file that usually needs more processor time is slow. */
const SLOW_SECONDS = 3
/** This many slow test files run first. */
const NEAREST = 2
/** Tests that run on two databases run on this one only if nothing else notices the change. */
const ON_POSTGRES = /^.*\bon postgres\b/
const ELSEWHERE = /^(?!.*\bon postgres\b)/

const print = line => process.stdout.write(`${line}\n`)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

await runMain(async () => {
  assertNode()
  enterProject()
  process.env.NODE_NO_WARNINGS = '1' // Of the workers, whose output is printed.
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      files: { type: 'string', default: '12' },
      list: { type: 'boolean', default: false },
    },
  })
  const tree = git('ls-files', '-co', '--exclude-standard')
  const names =
    positionals.length > 0
      ? positionals.map(name => name.replace(/\/$/, ''))
      : git('diff', '--name-only', '--relative', 'main')
  const isNamed = file => names.some(name => file === name || file.startsWith(`${name}/`))
  const all = tree
    .filter(file => PRODUCT.test(file) && isNamed(file) && statSync(file, { throwIfNoEntry: false }))
    .flatMap(file => listMutants(file, readFileSync(file, 'utf8')))
  const equivalent = readEquivalent(all)
  // The equivalent changes are left out of the sample, not of what it is taken from. So a new entry doesn't change it.
  const chosen = shuffle(all, Number(values.seed)).slice(0, Number(values.count))
  const sample = chosen
    .filter(mutant => !equivalent.has(mutant))
    .toSorted((one, other) => all.indexOf(one) - all.indexOf(other))
  print(`${sample.length} of ${all.length} changes, without ${chosen.length - sample.length} equivalent ones`)
  if (values.list) return sample.forEach(mutant => print(describe(mutant)))
  if (sample.length > 0) await withCopy(tree, copy => runAll(copy, { sample, tree, names, most: Number(values.files) }))
})

async function runAll(copy, { sample, tree, names, most }) {
  const vitest = await startVitest(copy)
  const files = tree.filter(file => statSync(file, { throwIfNoEntry: false }))
  const listNearTests = createNearTests(copy, files, vitest.has)
  const testsOf = new Map()
  for (const { file } of sample) if (!testsOf.has(file)) testsOf.set(file, listNearTests(file, most))
  const usual = await measureUsual(vitest, [...new Set([...testsOf.values()].flat())])
  const outcomes = []
  const startedMs = Date.now()
  process.once('SIGINT', () => {
    process.on('uncaughtException', () => {}) // Vitest reports the killed workers.
    printTable(outcomes, names)
    void vitest.stop().finally(() => process.exit(130)) // Removes the copy.
  })
  for (const mutant of sample) {
    const outcome = await runOne(vitest, mutant, {
      copy,
      usual,
      tests: testsOf.get(mutant.file).filter(test => usual.has(test)),
    })
    outcomes.push({ mutant, outcome })
    if (outcome !== 'noticed') print(`${outcome}: ${describe(mutant)}`)
    if (outcomes.length % 25 === 0)
      print(`${outcomes.length} of ${sample.length} after ${Math.round((Date.now() - startedMs) / 1000)} s`)
  }
  await vitest.close()
  printTable(outcomes, names)
  process.exitCode = 0 // Vitest sets another one after a failed test.
}

/**
 * Returns the processor time in seconds of each test file without a change, and whether it has tests on Postgres. Files
 * that fail then can't notice anything.
 */
async function measureUsual(vitest, files) {
  const startedMs = Date.now()
  const { failed, names, seconds } = await vitest.measure(files)
  for (const name of failed) print(`fails without a change, so it isn't used: ${name}`)
  const isFailed = file => failed.some(name => name.startsWith(file))
  const isOnPostgres = file => names.some(name => name.startsWith(file) && ON_POSTGRES.test(name))
  print(`${files.length} test files without a change took ${Math.round((Date.now() - startedMs) / 1000)} s`)
  return new Map(
    [...seconds]
      .filter(([file]) => !isFailed(file))
      .map(([file, needed]) => [file, { seconds: needed, isOnPostgres: isOnPostgres(file) }]),
  )
}

/** Most changes are noticed by a quick test or by the nearest slow ones. Those on Postgres run at last. */
async function runOne(vitest, { file, start, end, after }, { copy, usual, tests }) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const isSlow = test => usual.get(test).seconds > SLOW_SECONDS
  const parts = [
    { some: tests.filter(test => !isSlow(test)), pattern: ELSEWHERE },
    { some: tests.filter(isSlow).slice(0, NEAREST), pattern: ELSEWHERE },
    { some: tests.filter(isSlow).slice(NEAREST), pattern: ELSEWHERE },
    { some: tests.filter(test => usual.get(test).isOnPostgres), pattern: ON_POSTGRES },
  ]
  const write = text => {
    writeFileSync(join(copy, file), text)
    vitest.forget(file)
  }
  write(source.slice(0, start) + after + source.slice(end))
  try {
    for (const { some, pattern } of parts.filter(({ some }) => some.length > 0)) {
      const slowest = Math.max(...some.map(test => usual.get(test).seconds))
      const { failed, isEnded } = await vitest.run(some, { limitSeconds: SPARE_SECONDS + SLOWER * slowest, pattern })
      if (failed.length > 0) return 'noticed'
      if (isEnded) return 'timed out'
    }
    return 'survived'
  } finally {
    write(source)
  }
}

/** Copies the tree into a temporary folder, and removes the copy however this process ends. */
async function withCopy(tree, work) {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'sheaf-mutants-')))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  for (const file of tree)
    if (statSync(file, { throwIfNoEntry: false })) cpSync(file, join(copy, file), { verbatimSymlinks: true })
  symlinkSync(realpathSync('node_modules'), join(copy, 'node_modules'))
  process.chdir(copy)
  await work(copy)
}

/** Changes that no test can notice. An entry of equivalent.json names the text of the line, so that lines may move. */
function readEquivalent(all) {
  const entries = JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'))
  const lines = new Map()
  const lineOf = ({ file, line }) => {
    if (!lines.has(file)) lines.set(file, readFileSync(file, 'utf8').split('\n'))
    return lines.get(file)[line - 1].trim()
  }
  const isListed = mutant =>
    entries.some(
      ({ file, line, before, after }) =>
        file === mutant.file && before === mutant.before && after === mutant.after && line === lineOf(mutant),
    )
  return new Set(all.filter(isListed))
}

function describe({ file, line, before, after }) {
  const short = before.replace(/\s+/g, ' ')
  return `${file}:${line} ${short.length > 100 ? `${short.slice(0, 99)}…` : short} → ${after === '' || after === ';' ? 'nothing' : after}`
}

/** One row for each named folder, or for each folder of a changed file. */
function printTable(outcomes, names) {
  const folderOf = ({ mutant: { file } }) => names.find(name => file.startsWith(`${name}/`)) ?? dirname(file)
  print('\n| Folder | Noticed | Survived | Timed out | Percent |\n| --- | --- | --- | --- | --- |')
  for (const folder of [...new Set(outcomes.map(folderOf)), 'all']) {
    const rows = folder === 'all' ? outcomes : outcomes.filter(outcome => folderOf(outcome) === folder)
    const [noticed, survived, timedOut] = ['noticed', 'survived', 'timed out'].map(
      outcome => rows.filter(row => row.outcome === outcome).length,
    )
    // A run that doesn't end fails too.
    const percent = (100 * (noticed + timedOut)) / Math.max(1, rows.length)
    print(`| ${folder} | ${noticed} | ${survived} | ${timedOut} | ${percent.toFixed(1)} |`)
  }
}

/** The same sample for the same seed (Fisher–Yates). */
function shuffle(list, seed) {
  const random = createRandom(seed)
  const shuffled = [...list]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const index = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[index]] = [shuffled[index], shuffled[last]]
  }
  return shuffled
}
