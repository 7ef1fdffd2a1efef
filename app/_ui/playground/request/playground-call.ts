import type { Field, JsonObject } from '../form/field-shapes'

/** A call as the playground knows it, in plain data from the server's page. */
export interface PlaygroundCall {
  slug: string
  title: string
  /** Path of the API, such as `/api/external/pdf-tools/merge-pdf`. */
  path: string
  files: 'one' | 'many' | 'html' | 'none'
  /** The key that holds the options; undefined where they are the fields of the body themselves. */
  optionsKey: 'options' | undefined
  fields: Field[]
  /** Names of the fields that stand at the front; the others are under "More options". */
  frontFields: string[]
  examples: { title: string; options: JsonObject }[]
  /** Download name of a first answer. */
  responseName: string
  /** Samples of ours that fit, under `/samples`. */
  samples: string[]
}

/** What the server says about limits, prices and words. */
export interface PlaygroundTerms {
  origin: string
  maxBodyBytes: number
  maxFiles: number
  /** By code: what it means and what to do about it. */
  warnings: Record<string, string>
  /** By code: what can be done about an error. */
  fixes: Record<string, string>
}

/** The path of the playground's own route for a call; it runs as the account that is signed in. */
export function playgroundPath(path: string): string {
  return path.replace(/^\/api\/external\//, '/api/account/playground/')
}
