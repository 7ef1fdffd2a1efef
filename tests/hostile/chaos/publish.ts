import { writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { TRIALS, type Trial } from '../../../lib/docs/trials'
import type { Scenario } from './scenario'
import { isPassed } from './scenario'
import type { Result } from './results'

/** What the documentation tells of a run; its shape is that of lib/docs/trials.ts. */
const PATH = 'lib/docs/trials.json'
const GB = 1e9

/**
 * Writes the results of full numbers, and of shares of them, into the documentation; says which machine this is. What
 * it tells of other parts and databases stays, for all of it takes longer than anybody wants to wait at once.
 */
export function publishResults(results: Result[], scenarios: Scenario[]): void {
  const trials = scenarios.flatMap(({ name, asks, series }) => {
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
            asks,
            ...(series && { series }),
            runs: runs.toSorted((a, b) => a.database.localeCompare(b.database)),
          },
        ]
  })
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / GB)} GB of memory, ${type()}, Node.js ${process.versions.node}`
  writeFileSync(PATH, `${JSON.stringify({ machine, trials }, null, 2)}\n`)
}
