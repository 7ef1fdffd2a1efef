import type { Series } from '../../../lib/docs/trials'
import type { Environment } from './environment'

export const DATABASES = ['pglite', 'postgres'] as const

export type DatabaseKind = (typeof DATABASES)[number]

/**
 * One line of the report: what a scenario was asked for, and what came of it. It passed when all was done without a
 * fault.
 */
export interface Row {
  what: string
  done: number
  asked: number
  /** What went wrong, in words. */
  problems: string[]
  /** A figure worth knowing. */
  note?: string
  /** Why this machine can't do it; then nothing is judged. */
  skipped?: string
}

/** What a scenario works with. */
export interface Context {
  database: DatabaseKind
  /** Fresh data, and the service on it; ended when the scenario ends. */
  environment: Environment
  /** Whether this is the short run, which leaves out what takes long even when it is done once. */
  isQuick: boolean
  /** A number of the full run as it is asked for in this one: scaled, at least 1. */
  times(full: number): number
  /** From 0 to 1; the same numbers in each run. */
  random(): number
  /** Folder of real files to try as well, where `--corpus` names one. */
  corpus: string | undefined
  tell(line: string): void
}

/** A part of the run. */
export interface Scenario {
  /** What `--part` names it by. */
  name: string
  /** What it asks of the service, in a sentence. */
  asks: string
  /** Where it makes sense; on both when missing, on the embedded one alone where the database has no part in it. */
  databases?: readonly DatabaseKind[]
  /**
   * Of one of several scenarios that share work which takes hours, so that it can be resumed: what they are published
   * as.
   */
  series?: Series
  /** If `true`, the short run does nothing else meanwhile: the scenario measures times or has to meet a moment. */
  runsAlone?: true
  /** The one database on which the short run does it; none when it takes longer than the short run has. */
  quickOn?: DatabaseKind
  run(context: Context): Promise<Row[]>
}

/** A row of things that were each right or wrong: as many asked as were looked at. Of the faults ten are kept. */
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

/** Whether a row is as it should be. */
export function isPassed({ done, asked, problems }: Row): boolean {
  return done >= asked && problems.length === 0
}

const MOST_PROBLEMS = 10
