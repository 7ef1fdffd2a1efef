import { EngineError } from '../../errors'

/** Returns the error for a zipped page that a request can't use. */
export function archiveProblem(reason: 'damaged' | 'too_large', message: string, cause?: unknown): EngineError {
  return new EngineError(reason, message, { param: 'file', ...(cause === undefined ? {} : { cause }) })
}

/** Returns the error for a file that breaks the format of ZIP files. `cause` is for the log. */
export function damagedArchive(cause: unknown): EngineError {
  return archiveProblem(
    'damaged',
    'must be a valid ZIP. It is damaged or has another format. Create it again.',
    cause instanceof Error ? cause : new Error(String(cause)),
  )
}
