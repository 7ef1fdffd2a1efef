import type { PlaygroundEndpoint } from '../request/playground-endpoint'
import { isJsonObject, type Json, type JsonObject, type StepChoice } from './field-shapes'

/** The form of an operation's options. */
export type StepForm = Pick<PlaygroundEndpoint, 'fields' | 'frontFields'>

const LIMIT_MS = 20_000

const loadedForms = new Map<string, StepForm>()
const loading = new Map<string, Promise<StepForm>>()

/** Returns the form of an operation if it is loaded. */
export function findStepForm(slug: string): StepForm | undefined {
  return loadedForms.get(slug)
}

/** Loads the form of an operation once per page. After a failure, the next call tries again. Throws an Error. */
export function loadStepForm(slug: string): Promise<StepForm> {
  const known = loading.get(slug)
  if (known) return known
  const form = fetchForm(slug).catch((error: unknown) => {
    loading.delete(slug)
    throw error
  })
  loading.set(slug, form)
  return form
}

async function fetchForm(slug: string): Promise<StepForm> {
  const response = await fetch(`/account/playground/${slug}/form.json`, { signal: AbortSignal.timeout(LIMIT_MS) })
  if (!response.ok) throw new Error(`The form returned ${response.status}`)
  const form = (await response.json()) as StepForm // Our own route writes it.
  loadedForms.set(slug, form)
  return form
}

/** Returns the operation of a step. Undefined if none is chosen, or one that doesn't exist. */
export function findStepChoice(choices: readonly StepChoice[], step: JsonObject): StepChoice | undefined {
  return choices.find(({ member, slug }) => (member === 'tool' ? step['tool'] === slug : step[member] !== undefined))
}

/** The member of a step that has the options of its operation. */
export function optionsMember({ member }: StepChoice): 'options' | 'webpage' | 'invoice' {
  return member === 'tool' ? 'options' : member
}

/** Returns the operations that the steps have. */
export function listStepChoices(choices: readonly StepChoice[], steps: Json | undefined): StepChoice[] {
  const used = (Array.isArray(steps) ? steps : []).map(step => isJsonObject(step) && findStepChoice(choices, step))
  return choices.filter(choice => used.includes(choice))
}
