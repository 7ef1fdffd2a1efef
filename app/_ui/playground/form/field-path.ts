import type { Json, JsonObject } from './field-shapes'

/** The path of a value inside the options: names and positions. */
export type FieldPath = readonly (string | number)[]

/**
 * A problem reported by the service, with its place in the options. `path` is undefined if it isn't one of the options.
 */
export interface PlacedProblem {
  path: FieldPath | undefined
  /** The field as the service names it. */
  param?: string
  message: string
}

/** Returns a key that is the same for equal paths. Also used as an element's ID. */
export function keyOf(path: FieldPath): string {
  return path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${encodeURIComponent(part).replaceAll('.', '%2E')}`))
    .join('')
}

/** Parses a `param` such as `options.areas[0].x` or `custom["a b"]`. Undefined if the syntax doesn't match. */
export function parseParam(param: string): FieldPath | undefined {
  const parts: (string | number)[] = []
  const token = /\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy
  while (token.lastIndex < param.length) {
    const match = token.exec(param)
    if (!match) return undefined
    const [, word, index, quoted] = match
    parts.push(word ?? (index === undefined ? parseQuoted(quoted) : Number(index)))
  }
  return parts
}

function parseQuoted(text: string | undefined): string {
  return String(JSON.parse(text ?? '""'))
}

/**
 * Returns a copy of an object with one member set, or without the member if the value is undefined. Keeps the order,
 * with a new member last.
 */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [name]: value }
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name))
}

/** Returns the problems of a field, and those of nested fields that no other field shows. */
export function problemsAt(problems: readonly PlacedProblem[], path: FieldPath, showsInside: boolean): PlacedProblem[] {
  const key = keyOf(path)
  return problems.filter(problem => {
    if (problem.path === undefined) return false
    const problemKey = keyOf(problem.path)
    return problemKey === key || (showsInside && (problemKey.startsWith(`${key}.`) || problemKey.startsWith(`${key}[`)))
  })
}
