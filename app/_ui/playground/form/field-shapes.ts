import type { FieldCondition } from '../../../../engines/options/form-hints'

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** A JSON object, such as the options of a request. */
export type JsonObject = { [name: string]: Json }

/** A value that a field may have, and its name. */
export interface Choice {
  value: string | number | boolean
  label: string
  /** Whether another value means the same. The form shows this one only if it is set. */
  isAlias?: true
}

/** One shape of a value that may have several. The values of a `choice` have names of their own. */
export interface ShapeChoice {
  title: string
  shape: FieldShape
  /** Whether another shape can express the same. The form shows this one only if the value has it. */
  isAlias?: true
}

/** What a step of a pipeline can be: the operation with this slug. */
export interface StepChoice {
  slug: string
  title: string
  /** The member of the step that names a tool, or has the fields of another operation. */
  member: 'tool' | 'webpage' | 'invoice'
}

/** The type of a field's value, for which the form has a control. */
export type FieldShape =
  | { kind: 'text'; isLong: boolean; maxLength?: number; isSecret?: boolean }
  /** A text, or a number if only digits are typed. */
  | { kind: 'measure' }
  /** Page numbers or a selector, typed as text. */
  | { kind: 'pages' }
  | { kind: 'color' }
  | { kind: 'number'; bounds?: string }
  | { kind: 'switch' }
  | { kind: 'choice'; choices: Choice[] }
  /** Any of some values, each once. */
  | { kind: 'choices'; choices: Choice[] }
  /** A small file inside the options, as `{name, dataBase64}`. */
  | { kind: 'file' }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'list'; item: FieldShape; most?: number }
  /** An object with arbitrary names. */
  | { kind: 'map'; value: FieldShape }
  | { kind: 'union'; choices: ShapeChoice[] }
  /** The steps of a pipeline. The form of a step's options is loaded when the step is chosen. */
  | { kind: 'steps'; choices: StepChoice[]; most: number; files: Field; as: Field }
  /** A value without a suitable control, typed as JSON. */
  | { kind: 'json' }

/** A field of a form, in plain data that a server page can hand to the browser. */
export interface Field {
  name: string
  /** The name in words. */
  label: string
  /** Whether the field is required if it applies. */
  isRequired: boolean
  description: string
  /** The value that applies if none is set. */
  default?: Json
  /** Conditions of which one must be true, otherwise the field doesn't apply. Without conditions, it always applies. */
  appliesIf?: FieldCondition[]
  shape: FieldShape
}

/** Whether a value is an object with names, not a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether the control of a shape can show and edit a value without losing any of it. */
export function fits(shape: FieldShape, value: Json): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string'
    case 'color':
      return typeof value === 'string' || readRgb(value) !== undefined
    case 'measure':
      return typeof value === 'string' || typeof value === 'number'
    case 'number':
      return typeof value === 'number' || typeof value === 'string'
    case 'pages':
      return (
        typeof value === 'string' ||
        typeof value === 'number' ||
        (Array.isArray(value) && value.every(entry => typeof entry === 'number'))
      )
    case 'switch':
      return typeof value === 'boolean'
    case 'choice':
      return shape.choices.some(one => one.value === value)
    case 'choices':
      return Array.isArray(value) && value.every(entry => shape.choices.some(one => one.value === entry))
    case 'file':
      return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['dataBase64'] === 'string'
    case 'object':
    case 'map':
      return isJsonObject(value)
    case 'list':
      return Array.isArray(value)
    case 'union':
      return shape.choices.some(choice => fits(choice.shape, value))
    case 'steps':
      return Array.isArray(value) && value.every(isStep)
    case 'json':
      return true
  }
}

function isStep(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const { tool, options, webpage, invoice, files, as } = value
  return (
    [tool, as].every(text => text === undefined || typeof text === 'string') &&
    [options, webpage, invoice].every(fields => fields === undefined || isJsonObject(fields)) &&
    (files === undefined || (Array.isArray(files) && files.every(name => typeof name === 'string')))
  )
}

/** Converts a color `{r, g, b}` with parts from 0 to 255 to `#rrggbb`. Undefined for anything else. */
export function readRgb(value: Json | undefined): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 3) return undefined
  const parts = [value['r'], value['g'], value['b']]
  const isColor = parts.every(part => typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= 255)
  return isColor ? `#${parts.map(part => Number(part).toString(16).padStart(2, '0')).join('')}` : undefined
}

/**
 * Returns the index of the union's choice that matches a value, preferring the one that has its names. 0 if none
 * matches.
 */
export function findChoice(choices: ShapeChoice[], value: Json): number {
  const fitting = choices.flatMap(({ shape }, index) => (fits(shape, value) ? [{ shape, index }] : []))
  const exact = fitting.find(
    ({ shape }) =>
      shape.kind !== 'object' ||
      Object.keys(value as JsonObject).every(name => shape.fields.some(field => field.name === name)),
  ) // A value that fits an object shape is an object.
  return (exact ?? fitting[0])?.index ?? 0
}

/** Returns the initial value of a new row or a chosen shape. */
export function emptyValue(shape: FieldShape): Json {
  switch (shape.kind) {
    case 'object':
    case 'map':
    case 'json':
      return {}
    case 'list':
    case 'choices':
    case 'steps':
      return []
    case 'switch':
      return true
    case 'choice':
      return shape.choices[0]?.value ?? ''
    case 'union':
      return shape.choices[0] ? emptyValue(shape.choices[0].shape) : ''
    case 'file':
      return { name: '', dataBase64: '' }
    default:
      return ''
  }
}
