import type { Series } from '../../../lib/docs/trials'
import type { Environment } from './environment'

export const DATABASES = ['pglite', 'postgres'] as const

export type DatabaseKind = (typeof DATABASES)[number]

/**
 * One line of the report: the request of a scenario, and its result. The row passed if everything ran without an error.
 */
export interface Row {
  what: string
  done: number
  asked: number
  /** The errors, in words. */
  problems: string[]
  /** An additional figure for the report. */
  note?: string
  /** The reason why this machine can't run it. The row is not judged then. */
  skipped?: string
}

/** The fixtures of a scenario. */
export interface Context {
  database: DatabaseKind
  /** Fresh data, and the service that uses it. Both end with the scenario. */
  environment: Environment
  /** Whether this is the short run, which omits everything that takes long even once. */
  isQuick: boolean
  /** Scales a number of the full run for this run. At least 1. */
  times(full: number): number
  /** Returns numbers from 0 to 1, the same in each run. */
  random(): number
  /** A folder of additional real files from `--corpus`. */
  corpus: string | undefined
  tell(line: string): void
}

/** A part of the run. */
export interface Scenario {
  /** The name for `--part`. */
  name: string
  /** The requirement for the service, in a sentence. */
  description: string
  /**
   * The databases on which the scenario is useful: both by default, or only the embedded one if the database is
   * irrelevant.
   */
  databases?: readonly DatabaseKind[]
  /**
   * For one of several scenarios that share hours of work, so that the work can be resumed: their common name in the
   * report.
   */
  series?: Series
  /**
   * If `true`, the short run does nothing else meanwhile, because the scenario needs much memory or depends on exact
   * timing.
   */
  runsAlone?: true
  /** The only database in the short run. None if the scenario takes too long for the short run. */
  quickOn?: DatabaseKind
  run(context: Context): Promise<Row[]>
}

/** A row of independent checks. The number of requests is the number of checks. The row keeps ten errors. */
export function judge(what: string, problemsOfEach: (string | undefined)[], note?: string): Row {
  const problems = problemsOfEach.filter(problem => problem !== undefined)
  return {
    what,
    done: problemsOfEach.length - problems.length,
    asked: problemsOfEach.length,
    problems: problems.slice(0, MOST_PROBLEMS),
    ...(note === undefined ? {} : { note }),
  }
}

/** Returns whether a row has passed. */
export function isPassed({ done, asked, problems }: Row): boolean {
  return done >= asked && problems.length === 0
}

const MOST_PROBLEMS = 10
