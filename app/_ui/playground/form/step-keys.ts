import type { PlacedProblem } from './field-path'
import { isJsonObject, type Json, type JsonObject } from './field-shapes'

const keys = new WeakMap<JsonObject, string>()
let count = 0

/** Returns a key that a step keeps when it moves. */
export function keyOfStep(step: JsonObject): string {
  const key = keys.get(step) ?? `step ${(count += 1)}`
  keys.set(step, key)
  return key
}

/** Returns a changed step. It is the same step as before, so it keeps its key. */
export function keepStepKey(before: JsonObject, changed: JsonObject): JsonObject {
  keys.set(changed, keyOfStep(before))
  return changed
}

/**
 * Returns the problems of a sent pipeline at the places where its steps are now. The problem of a removed step has no
 * place. If no step is left, for example because they were typed as JSON, positions are the same as before.
 */
export function followSteps(
  problems: readonly PlacedProblem[],
  { sent, shown }: { sent: Json | undefined; shown: Json | undefined },
): PlacedProblem[] {
  const [before, after] = [listKeys(sent), listKeys(shown)]
  if (!before.some(key => after.includes(key))) return [...problems]
  return problems.map(problem => {
    const [field, at, ...rest] = problem.path ?? []
    const key = field === 'steps' && typeof at === 'number' ? before[at] : undefined
    if (key === undefined) return problem
    const now = after.indexOf(key)
    return { ...problem, path: now < 0 ? undefined : ['steps', now, ...rest] }
  })
}

function listKeys(steps: Json | undefined): string[] {
  return Array.isArray(steps) ? steps.map(step => (isJsonObject(step) ? keyOfStep(step) : '')) : []
}
