import { findNearestName } from '../../options/nearest-name'

/** A placeholder of a template. `{date:DD.MM.YYYY}` has the name `date` and the detail `DD.MM.YYYY`. */
export interface Placeholder {
  name: string
  detail: string | undefined
}

/**
 * The placeholders that a template may have. Each function returns why a detail is invalid, or undefined if it is
 * valid. Null if the placeholder takes no detail.
 */
export type KnownPlaceholders = Readonly<Record<string, ((detail: string) => string | undefined) | null>>

type Part = string | Placeholder

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g
const MAX_SHOWN = 40

/** A text with placeholders in braces. `{{` and `}}` are escaped braces. */
export class Template {
  private constructor(
    private readonly parts: readonly Part[],
    private readonly stray: string | undefined,
  ) {}

  static parse(text: string): Template {
    const parts: Part[] = []
    let stray: string | undefined
    for (const { 0: token, 1: inside } of text.matchAll(TOKEN)) {
      if (inside !== undefined) parts.push(readPlaceholder(inside))
      else if (token === '{{' || token === '}}') parts.push(token.slice(1))
      else if (token === '{' || token === '}') stray ??= token
      else parts.push(token)
    }
    return new Template(parts, stray)
  }

  has(name: string): boolean {
    return this.parts.some(part => typeof part !== 'string' && part.name === name)
  }

  /** Returns why the template is invalid if only these placeholders are known. Undefined if it is valid. */
  problem(known: KnownPlaceholders): string | undefined {
    if (this.stray !== undefined)
      return (
        `has a single "${this.stray}". Write ${this.stray}${this.stray} for a brace, or a placeholder such as ` +
        '{page}.'
      )
    for (const part of this.parts) {
      const problem = typeof part === 'string' ? undefined : placeholderProblem(part, known)
      if (problem) return problem
    }
    return undefined
  }

  /** Returns the text with every placeholder replaced by its value. */
  fill(valueOf: (placeholder: Placeholder) => string): string {
    return this.parts.map(part => (typeof part === 'string' ? part : valueOf(part))).join('')
  }
}

function readPlaceholder(inside: string): Placeholder {
  const colon = inside.indexOf(':')
  return colon < 0
    ? { name: inside.trim(), detail: undefined }
    : { name: inside.slice(0, colon).trim(), detail: inside.slice(colon + 1).trim() }
}

function placeholderProblem({ name, detail }: Placeholder, known: KnownPlaceholders): string | undefined {
  const names = Object.keys(known)
  if (!Object.hasOwn(known, name)) {
    const nearest = findNearestName(name, names)
    return (
      `has the unknown placeholder "{${name.slice(0, MAX_SHOWN)}}". ` +
      `${nearest ? `Did you mean {${nearest}}? ` : ''}Known placeholders are ` +
      `${names.map(one => `{${one}}`).join(', ')}. Write {{ and }} for braces.`
    )
  }
  if (detail === undefined) return undefined
  const check = known[name]
  const problem = check ? check(detail) : 'must not have a colon and a format'
  return problem && `{${name}:${detail.slice(0, MAX_SHOWN)}}: ${problem}`
}
