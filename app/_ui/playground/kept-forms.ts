import { KEPT_FORM } from '../forms/forget-kept-forms'
import {
  type Field,
  type FieldShape,
  isJsonObject,
  type Json,
  type JsonObject,
  type StepChoice,
} from './form/field-shapes'
import type { SavedForm } from './saved-form'
import { findStepChoice, findStepForm, listStepChoices, loadStepForm, optionsMember } from './form/step-forms'

/** What remains of a form after the page is loaded again. */
export interface KeptForm {
  options: JsonObject
  /** Names of the files, which the browser doesn't keep. */
  fileNames: string[]
}

/** Larger options, such as those with files inside, aren't kept. */
const MOST_CHARACTERS = 200_000

interface Keeping {
  slug: string
  fields: Field[]
  form: Pick<SavedForm, 'options' | 'files'>
}

let latest: Keeping | undefined

/** Keeps options without secrets, and the names of the files, in the session of this tab. */
export function keepForm(slug: string, fields: Field[], form: Pick<SavedForm, 'options' | 'files'>): void {
  const { options } = form
  latest = { slug, fields, form }
  write(latest)
  const missing = fields
    .flatMap(({ name, shape }) => (shape.kind === 'steps' ? listStepChoices(shape.choices, options[name]) : []))
    .filter(choice => findStepForm(choice.slug) === undefined)
  if (missing.length > 0) void keepLater(latest, missing)
}

/** Keeps a form again once the forms of its steps say which of their options are secrets. */
async function keepLater(keeping: Keeping, missing: StepChoice[]): Promise<void> {
  await Promise.allSettled(missing.map(({ slug }) => loadStepForm(slug)))
  if (keeping === latest) write(keeping)
}

function write({ slug, fields, form: { options, files } }: Keeping): void {
  const kept: KeptForm = {
    options: withoutSecrets(options, shapesOf(fields)),
    fileNames: files.map(({ name }) => name),
  }
  const text = JSON.stringify(kept)
  try {
    if (text.length <= MOST_CHARACTERS) sessionStorage.setItem(KEPT_FORM + slug, text)
    else sessionStorage.removeItem(KEPT_FORM + slug)
  } catch {
    // The browser allows no storage. Then a reload begins with the example.
  }
}

/** Returns what was kept before the page was loaded again. */
export function findKeptForm(slug: string): KeptForm | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_FORM + slug) ?? 'null') as KeptForm | null // Written above.
    return kept ?? undefined
  } catch {
    return undefined
  }
}

/** Returns an object without its secrets. `shapeOf` returns the shape of a member. */
function withoutSecrets(values: JsonObject, shapeOf: (name: string) => FieldShape | undefined): JsonObject {
  const open = Object.entries(values).map(([name, value]) => {
    const shape = shapeOf(name)
    return [name, shape === undefined ? value : withoutSecret(value, shape)] as const
  })
  return Object.fromEntries(open.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/** Returns a step without secrets. Without its form, its options may be secrets. */
function withoutStepSecrets(step: JsonObject, choices: StepChoice[]): JsonObject {
  const choice = findStepChoice(choices, step)
  const form = choice && findStepForm(choice.slug)
  const member = choice && optionsMember(choice)
  const open = Object.entries(step).flatMap(([name, value]): [string, Json][] => {
    if (!['options', 'webpage', 'invoice'].includes(name)) return [[name, value]]
    const isKnown = form !== undefined && name === member && isJsonObject(value)
    if (isKnown) return [[name, withoutSecrets(value, shapesOf(form.fields))]]
    return name === 'options' ? [] : [[name, {}]]
  })
  return Object.fromEntries(open)
}

function shapesOf(fields: Field[]): (name: string) => FieldShape | undefined {
  const shapes = new Map(fields.map(({ name, shape }) => [name, shape]))
  return name => shapes.get(name)
}

/** Returns undefined for a secret. */
function withoutSecret(value: Json, shape: FieldShape): Json | undefined {
  switch (shape.kind) {
    case 'text':
      return shape.isSecret ? undefined : value
    case 'object':
      return isJsonObject(value) ? withoutSecrets(value, shapesOf(shape.fields)) : value
    case 'map':
      return isJsonObject(value) ? withoutSecrets(value, () => shape.value) : value
    case 'list':
      return Array.isArray(value) ? value.flatMap(one => withoutSecret(one, shape.item) ?? []) : value
    case 'steps':
      return Array.isArray(value)
        ? value.map(step => (isJsonObject(step) ? withoutStepSecrets(step, shape.choices) : step))
        : value
    case 'union':
      return shape.choices.reduce<Json | undefined>(
        (open, choice) => (open === undefined ? undefined : withoutSecret(open, choice.shape)),
        value,
      )
    default:
      return value
  }
}
