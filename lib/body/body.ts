import type { InputFile } from '../../engines/types'
import type { RequestError } from '../errors'

/** An uploaded file and its field. */
export interface BodyFile extends InputFile {
  field: string
  /** Members of the file's JSON object that aren't known, such as `files[1].mimeType`. */
  otherMembers?: string[]
  /** Where the bytes are, if the client sent a URL. Until they are fetched, the file counts as one byte long. */
  remote?: Remote
}

/** The URL of a file as the client sent it, and its name in errors, such as `files[1].url`. */
export interface Remote {
  url: string
  param: string
}

/** The common form of JSON and multipart bodies. */
export interface Body {
  encoding: 'json' | 'form'
  /** All fields except files, in an object without a prototype, so that any key is safe. */
  fields: Record<string, unknown>
  /** In the order sent. */
  files: BodyFile[]
}

/** An operation's rules for its bodies. */
export interface BodyRules {
  /** Fields that hold files: FileInput objects or arrays of them in JSON, file parts in multipart. */
  fileFields: readonly string[]
  /** Multipart fields that contain JSON. */
  jsonFields: readonly string[]
  /** Multipart fields that contain text, also if their part has a file name. */
  textFields: readonly string[]
  /** Multipart fields that may be repeated. Their values are joined in one array. */
  listFields: readonly string[]
  /** Fields with a long text, which is decoded as it arrives in a JSON body. */
  longFields?: readonly string[]
  /** Maximum bytes of such a text in a JSON body. */
  maxLongBytes?: number
  /** Maximum bytes of a JSON body without its files and long texts. */
  maxStructureBytes: number
  /** Maximum bytes of one multipart text field. */
  maxFieldBytes: number
}

/** Limits of all bodies. */
export interface BodyLimits {
  maxFiles: number
  /** Maximum number of form fields in a multipart body, not counting files. */
  maxParts: number
  /** Returns why a file can't be fetched from this URL, as the end of a sentence that begins with the field's name. */
  findUrlProblem(url: string): string | undefined
}

/** Creates the error for a malformed body, with the operation's own code. */
export type Refuse = (message: string, param?: string) => RequestError

/** Reads a body in chunks. `write` and `end` throw (or reject with) an error from `refuse`. */
export interface BodyReader<Content = Body> {
  write(chunk: Uint8Array): void
  end(): Content | Promise<Content>
}

/**
 * Maximum depth and number of values of any JSON input, of members of one object, and of different names of members.
 * Objects with more members or names take much longer to parse.
 */
export const JSON_LIMITS = { maxDepth: 32, maxValues: 100_000, maxMembers: 5000, maxNames: 10_000 } as const
