import { KEPT_FORM } from '../forms/forget-kept-forms'
import { type Field, type FieldShape, isJsonObject, type Json, type JsonObject } from './form/field-shapes'
import type { SavedForm } from './saved-form'

/** What remains of a form after the page is loaded again. */
export interface KeptForm {
  options: JsonObject
  /** Names of the files, which the browser doesn't keep. */
  fileNames: string[]
}

/** Larger options, such as those with files inside, aren't kept. */
const MOST_CHARACTERS = 200_000

/** Keeps options without secrets, and the names of the files, in the session of this tab. */
export function keepForm(
  slug: string,
  fields: Field[],
  { options, files }: Pick<SavedForm, 'options' | 'files'>,
): void {
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
    case 'union':
      return shape.choices.reduce<Json | undefined>(
        (open, choice) => (open === undefined ? undefined : withoutSecret(open, choice.shape)),
        value,
      )
    default:
      return value
  }
}
