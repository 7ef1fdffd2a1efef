import { findNearestName } from '../../options/nearest-name'
import type { FormField } from './form-field'
import { addTo } from '../../map-entries'

/** The fields with a name, or a problem if the name is unknown or ambiguous. */
export type NamedFields = { fields: FormField[] } | { problem: string; isUnknown: boolean }

/** Maximum number of names in a message. */
const MAX_LISTED = 5
/** Maximum number of suggestions for an unknown name. */
const MAX_SUGGESTED = 3
/**
 * Maximum number of unknown names that get suggestions, because the search is slow in forms with thousands of fields.
 */
const MAX_SEARCHES = 5

/** Finds the fields of a form by full name, or by the last parts of the name if they are unambiguous. */
export class FieldNames {
  private readonly byName = new Map<string, FormField[]>()
  /** Full names by their endings. */
  private byEnding: Map<string, Set<string>> | undefined
  private searches = 0

  constructor(fields: readonly FormField[]) {
    for (const field of fields) addTo(this.byName, field.name, field)
  }

  find(name: string): NamedFields {
    const exact = this.byName.get(name)
    if (exact) return { fields: exact }
    const fullNames = [...(this.endings().get(name) ?? [])]
    const [only] = fullNames
    if (only !== undefined && fullNames.length === 1) return { fields: this.byName.get(only) ?? [] }
    if (fullNames.length > 1)
      return {
        problem:
          `${quote(name)} is the last part of ${fullNames.length} field names: ${listNames(fullNames)}. Send a ` +
          'full name.',
        isUnknown: false,
      }
    return { problem: `unknown field ${quote(name)}. ${this.suggest(name)}.`, isUnknown: true }
  }

  /** Maps each name ending after a dot to its full names. */
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
    const total = `This form has ${count.toLocaleString('en')} ${count === 1 ? 'field' : 'fields'}`
    const inside = [...this.byName.keys()].filter(full => full.startsWith(`${name}.`))
    if (inside.length) return `It is a group of ${listNames(inside)}`
    if (++this.searches > MAX_SEARCHES) return total
    const nearest = this.nearest(name)
    if (nearest.length) return `Did you mean ${nearest.map(quote).join(' or ')}? ${total}`
    return `${total}: ${listNames([...this.byName.keys()])}`
  }

  private nearest(name: string): string[] {
    const endings = [...this.endings()].flatMap(([ending, names]) => (names.size === 1 ? [ending] : []))
    let candidates = [...this.byName.keys(), ...endings]
    const suggestions: string[] = []
    while (suggestions.length < MAX_SUGGESTED) {
      const next = findNearestName(name, candidates)
      if (next === undefined) break
      const full = this.byName.has(next) ? next : [...(this.endings().get(next) ?? [])][0]
      if (full !== undefined && !suggestions.includes(full)) suggestions.push(full)
      candidates = candidates.filter(other => other !== next)
    }
    return suggestions
  }
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quote).join(', ')
  return names.length > MAX_LISTED ? `${shown} and ${(names.length - MAX_LISTED).toLocaleString('en')} more` : shown
}

/** Maximum length of a quoted name or value in a message. */
const MAX_QUOTED = 100

/** Quotes a text for a message and truncates it if necessary. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)
}
