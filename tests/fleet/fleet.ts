import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../support/random.mjs'
import type { Row } from '../hostile/chaos/scenario'
import { describeResults, didPass, type Result, Results } from '../hostile/chaos/results'
import { startPostgres } from '../support/postgres'
import { type Fleet, openFleet } from './instances'
import type { Part } from './part'
import { fairTurns } from './parts/fair-turns'
import { databaseTime, scaling } from './parts/figures'
import { kill } from './parts/kill'
import { rolling } from './parts/rolling'
import { idempotency, rotation, signInLimits } from './parts/shared-state'

// `npm run fleet [-- --part NAME …] [--seconds 300] [--results FILE]`
//
// Runs three instances of the built service on a real Postgres behind nginx (or our own balancer if nginx isn't
// installed), all on loopback. The script starts, uses, disrupts and ends the instances. Exit code 0 if every row
// passed. A part is an object of part.ts in parts/ and a line in PARTS.

const PARTS: Part[] = [idempotency, signInLimits, rotation, fairTurns, databaseTime, scaling, rolling, kill]
const INSTANCES = 3
const SECONDS = 300
const SEED = 0xf1ee7
const STATISTICS = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on']

async function main(args: string[]): Promise<number> {
  const { parts, seconds, path } = readArguments(args)
  mkdirSync(dirname(path), { recursive: true })
  const results = new Results(path)
  const postgresServer = await startPostgres(STATISTICS)
  try {
    const since = performance.now()
    const fleet = await openFleet(INSTANCES, postgresServer)
    tell(
      `${INSTANCES} instances ready after ${((performance.now() - since) / 1000).toFixed(0)} s, having migrated ` +
        `one empty database at once; before them ${fleet.balancer.name}`,
    )
    try {
      for (const part of parts) results.add(await runPart(part, fleet, seconds))
    } finally {
      await fleet.close()
    }
  } finally {
    await postgresServer.stop()
  }
  const own = results.all.filter(({ part }) => parts.some(({ name }) => name === part))
  process.stdout.write(`\n${describeResults(own)}\n`)
  return own.every(didPass) ? 0 : 1
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { part: { type: 'string', multiple: true }, seconds: { type: 'string' }, results: { type: 'string' } },
  })
  const unknown = values.part?.filter(part => !PARTS.some(({ name }) => name === part)) ?? []
  if (unknown.length > 0)
    throw new Error(`there is no part ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`)
  const seconds = Number(values.seconds ?? SECONDS)
  if (!(seconds >= 10 && seconds <= 600)) throw new Error(`--seconds is ${values.seconds}; it takes 10 to 600`)
  return {
    parts: PARTS.filter(({ name }) => values.part?.includes(name) ?? true),
    seconds,
    path: values.results ?? 'test-results/fleet/results.json',
  }
}

async function runPart(part: Part, fleet: Fleet, seconds: number): Promise<Result> {
  tell(`${part.name}: ${part.asks}`)
  const since = performance.now()
  let rows: Row[]
  try {
    rows = await part.run({ fleet, seconds, random: createRandom(SEED) })
  } catch (error) {
    rows = [
      {
        what: 'the part came to its end',
        done: 0,
        asked: 1,
        problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      },
    ]
  }
  const result: Result = {
    part: part.name,
    database: 'postgres',
    scale: seconds / SECONDS,
    at: new Date().toISOString(),
    seconds: (performance.now() - since) / 1000,
    rows,
  }
  tell(`${part.name}: ${didPass(result) ? 'ok' : 'WRONG'} (${result.seconds.toFixed(0)} s)`)
  return result
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main(process.argv.slice(2))
