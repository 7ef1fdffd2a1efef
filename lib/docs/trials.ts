import published from './trials.json'

/** A part of `npm run chaos` and what came of it. */
export interface Trial {
  part: string
  asks: string
  /** Of a part that is one of several: what is told of them together. */
  series?: Series
  runs: Run[]
}

/** Parts that share the work of one. */
export interface Series {
  name: string
  asks: string
  /** How many parts there are. */
  count: number
}

interface Run {
  database: string
  /** Of the full numbers, from 0 to 1. */
  share: number
  /** Day on which it ended, UTC. */
  date: string
  passed: number
  checks: number
}

/** The last published run; `npm run chaos -- --publish` writes it. */
export const TRIALS: { machine: string; trials: Trial[] } = published

/** Trials as readers are told of them: parts of a series are one. */
export function listTrials(trials: Trial[] = TRIALS.trials): Trial[] {
  const trialsByName = new Map<string, Trial>()
  for (const { part, asks, series, runs } of trials) {
    const trial = {
      part: series?.name ?? part,
      asks: series?.asks ?? asks,
      runs: runs.map(run => ({ ...run, share: run.share / (series?.count ?? 1) })),
    }
    const earlier = trialsByName.get(trial.part)
    trialsByName.set(trial.part, earlier === undefined ? trial : { ...trial, runs: addRuns(earlier.runs, trial.runs) })
  }
  return [...trialsByName.values()]
}

/** The sums for each database, as of the later day. */
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

/** What came of a part, in a few words for each database. */
export function describeRuns({ runs }: Trial): string {
  return runs
    .map(({ database, share, date, passed, checks }) => {
      const percent = Math.round(share * 100)
      return (
        `${database === 'pglite' ? 'PGlite' : 'Postgres'}: ` +
        `${passed}/${checks}${percent < 100 ? `, ${percent} % of the numbers` : ''}, ${date}`
      )
    })
    .join('; ')
}
