import type { InputFile } from '../../engines/types'
import type { CallError } from '../errors'

/** An uploaded file and the field it came in. */
export interface BodyFile extends InputFile {
  field: string
}

/** The one shape in which JSON and multipart bodies end. */
export interface Body {
  /** Everything but the files, in an object without a prototype: any key is harmless. */
  fields: Record<string, unknown>
  /** In the order sent. */
  files: BodyFile[]
}

/** What an operation says about its bodies. */
export interface BodyRules {
  /** Fields that hold files: FileInput objects or arrays of them in JSON, file parts in multipart. */
  fileFields: readonly string[]
  /** Multipart fields whose text is JSON. */
  jsonFields: readonly string[]
  /** Bytes of a JSON body without its files. */
  maxStructureBytes: number
  /** Bytes of one multipart text field. */
  maxFieldBytes: number
}

/** Limits that hold for every body. */
export interface BodyLimits {
  maxFiles: number
  /** Form fields of a multipart body; its files are not among them. */
  maxParts: number
}

/** Makes the refusal of a malformed body, with the operation's own code. */
export type Refuse = (message: string, param?: string) => CallError

/** Takes a body piece by piece. `write` and `end` throw (or reject with) what `refuse` made of a fault. */
export interface BodyReader {
  write(chunk: Uint8Array): void
  end(): Body | Promise<Body>
}

/** Depth and number of values of any JSON that comes in. */
export const JSON_LIMITS = { maxDepth: 32, maxValues: 100_000 } as const
