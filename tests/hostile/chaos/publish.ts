import { writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { TRIALS, type Trial } from '../../../lib/docs/trials'
import { isPassed, type Scenario } from './scenario'
import type { Result } from './results'

/** The report of a run in the documentation. lib/docs/trials.ts defines its type. */
const PATH = 'lib/docs/trials.json'
const GB = 1e9

/**
 * Writes results of full runs, and of shares of them, into the documentation, with a description of this machine.
 * Results of other parts and databases stay, because a complete run takes too long.
 */
export function publishResults(results: Result[], scenarios: Scenario[]): void {
  const trials = scenarios.flatMap(({ name, description, series }) => {
    const runs: Trial['runs'] = results
      .filter(({ part }) => part === name)
      .flatMap(({ database, scale, at, rows }) => {
        const judged = rows.filter(({ skipped }) => skipped === undefined)
        return judged.length === 0
          ? []
          : [
              {
                database,
                share: scale,
                date: at.slice(0, 10),
                passed: judged.filter(isPassed).length,
                checks: judged.length,
              },
            ]
      })
    const earlier = TRIALS.trials.find(({ part }) => part === name)?.runs ?? []
    runs.push(...earlier.filter(one => runs.every(({ database }) => database !== one.database)))
    return runs.length === 0
      ? []
      : [
          {
            part: name,
            description,
            ...(series && { series }),
            runs: runs.toSorted((a, b) => a.database.localeCompare(b.database)),
          },
        ]
  })
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / GB)} GB of memory, ${type()}, Node.js ${process.versions.node}`
  writeFileSync(PATH, `${JSON.stringify({ machine, trials }, null, 2)}\n`)
}
