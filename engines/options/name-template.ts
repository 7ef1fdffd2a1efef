/** A placeholder of a file name template: a word in braces. */
const PLACEHOLDER = /\{([^{}]*)\}/g

/** The problem with a file name template: a placeholder that isn't in the list. Undefined if there is none. */
export function templateProblem(template: string, placeholders: readonly string[]): string | undefined {
  const unknown = [...template.matchAll(PLACEHOLDER)].find(([, word = '']) => !placeholders.includes(word))
  if (!unknown) return undefined
  return `has the unknown placeholder ${unknown[0]}. Use ${placeholders.map(word => `{${word}}`).join(', ')}.`
}

/** Replaces the placeholders of a template. `words` has the value of each. */
export function fillTemplate(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_, word: string) => words[word] ?? '')
}

/** A number with as many digits as the largest one, so that names sort. */
export function padNumber(number: number, largest: number): string {
  return String(number).padStart(String(largest).length, '0')
}
