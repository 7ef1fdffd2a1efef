import type { PdfDocument } from '../../../pdf/document'
import { PROFILES } from './profiles'
import type { Profile, ProfileId } from './profiles'
import { Findings } from './report'
import type { Location, Report } from './report'
import { UNDECIDED } from './rules'
import type { Rule, RuleId } from './rules'

/** One document that is checked against one profile. Areas find the subjects, and rules check them. */
export class Examination {
  readonly profile: Profile
  private readonly findings = new Findings()
  private readonly applicable = new Map<readonly Rule<never>[], ApplicableRule[]>()

  /** `bytes` is the file as it arrived. Reading `document` may have repaired it. */
  constructor(
    readonly document: PdfDocument,
    readonly bytes: Uint8Array,
    private readonly profileId: ProfileId,
  ) {
    this.profile = PROFILES[profileId]
  }

  /** Whether the profile is a part of PDF/A. */
  get isArchival(): boolean {
    return this.profile.level !== undefined
  }

  /** Returns whether any of these rules belongs to the profile. Areas skip work for rules that don't. */
  has<Subject>(rules: readonly Rule<Subject>[]): boolean {
    return this.select(rules).length > 0
  }

  /** Checks a subject against those of the rules that belong to the profile. */
  apply<Subject>(rules: readonly Rule<Subject>[], subject: Subject, location: Location = {}): void {
    for (const { id, rule } of this.select(rules)) {
      const finding = (rule as Rule<Subject>).check(subject, this)
      if (finding === UNDECIDED) this.findings.leaveUndecided(id)
      else if (finding !== undefined) this.findings.fail(id, rule.message, location, finding)
    }
  }

  /** Says of all these rules that they weren't decided, for example if content is too large to be read. */
  leaveUndecided<Subject>(rules: readonly Rule<Subject>[]): void {
    for (const { id } of this.select(rules)) this.findings.leaveUndecided(id)
  }

  report(): Report {
    return this.findings.report(this.profileId)
  }

  private select<Subject>(rules: readonly Rule<Subject>[]): ApplicableRule[] {
    const known = this.applicable.get(rules)
    if (known) return known
    const { family, level } = this.profile
    const selected = rules.flatMap((rule): ApplicableRule[] => {
      const id = rule.in[family]
      return id && (rule.level === undefined || rule.level === level) ? [{ id, rule }] : []
    })
    this.applicable.set(rules, selected)
    return selected
  }
}

interface ApplicableRule {
  id: RuleId
  rule: Rule<never>
}
