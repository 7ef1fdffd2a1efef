/** Options whose values have names of the caller, such as of form fields. */
export const FREE_NAMES: readonly string[] = ['custom', 'extraHeaders', 'fields', 'records']

/** Writes `blankBetween` as `blank_between`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Writes the names of options as in Python. Names of the caller stay. */
export function writeSnakeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeSnakeNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      snakeCase(name),
      FREE_NAMES.includes(name) ? member : writeSnakeNames(member),
    ]),
  )
}
