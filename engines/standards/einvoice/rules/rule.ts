import type { RuleSet, Syntax } from '../formats'
import type { ElectronicInvoice } from '../model'

/** A broken rule: its ID in the standard, the request parameter, and what to send. */
export interface BrokenRule {
  /** Such as `BR-DE-15`. */
  rule: string
  /** Path of the request parameter, such as `items[0].taxCategory`. */
  param: string
  /** Continues a sentence that starts with the parameter, such as `is required.` Doesn't contain the ID. */
  message: string
}

/** What rules depend on besides the invoice. */
export interface RuleContext {
  ruleSet: RuleSet
  syntax: Syntax
  /** Paths of elements without text and children, if the invoice was read. */
  empty?: readonly string[]
}

/** Reports a broken rule. */
export type Report = (param: string, message: string) => void

/** A business rule. `check` calls `report` for each place that breaks it. */
export interface Rule {
  /** ID in the standard, such as `BR-CO-15`. */
  id: string
  check(invoice: ElectronicInvoice, report: Report, context: RuleContext): void
}
