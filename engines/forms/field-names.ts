import { findNearestName } from '../options/nearest-name'
import type { FormField } from './form-field'

/** What a name means in a form: the fields of that name, or why that can't be told. */
export type NamedFields = { fields: FormField[] } | { problem: string; isUnknown: boolean }

/** Names that an answer lists. */
const MAX_LISTED = 5
/** Names that are suggested for one that is not there. */
const MAX_SUGGESTED = 3
/** Faults for which the name that was meant is looked for, which takes time in a form of thousands of fields. */
const MAX_SEARCHES = 5

/** The fields of a form by their full names, and by the last parts of these where they are the only ones. */
export class FieldNames {
  private readonly byName = new Map<string, FormField[]>()
  /** Full names by what they end with. */
  private byEnding: Map<string, Set<string>> | undefined
  private searches = 0

  constructor(fields: readonly FormField[]) {
    for (const field of fields) {
      const same = this.byName.get(field.name)
      if (same) same.push(field)
      else this.byName.set(field.name, [field])
    }
  }

  find(name: string): NamedFields {
    const exact = this.byName.get(name)
    if (exact) return { fields: exact }
    const endings = [...(this.endings().get(name) ?? [])]
    const [only] = endings
    if (only !== undefined && endings.length === 1) return { fields: this.byName.get(only) ?? [] }
    if (endings.length > 1)
      return {
        problem: `${quote(name)} is the end of ${endings.length} names: ${listNames(endings)}; write one of them in full`,
        isUnknown: false,
      }
    return { problem: `there is no field ${quote(name)}; ${this.suggest(name)}`, isUnknown: true }
  }

  /** Everything that follows one of the dots of a name. */
  private endings(): Map<string, Set<string>> {
    if (this.byEnding) return this.byEnding
    this.byEnding = new Map()
    for (const name of this.byName.keys()) {
      for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        const ending = name.slice(dot + 1)
        const names = this.byEnding.get(ending)
        if (names) names.add(name)
        else this.byEnding.set(ending, new Set([name]))
      }
    }
    return this.byEnding
  }

  private suggest(name: string): string {
    const count = this.byName.size
    const total = `this form has ${count.toLocaleString('en')} ${count === 1 ? 'field' : 'fields'}`
    const inside = [...this.byName.keys()].filter(full => full.startsWith(`${name}.`))
    if (inside.length) return `it is a group, which has ${listNames(inside)}`
    if (++this.searches > MAX_SEARCHES) return total
    const nearest = this.nearest(name)
    if (nearest.length) return `did you mean ${nearest.map(quote).join(' or ')}? T${total.slice(1)}`
    return `${total}: ${listNames([...this.byName.keys()])}`
  }

  private nearest(name: string): string[] {
    const endings = [...this.endings()].flatMap(([ending, names]) => (names.size === 1 ? [ending] : []))
    let known = [...this.byName.keys(), ...endings]
    const found: string[] = []
    while (found.length < MAX_SUGGESTED) {
      const next = findNearestName(name, known)
      if (next === undefined) break
      const full = this.byName.has(next) ? next : [...(this.endings().get(next) ?? [])][0]
      if (full !== undefined && !found.includes(full)) found.push(full)
      known = known.filter(other => other !== next)
    }
    return found
  }
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quote).join(', ')
  return names.length > MAX_LISTED ? `${shown} and ${(names.length - MAX_LISTED).toLocaleString('en')} more` : shown
}

/** Characters of a name or a value that a sentence quotes. */
const MAX_QUOTED = 100

/** A text in a sentence: in quotation marks, and not longer than a line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)
}
