import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../errors'
import type { Problem } from '../errors'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Typesetter } from '../text/typesetter'
import { FieldNames, quote } from './field-names'
import { readValue } from './field-values'
import type { FieldValue, ParsedValue, Setting } from './field-values'
import { FLAG, readFormFields } from './form-field'
import type { FormField } from './form-field'

/** Values by the name of their field, and what to blame for them, such as `options.fields`. */
export interface NamedValues {
  values: ReadonlyMap<string, FieldValue>
  param: string
}

export interface FillRules {
  /** Whether names that the form does not have are left out instead of refused. */
  ignoresUnknown: boolean
  /** Whether fields that people can't change are filled too. */
  fillsReadOnly: boolean
}

/** What fields will hold; it holds for every fork of the document as well, whose objects have the same references. */
export type FillPlan = ReadonlyMap<PDFRef, Setting>

/** A plan that is being made. */
interface Draft {
  settings: Map<PDFRef, Setting>
  /** Names by the full name that they stand for. */
  given: Map<string, string>
}

/** Faults that one answer lists. */
const MAX_PROBLEMS = 20

/** Reads values against a form and gathers all that is wrong with them. */
export class FillPlanner {
  readonly fields: readonly FormField[]
  /** Whether names were left out that the form does not have. */
  hasUnknown = false
  private readonly names: FieldNames
  private readonly problems: Problem[] = []
  private problemCount = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly typesetter: Typesetter,
    private readonly rules: FillRules,
  ) {
    this.fields = readFormFields(document)
    this.names = new FieldNames(this.fields)
  }

  /** What the values of several sources make of the form together; the last one decides. */
  plan(sources: readonly NamedValues[]): FillPlan {
    const settings = new Map<PDFRef, Setting>()
    for (const { values, param } of sources) {
      const given = new Map<string, string>()
      for (const [name, value] of values)
        this.read({ name, value, param: writeParam(param, name) }, { settings, given })
    }
    return settings
  }

  /** Whether the form has a field that this name means. */
  has(name: string): boolean {
    return 'fields' in this.names.find(name)
  }

  /** Throws EngineError `bad-options` with everything that was found wrong. */
  assertSound(): void {
    const [first] = this.problems
    if (!first) return
    const more = this.problemCount - this.problems.length
    const problems =
      more > 0 ? [...this.problems, { message: `and ${more.toLocaleString('en')} more faults` }] : this.problems
    throw new EngineError('bad-options', first.message, { problems })
  }

  private read({ name, value, param }: Given, { settings, given }: Draft): void {
    const found = this.names.find(name)
    if ('problem' in found) {
      if (this.rules.ignoresUnknown && found.isUnknown) this.hasUnknown = true
      else this.blame(param, found.problem)
      return
    }
    const [full = ''] = found.fields.map(field => field.name)
    const before = given.get(full)
    if (before !== undefined)
      return this.blame(
        param,
        `${quote(before)} and ${quote(name)} are names of the same field ${quote(full)}; give it one value`,
      )
    given.set(full, name)
    for (const field of found.fields) {
      const reading = this.readOne(field, { name, value, param })
      if ('problem' in reading)
        return this.blame(param, full === name ? reading.problem : `${quote(full)} ${reading.problem}`)
      settings.set(field.ref, reading.setting)
    }
  }

  private readOne(field: FormField, { value, param }: Given): ParsedValue {
    if (!this.rules.fillsReadOnly && field.flags & FLAG.readOnly)
      return { problem: 'is read-only; leave it out, or set readOnly to true' }
    return readValue(this.document, field, { value, param, typesetter: this.typesetter })
  }

  private blame(param: string, problem: string): void {
    this.problemCount++
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ param, message: `${param}: ${problem}` })
  }
}

interface Given {
  name: string
  value: FieldValue
  param: string
}

function writeParam(param: string, name: string): string {
  return /^[A-Za-z_$][\w$]{0,99}$/.test(name) ? `${param}.${name}` : `${param}[${quote(name)}]`
}
