import published from './trials.json'

/** A part of `npm run chaos` and what came of it. */
export interface Trial {
  part: string
  asks: string
  runs: {
    database: string
    /** Of the full numbers, from 0 to 1. */
    share: number
    /** Day on which it ended, UTC. */
    date: string
    passed: number
    checks: number
  }[]
}

/** The last published run; `npm run chaos -- --publish` writes it. */
export const TRIALS: { machine: string; trials: Trial[] } = published

/** What came of a part, in a few words for each database. */
export function describeRuns({ runs }: Trial): string {
  return runs.map(({ database, share, date, passed, checks }) => `${database === 'pglite' ? 'PGlite' : 'Postgres'}: ${passed}/${checks}${share < 1 ? `, ${Math.round(share * 100)} % of the numbers` : ''}, ${date}`).join('; ')
}
