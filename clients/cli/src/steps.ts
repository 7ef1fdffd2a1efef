import { existsSync } from 'node:fs'
import { UsageError } from './failure'
import { readText, STANDARD } from './inputs'

const EXAMPLE = '[{"tool": "merge-pdf"}, {"tool": "page-numbers"}]'

/** What the help of the command adds. */
export const STEPS_HELP = `
Example: sheaf pipeline steps.json letter.pdf terms.pdf -o bundle.pdf
In steps.json: ${EXAMPLE}`

/**
 * Reads the steps of a pipeline and the fields beside them. The file has a list of steps, or an object with `steps`.
 * `others` are the files after it, for hints. Throws a UsageError for any other file.
 */
export async function readSteps(path: string, others: readonly string[]): Promise<Record<string, unknown>> {
  const name = path === STANDARD ? 'Standard input' : `"${path}"`
  if (path !== STANDARD && !existsSync(path))
    throw new UsageError(`Can't find the file "${path}". The first file must have the steps, such as ${EXAMPLE}.`)
  const value = parse(await readText(path), name, others)
  if (Array.isArray(value)) return { steps: value }
  const fields = (typeof value === 'object' ? (value ?? {}) : {}) as Record<string, unknown>
  if (fields['files'] !== undefined)
    throw new UsageError(`${name} must not have "files" beside its steps. Name the files after it.`)
  if (Array.isArray(fields['steps'])) return fields
  const isStep = ['tool', 'webpage', 'invoice'].some(key => fields[key] !== undefined)
  throw new UsageError(
    `${name} must have a list of steps, such as ${EXAMPLE}, or an object with "steps". ` +
      (isStep ? 'Got one step. Put it in a list.' : `Got ${describe(value)}.`),
  )
}

function parse(text: string, name: string, others: readonly string[]): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const isFirst = !others.some(other => other.endsWith('.json'))
    const hint = isFirst ? (error as Error).message.slice(0, MAX_REASON) : 'Put the file with the steps first.'
    throw new UsageError(`${name} must be JSON with the steps, such as ${EXAMPLE}. ${hint}`)
  }
}

/** Engines quote the text, which may be a PDF. */
const MAX_REASON = 100

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object')
    return Object.hasOwn(value, 'steps') ? '"steps" that isn\'t a list' : 'an object without "steps"'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
