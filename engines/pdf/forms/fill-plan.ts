import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../../errors'
import type { Problem } from '../../errors'
import type { PdfDocument } from '../document/document'
import type { Typesetter } from '../text/typesetter'
import { FieldNames, quote } from './field-names'
import { readValue } from './field-values'
import type { FieldValue, ParsedValue, Setting } from './field-values'
import { FLAG, readFormFields } from './form-field'
import type { FormField } from './form-field'

/** Field values by name, and the parameter to name in errors, such as `options.fields`. */
export interface NamedValues {
  values: ReadonlyMap<string, FieldValue>
  param: string
}

export interface FillRules {
  /** Whether unknown field names are ignored instead of rejected. */
  ignoresUnknown: boolean
  /** Whether read-only fields are filled too. */
  fillsReadOnly: boolean
}

/**
 * The planned values of fields. The plan also applies to forks of the document, because their objects have the same
 * references.
 */
export type FillPlan = ReadonlyMap<PDFRef, Setting>

/** A plan under construction. */
interface Draft {
  settings: Map<PDFRef, Setting>
  /** Requested names by the full name of their field. */
  requestedNames: Map<string, string>
}

/** Maximum number of problems in a response. */
const MAX_PROBLEMS = 20

/** Validates values against a form and collects all problems. */
export class FillPlanner {
  readonly fields: readonly FormField[]
  /** Whether unknown field names were ignored. */
  hasUnknown = false
  private readonly names: FieldNames
  private readonly problems: Problem[] = []
  private problemCount = 0
  /** The problems that are names which the form doesn't have. */
  private missingCount = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly typesetter: Typesetter,
    private readonly rules: FillRules,
  ) {
    this.fields = readFormFields(document)
    this.names = new FieldNames(this.fields)
  }

  /** Validates the values of several sources. For each field, the last source applies. */
  plan(sources: readonly NamedValues[]): FillPlan {
    const settings = new Map<PDFRef, Setting>()
    for (const { values, param } of sources) {
      const requestedNames = new Map<string, string>()
      for (const [name, value] of values)
        this.read({ name, value, param: writeParam(param, name) }, { settings, requestedNames })
    }
    return settings
  }

  /** Returns whether the name identifies fields of the form. */
  has(name: string): boolean {
    return 'fields' in this.names.find(name)
  }

  /** Throws EngineError `field_missing` or `options_invalid` with all problems, if any. */
  assertSound(): void {
    const [first] = this.problems
    if (!first) return
    const unlistedCount = this.problemCount - this.problems.length
    const problems =
      unlistedCount > 0
        ? [...this.problems, { message: `and ${unlistedCount.toLocaleString('en')} more errors` }]
        : this.problems
    const reason = this.missingCount === this.problemCount ? 'field_missing' : 'options_invalid'
    throw new EngineError(reason, first.message, { problems })
  }

  private read({ name, value, param }: NamedValue, { settings, requestedNames }: Draft): void {
    const match = this.names.find(name)
    if ('problem' in match) {
      if (this.rules.ignoresUnknown && match.isUnknown) this.hasUnknown = true
      else {
        this.blame(param, match.problem)
        if (match.isUnknown) this.missingCount++
      }
      return
    }
    const [fullName = ''] = match.fields.map(field => field.name)
    const otherName = requestedNames.get(fullName)
    if (otherName !== undefined)
      return this.blame(
        param,
        `${quote(otherName)} and ${quote(name)} are names of the same field ${quote(fullName)}. Send only one ` +
          'of them.',
      )
    requestedNames.set(fullName, name)
    for (const field of match.fields) {
      const reading = this.readOne(field, { name, value, param })
      if ('problem' in reading)
        return this.blame(param, fullName === name ? reading.problem : `${quote(fullName)} ${reading.problem}`)
      settings.set(field.ref, reading.setting)
    }
  }

  private readOne(field: FormField, { value, param }: NamedValue): ParsedValue {
    if (!this.rules.fillsReadOnly && field.flags & FLAG.readOnly)
      return { problem: 'is read-only. Remove it, or set readOnly to true.' }
    return readValue(this.document, field, { value, param, typesetter: this.typesetter })
  }

  private blame(param: string, problem: string): void {
    this.problemCount++
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ param, message: `${param}: ${problem}` })
  }
}

interface NamedValue {
  name: string
  value: FieldValue
  param: string
}

function writeParam(param: string, name: string): string {
  return /^[A-Za-z_$][\w$]{0,99}$/.test(name) ? `${param}.${name}` : `${param}[${quote(name)}]`
}
