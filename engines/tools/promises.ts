import { PROFILES } from '../standards/conformance/examination/profiles'
import type { ProfileId } from '../standards/conformance/examination/profiles'
import { validate } from '../standards/conformance/validate'
import { openDocument } from '../pdf/open'
import type { EngineLimits } from '../types'

/** `unknown`: it couldn't be checked. */
export type Verdict = 'holds' | 'broken' | 'unknown'

/** Something that a result promises. In a pipeline, it must hold for the final file too. */
export interface StepPromise {
  /** What the file does, after its name, such as "conforms to PDF/A-2b". */
  claim: string
  /** The header that says whether the promise holds, as `true` or `false`. Without a header, it must hold. */
  header?: string
  /** Checks a PDF that was made from the result. Throws EngineError if the PDF can't be opened. */
  check(file: PromiseFile): Verdict | Promise<Verdict>
}

/** A PDF that was made from a result with a promise. */
export interface PromiseFile {
  bytes: Uint8Array
  /** The size of the final file, which is the PDF unless it is encrypted afterwards. */
  byteLength: number
  /** Whether the final file is this PDF after encryption. */
  isEncrypted: boolean
  limits: EngineLimits
  /** Whether steps in between read other files too, or may add something that their file doesn't have. */
  mayHaveMore: boolean
}

/** The promise that a file conforms to standards. */
export function staysConforming(profiles: readonly ProfileId[]): StepPromise {
  return {
    claim: `conforms to ${profiles.map(profile => PROFILES[profile].title).join(' and ')}`,
    check({ bytes, isEncrypted, limits }) {
      if (isEncrypted) return 'broken' // ISO 19005 forbids encryption.
      const document = openDocument(bytes, limits)
      return profiles.every(profile => validate(document, bytes, profile).conforms === true) ? 'holds' : 'broken'
    },
  }
}

/** The promise that a file has at most this many bytes. */
export function staysWithin(mostBytes: number): StepPromise {
  return {
    claim: `has at most ${mostBytes} bytes`,
    check: ({ byteLength }) => (byteLength <= mostBytes ? 'holds' : 'broken'),
  }
}
