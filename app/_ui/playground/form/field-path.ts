import type { Json, JsonObject } from './field-shapes'

/** A place inside of the options: names and positions. */
export type FieldPath = readonly (string | number)[]

/** A fault that the service found, at its place; undefined where it is none of the options. */
export interface PlacedProblem {
  path: FieldPath | undefined
  /** The field as the service names it. */
  param?: string
  message: string
}

/** The same for the same place, also as an element's id. */
export function keyOf(path: FieldPath): string {
  return path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${encodeURIComponent(part).replaceAll('.', '%2E')}`))
    .join('')
}

/**
 * The place that a `param` such as `options.areas[0].x` or `custom["a b"]` names; undefined when it is written
 * otherwise.
 */
export function parseParam(param: string): FieldPath | undefined {
  const parts: (string | number)[] = []
  const token = /\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy
  while (token.lastIndex < param.length) {
    const found = token.exec(param)
    if (!found) return undefined
    const [, word, index, quoted] = found
    parts.push(word ?? (index === undefined ? parseQuoted(quoted) : Number(index)))
  }
  return parts
}

function parseQuoted(text: string | undefined): string {
  return String(JSON.parse(text ?? '""'))
}

/**
 * A copy of an object with one member set, or without it when the value is undefined. Order stays; a new one comes
 * last.
 */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [name]: value }
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name))
}

/** The problems of one place: those of the field itself, and those inside of it that no other field will show. */
export function problemsAt(problems: readonly PlacedProblem[], path: FieldPath, showsInside: boolean): PlacedProblem[] {
  const key = keyOf(path)
  return problems.filter(problem => {
    if (problem.path === undefined) return false
    const other = keyOf(problem.path)
    return other === key || (showsInside && (other.startsWith(`${key}.`) || other.startsWith(`${key}[`)))
  })
}
