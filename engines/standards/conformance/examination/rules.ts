import type { Examination } from './examination'
import type { Family } from './profiles'

/** A clause and a test number as veraPDF counts them, such as `6.1.2-1`. */
export type RuleId = `${string}-${number}`

/** The result of a check that can't be decided, for example because a font program can't be read. */
export const UNDECIDED = Symbol('undecided')

/**
 * What a check found: undefined if the rule holds, `UNDECIDED`, or a few words about what breaks it, such as `/Filter
 * /LZWDecode`.
 */
export type Finding = string | undefined | typeof UNDECIDED

/** One requirement, checked on every subject of its kind. */
export interface Rule<Subject> {
  /** The rule's number in each family that has it. */
  in: Partial<Record<Family, RuleId>>
  /** The only level of PDF/A that has the rule. Default: all. */
  level?: 'u'
  /** The requirement as a sentence for users. */
  message: string
  check(subject: Subject, examination: Examination): Finding
}

/** The numbers of a rule that PDF/A-2 and PDF/A-3 share. */
export function inParts23(id: RuleId): Partial<Record<Family, RuleId>> {
  return { 'pdfa-2': id, 'pdfa-3': id }
}

/** The numbers of a rule of PDF/A-1, and of PDF/A-2 and PDF/A-3. */
export function inAllParts(first: RuleId, later: RuleId): Partial<Record<Family, RuleId>> {
  return { 'pdfa-1': first, ...inParts23(later) }
}
