import published from './trials.json' with { type: 'json' }

/** A part of `npm run chaos` and its results. */
export interface Trial {
  part: string
  description: string
  /** The series that the part belongs to, if any. The parts of a series are published together. */
  series?: Series
  runs: Run[]
}

/** Several parts that are published as one. */
export interface Series {
  name: string
  description: string
  /** Number of parts in the series. */
  count: number
}

interface Run {
  database: string
  /** Share of the full numbers, from 0 to 1. */
  share: number
  /** The day on which the run ended, in UTC. */
  date: string
  passed: number
  checks: number
}

/** The last published run. `npm run chaos -- --publish` writes this file. */
export const TRIALS: { machine: string; trials: Trial[] } = published

/** Returns the trials as they are published: the parts of a series are combined. */
export function listTrials(trials: Trial[] = TRIALS.trials): Trial[] {
  const trialsByName = new Map<string, Trial>()
  for (const { part, description, series, runs } of trials) {
    const trial = {
      part: series?.name ?? part,
      description: series?.description ?? description,
      runs: runs.map(run => ({ ...run, share: run.share / (series?.count ?? 1) })),
    }
    const earlier = trialsByName.get(trial.part)
    trialsByName.set(trial.part, earlier === undefined ? trial : { ...trial, runs: addRuns(earlier.runs, trial.runs) })
  }
  return [...trialsByName.values()]
}

/** Adds up the runs of each database. The date of a sum is the later date. */
function addRuns(earlier: Run[], later: Run[]): Run[] {
  const added = later.map(run => {
    const earlierRun = earlier.find(({ database }) => database === run.database)
    if (earlierRun === undefined) return run
    return {
      ...run,
      share: run.share + earlierRun.share,
      date: run.date > earlierRun.date ? run.date : earlierRun.date,
      passed: run.passed + earlierRun.passed,
      checks: run.checks + earlierRun.checks,
    }
  })
  return [...earlier.filter(({ database }) => later.every(run => run.database !== database)), ...added]
}

/** Returns the results of a part as text, for each database. */
export function describeRuns({ runs }: Trial): string {
  return runs
    .map(({ database, share, date, passed, checks }) => {
      const percent = Math.round(share * 100)
      return (
        `${database === 'pglite' ? 'PGlite' : 'Postgres'}: ` +
        `${passed}/${checks}${percent < 100 ? `, at ${percent}% of full scale` : ''} (${date})`
      )
    })
    .join(', ')
}
