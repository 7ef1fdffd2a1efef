import { parseArgs } from 'node:util'
import { SCENARIOS } from './scenarios'
import { createRandom } from './chances'
import { type Scenario, DATABASES, type DatabaseKind, type Row } from './scenario'
import { publishResults } from './publish'
import { createEnvironment, stopPostgres } from './environment'
import { describeResults, didPass, type Result, Results } from './results'

// `npm run chaos [-- --quick] [--part NAME …] [--database pglite|postgres] [--scale 0.2] [--resume] [--results FILE]
// [--corpus DIR] [--publish]` Breaks the service in every way that can be thought of while clients use it, and holds
// what it says and its ledger against what the clients wrote down themselves. It starts everything itself, stays on the
// loopback address (but for `account-secrets`, which asks the registry for known faults) and ends by itself; exit code
// 0 when every row passed. Each result is kept when its scenario has ended, so that --resume goes on. A scenario is a
// file in scenarios/ that exports a `Scenario` (scenario.ts) and a line in scenarios.ts. Its `run` gets fresh data of
// one database (`environment`: start, kill and stop the service on it, make clients, read the books), takes its numbers
// through `times`, so that --quick and --scale shrink them, and its chances from `random`, so that two runs are alike;
// under `isQuick` it leaves out what takes long even once. It gives rows: what was asked and how often, how much of
// that came out right, and in words what did not; `judge` makes one of a list of faults. Clients call through a
// `CallLog`, and `checkBooks` compares that with the database. What throws counts as a row that failed. `--part ledger`
// means every scenario whose name is that or begins with it. `--publish` writes all results that are kept into the
// documentation, instead of running anything. `--corpus` names a folder of real PDF files, of which mutants are made
// beside those of the fixtures.

const QUICK_SCALE = 0.02
/** Scenarios that the short run does at once: some wait for a service to start or end while others work. */
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
      tell(`${scenario.name}, ${database}: ${scenario.asks}`)
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

/** Those asked for where the scenario makes sense; the short run takes one unless it is told which. */
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

/** The service of a scenario ends, which is mostly waiting, while that of the next one starts. */
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
