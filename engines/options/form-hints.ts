/** What a form needs to know about a field, besides its schema. It isn't part of the OpenAPI document. */
export interface FormHints {
  /** Label of the field. Default: its name in words, such as "Font size" for `fontSize`. */
  label?: string
  /** Labels of values. Default: the value in words, such as "Top left" for `top-left`. */
  choices?: Readonly<Record<string, string>>
  /** Label of a free text beside the values in `choices`. Without it, a text has only the values in `choices`. */
  otherText?: string
  /** Values with the same meaning as another one. Forms don't offer them. */
  aliases?: readonly string[]
  /** Whether this schema is one more form of another alternative of a union. Forms don't offer it. */
  isAlias?: boolean
  /** Name of this schema among the alternatives of a union, such as "Custom size". */
  title?: string
  /** Conditions of which one must be true. Otherwise the field has no effect, or is an error. */
  appliesIf?: readonly FieldCondition[]
  /** Whether the field is required if it applies. */
  isRequired?: boolean
  /** Whether the field is a password, which forms don't show. */
  isSecret?: boolean
}

type Values = readonly (string | number | boolean)[]

/**
 * Fields beside this one, with the values that each must have, or must not have. A field without a value counts with
 * its default. `set` stands for any value in the request, and `unset` for none.
 */
export type FieldCondition = Readonly<Record<string, Values | { not: Values } | 'set' | 'unset'>>

const PREFIX = 'form.'

/**
 * Returns metadata for the schema of a field (`.meta(…)`), which says how a form shows the field. Each hint has a key
 * of its own, so that later metadata replaces single hints.
 */
export function inForm(hints: FormHints): Record<string, unknown> {
  return Object.fromEntries(Object.entries(hints).map(([name, hint]) => [`${PREFIX}${name}`, hint]))
}

/** Returns metadata for a field that only applies if one of these conditions is true. */
export function onlyIf(...conditions: readonly FieldCondition[]): Record<string, unknown> {
  return inForm({ appliesIf: conditions })
}

/** Returns whether a key of a schema's metadata, and of the JSON Schema that zod writes, is a form hint. */
export function isFormHint(key: string): boolean {
  return key.startsWith(PREFIX)
}

/** Reads the form hints of a JSON Schema. */
export function readFormHints(schema: object): FormHints {
  const hints = Object.entries(schema).filter(([key]) => isFormHint(key))
  return Object.fromEntries(hints.map(([key, hint]) => [key.slice(PREFIX.length), hint])) // `inForm` wrote them.
}
