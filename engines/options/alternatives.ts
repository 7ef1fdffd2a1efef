/** One way to satisfy a schema that needs one of several fields. */
export interface Alternative {
  /** Fields that this alternative needs. */
  required: readonly string[]
  /** Values that this alternative allows, for fields whose schema allows more. */
  values?: Readonly<Record<string, readonly (string | boolean)[]>>
  /** Fields that this alternative doesn't allow. */
  without?: readonly string[]
}

/** The key of the alternatives in a schema's metadata, and in the JSON Schema that zod writes. */
export const ALTERNATIVES = 'alternatives'

/**
 * Returns metadata for an object schema (`.meta(…)`) whose `superRefine` accepts only these alternatives. The OpenAPI
 * document needs it, because JSON Schema can't show what a function checks.
 */
export function alternatives(...list: readonly Alternative[]): { [ALTERNATIVES]: readonly Alternative[] } {
  return { [ALTERNATIVES]: list }
}

/** The key of the metadata that says which type of the clients describes a part of a schema. */
export const CLIENT_TYPE = 'clientType'
