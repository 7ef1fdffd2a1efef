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
  const told = new Map<string, Trial>()
  for (const { part, asks, series, runs } of trials) {
    const own = {
      part: series?.name ?? part,
      asks: series?.asks ?? asks,
      runs: runs.map(run => ({ ...run, share: run.share / (series?.count ?? 1) })),
    }
    const earlier = told.get(own.part)
    told.set(own.part, earlier === undefined ? own : { ...own, runs: addRuns(earlier.runs, own.runs) })
  }
  return [...told.values()]
}

/** The sums for each database, as of the later day. */
function addRuns(earlier: Run[], later: Run[]): Run[] {
  const added = later.map(run => {
    const other = earlier.find(({ database }) => database === run.database)
    if (other === undefined) return run
    return {
      ...run,
      share: run.share + other.share,
      date: run.date > other.date ? run.date : other.date,
      passed: run.passed + other.passed,
      checks: run.checks + other.checks,
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
