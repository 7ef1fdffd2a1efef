/** A request as the samples send it. */
export interface SampleRequest {
  url: string
  /** The key to include. If undefined, samples read the environment variable SHEAF_API_KEY. */
  apiKey: string | undefined
  /** Field and file names of the uploads. */
  files: { field: string; names: string[] } | undefined
  /** Fields in addition to the files, in this order. In a form, texts are sent unchanged and other values as JSON. */
  values: Record<string, unknown>
  /** File name for the response. */
  responseName: string
}

/** A sample language. Its code saves the response, or prints the error body and exits with an error. */
export interface SampleLanguage {
  /** Also the name of its highlighter. */
  id: string
  name: string
  writeForm(request: SampleRequest): string
  writeJson(request: SampleRequest): string
}

/** The variable that samples read the key from. */
export const KEY_VARIABLE = 'SHEAF_API_KEY'

/** Timeout of samples in seconds, longer than any request may take. */
export const PATIENCE_S = 300

/**
 * Returns the text of a value in a form. Undefined for objects and arrays, for which the language's own JSON is used.
 */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? undefined : JSON.stringify(value)
}
