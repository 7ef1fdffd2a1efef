import type { Field, JsonObject } from '../form/field-shapes'

/** An operation as plain data, which the server's page passes to the playground. */
export interface PlaygroundEndpoint {
  slug: string
  title: string
  /** Path of the API, such as `/api/external/pdf-tools/merge-pdf`. */
  path: string
  files: 'one' | 'many' | 'html' | 'none'
  /** How many files a list has. Without `most`, the limit of the server applies. */
  fileCount: { least: number; most?: number }
  /** Formats of the files. A pipeline takes what its steps read. */
  accepts: 'pdf' | 'encrypted-pdf' | 'pdf-or-xml' | 'images' | 'any'
  /** The key of the options. Undefined if they are top-level fields of the body. */
  optionsKey: 'options' | undefined
  fields: Field[]
  /** Names of the fields that are always visible. The others are collapsed. */
  frontFields: string[]
  examples: { title: string; options: JsonObject }[]
  /** Download name of the first example's response. */
  responseName: string
  /** A request that works: names of files under `/samples`, and options. The form begins with it. */
  start: { files: string[]; options: JsonObject }
  /** Names of the sample files under `/samples` with which the options of `start` work. */
  samples: string[]
  /** How options can be set on the pages of the file. Undefined if only the form sets them. */
  editor?: PageEditor
}

/** An editor over the pages of a file. */
export type PageEditor = 'redaction' | 'fields' | 'crop' | 'marks' | 'order' | 'deletion' | 'extraction' | 'rotation'

/** How the account gets more credits, in words and with at most one action. */
export interface MoreCredits {
  text: string
  action?: { label: string; href: string }
}

/** The server's origin and limits, and texts about warnings. */
export interface PlaygroundTerms {
  origin: string
  maxBodyBytes: number
  maxFiles: number
  /** The meaning of each warning and what to do about it, by code. */
  warnings: Record<string, string>
  moreCredits: MoreCredits
}

/** Returns the playground's path for an API path. Its requests run as the signed-in account. */
export function playgroundPath(path: string): string {
  return path.replace(/^\/api\/external\//, '/api/account/playground/')
}
