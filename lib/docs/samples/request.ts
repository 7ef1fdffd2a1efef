/** A call as the samples send it. */
export interface SampleRequest {
  url: string
  /** The key to write down; undefined: read from the environment variable SHEAF_API_KEY. */
  apiKey: string | undefined
  /** Field and file names of what is uploaded. */
  files: { field: string; names: string[] } | undefined
  /** What is sent beside the files, in this order. In a form texts stand as they are and anything else as JSON. */
  values: Record<string, unknown>
  /** File that the answer is saved as. */
  responseName: string
}

/** A language of the samples. Its texts save the answer, or print the error body and end with a failure. */
export interface SampleLanguage {
  /** Also the name of its highlighter. */
  id: string
  name: string
  writeForm(request: SampleRequest): string
  writeJson(request: SampleRequest): string
}

/** The variable that samples read the key from. */
export const KEY_VARIABLE = 'SHEAF_API_KEY'

/** Seconds that samples wait for an answer; longer than any call may take. */
export const PATIENCE_S = 300

/**
 * The text that a value is sent as in a form, where it is no object or array: those are left to the language's own
 * JSON.
 */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? undefined : JSON.stringify(value)
}
