import { parseArgs } from 'node:util'
import { SCENARIOS } from './scenarios'
import { createRandom } from '../../support/random.mjs'
import { type Scenario, DATABASES, type DatabaseKind, type Row } from './scenario'
import { publishResults } from './publish'
import { createEnvironment, stopPostgres } from './environment'
import { describeResults, didPass, type Result, Results } from './results'

// `npm run chaos [-- --quick] [--part NAME …] [--database pglite|postgres] [--scale 0.2] [--resume] [--results FILE]
// [--corpus DIR] [--publish]`
//
// Breaks the service in many ways while clients use it, and compares its responses and its ledger with the clients' own
// records. The script starts everything itself and ends by itself. It stays on loopback, except for `account-secrets`,
// which queries the registry for known vulnerabilities. Exit code 0 if every row passed.
//
// The script stores each result at the end of its scenario, so that --resume continues. `--part ledger` selects every
// scenario with that name or prefix. `--publish` only writes all stored results into the documentation. `--corpus`
// names a folder of real PDF files for further mutants.
//
// A scenario is a file in scenarios/ that exports a `Scenario` (scenario.ts), and a line in scenarios.ts. Its `run`
// gets fresh data of one database (`environment`: start, kill and stop the service, make clients, read the database).
// It scales its numbers with `times`, so that --quick and --scale reduce them, and its random values come from
// `random`, so that two runs are alike. With `isQuick` it omits everything that takes long even once.
//
// `run` returns rows: the checks, how many there were, how many passed, and the errors in words. `judge` makes a row of
// a list of errors. Clients send requests through a `CallLog`, and `checkBooks` compares the log with the database. An
// exception counts as a failed row.

const QUICK_SCALE = 0.02
/** The short run runs these scenarios at once, because some wait for a service to start or end while others work. */
const QUICK_LANES = 4
const SEED = 0x5eaf

interface Planned {
  scenario: Scenario
  database: DatabaseKind
}

async function main(args: string[]): Promise<number> {
  const { scenarios, databases, results, isResumed, isPublishing, ...extent } = readArguments(args)
  if (isPublishing) {
    publishResults(results.all, SCENARIOS)
    return 0
  }
  const planned = scenarios.flatMap(scenario =>
    chooseDatabases(scenario, databases, extent).map(database => ({ scenario, database })),
  )
  const waiting = planned.filter(
    ({ scenario, database }) => !isResumed || !results.isDone(scenario.name, database, extent.scale),
  )
  const closing: Promise<void>[] = []
  const runNext = async (lane: Planned[]) => {
    for (let next = lane.shift(); next; next = lane.shift()) {
      const { scenario, database } = next
      tell(`${scenario.name}, ${database}: ${scenario.description}`)
      const { result, closed } = await runScenario(scenario, database, extent)
      results.add(result)
      closing.push(closed)
    }
  }
  const isAlone = ({ scenario }: Planned) => !extent.isQuick || scenario.runsAlone === true
  await runNext(waiting.filter(isAlone))
  const together = waiting.filter(planned => !isAlone(planned))
  await Promise.all(Array.from({ length: QUICK_LANES }, () => runNext(together)))
  await Promise.all(closing)
  await stopPostgres()
  const own = results.all.filter(one =>
    planned.some(({ scenario, database }) => scenario.name === one.part && database === one.database),
  )
  process.stdout.write(`\n${describeResults(own)}\n`)
  return own.length > 0 && own.every(didPass) ? 0 : 1
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      part: { type: 'string', multiple: true },
      database: { type: 'string' },
      scale: { type: 'string' },
      resume: { type: 'boolean' },
      results: { type: 'string' },
      corpus: { type: 'string' },
      publish: { type: 'boolean' },
    },
  })
  const scale = values.scale === undefined ? (values.quick ? QUICK_SCALE : 1) : Number(values.scale)
  if (!(scale > 0 && scale <= 1))
    throw new Error(`--scale is ${values.scale}; it takes a share of the full numbers, over 0 and up to 1`)
  const databases = values.database === undefined ? undefined : DATABASES.filter(kind => kind === values.database)
  if (databases?.length === 0) throw new Error(`--database is ${values.database}; there are ${DATABASES.join(' and ')}`)
  return {
    scenarios: chooseScenarios(values.part),
    databases,
    scale,
    results: new Results(values.results ?? `test-results/chaos/${values.quick ? 'quick' : 'results'}.json`),
    isResumed: values.resume ?? false,
    isPublishing: values.publish ?? false,
    isQuick: values.quick ?? false,
    isNamed: values.part !== undefined,
    corpus: values.corpus,
  }
}

/** The selected scenarios on their useful databases. The short run uses one database by default. */
function chooseDatabases(
  { databases: possible = DATABASES, quickOn }: Scenario,
  asked: DatabaseKind[] | undefined,
  { isQuick, isNamed }: { isQuick: boolean; isNamed: boolean },
): DatabaseKind[] {
  if (asked === undefined && isQuick)
    return quickOn === undefined && !isNamed ? [] : [quickOn ?? possible[0] ?? 'pglite']
  return possible.filter(kind => asked?.includes(kind) ?? true)
}

function chooseScenarios(parts: string[] | undefined): Scenario[] {
  if (parts === undefined) return SCENARIOS
  const isMeant = ({ name }: Scenario, part: string) => name === part || name.startsWith(`${part}-`)
  const unknown = parts.filter(part => !SCENARIOS.some(scenario => isMeant(scenario, part)))
  if (unknown.length > 0)
    throw new Error(`there is no part ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`)
  return SCENARIOS.filter(scenario => parts.some(part => isMeant(scenario, part)))
}

/** One scenario's service shuts down, which is mostly waiting, while the service of the next scenario starts. */
async function runScenario(
  scenario: Scenario,
  database: DatabaseKind,
  { scale, isQuick, corpus }: { scale: number; isQuick: boolean; corpus: string | undefined },
): Promise<{ result: Result; closed: Promise<void> }> {
  const since = performance.now()
  const environment = await createEnvironment(database)
  const context = {
    database,
    environment,
    tell,
    isQuick,
    corpus,
    random: createRandom(SEED),
    times: (full: number) => Math.max(1, Math.round(full * scale)),
  }
  let rows: Row[]
  try {
    rows = await scenario.run(context)
  } catch (error) {
    rows = [
      {
        what: 'the scenario came to its end',
        done: 0,
        asked: 1,
        problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      },
    ]
  }
  const result = {
    part: scenario.name,
    database,
    scale,
    at: new Date().toISOString(),
    seconds: (performance.now() - since) / 1000,
    rows,
  }
  tell(`${scenario.name}, ${database}: ${didPass(result) ? 'ok' : 'WRONG'} (${result.seconds.toFixed(0)} s)`)
  return { result, closed: environment.close() }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main(process.argv.slice(2))
