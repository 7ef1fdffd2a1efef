import type { ProfileId } from './profiles'
import type { RuleId } from './rules'
import { findOrAdd } from '../../../map-entries'

/** Where a rule is broken. */
export interface Location {
  /** The page number, from 1. */
  page?: number
  /** Object and generation number of the closest indirect object, such as `12 0`. */
  object?: string
}

/** A broken rule. */
export interface Failure {
  clause: string
  test: number
  message: string
  /** How often the rule is broken. */
  count: number
  /** The first ten locations, each with what was found there. */
  places: (Location & { found: string })[]
}

/** A rule that applies but wasn't decided. */
export interface UndecidedRule {
  clause: string
  test: number
}

/** The result of a validation. */
export interface Report {
  /** False if a rule is broken. Otherwise null if a rule wasn't decided. */
  conforms: boolean | null
  profile: ProfileId
  failures: Failure[]
  undecided: UndecidedRule[]
}

const MOST_PLACES = 10

/** Collects what the rules find. */
export class Findings {
  private readonly failures = new Map<RuleId, Failure>()
  private readonly undecided = new Set<RuleId>()

  fail(id: RuleId, message: string, location: Location, found: string): void {
    const failure = findOrAdd(this.failures, id, () => ({ ...splitId(id), message, count: 0, places: [] }))
    failure.count++
    if (failure.places.length < MOST_PLACES) failure.places.push({ ...location, found })
  }

  leaveUndecided(id: RuleId): void {
    this.undecided.add(id)
  }

  /** The report, with rules in the order of their clauses. */
  report(profile: ProfileId): Report {
    const failures = [...this.failures.values()].toSorted(byClause)
    const undecided = [...this.undecided]
      .filter(id => !this.failures.has(id))
      .map(splitId)
      .toSorted(byClause)
    return { conforms: failures.length > 0 ? false : undecided.length > 0 ? null : true, profile, failures, undecided }
  }
}

function splitId(id: RuleId): UndecidedRule {
  const dash = id.lastIndexOf('-')
  return { clause: id.slice(0, dash), test: Number(id.slice(dash + 1)) }
}

function byClause(one: UndecidedRule, other: UndecidedRule): number {
  return one.clause.localeCompare(other.clause, 'en', { numeric: true }) || one.test - other.test
}
