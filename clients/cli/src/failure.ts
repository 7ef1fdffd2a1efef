import { SheafApiError, SheafConnectionError } from '../../typescript/src/sheaf'

/** The exit codes of the command. */
export const EXIT = { done: 0, failed: 1, usage: 2, connection: 3 } as const

/** A mistake in the arguments. Nothing was sent. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The file of a response could not be saved. The request was charged. */
export class SaveError extends Error {
  override name = 'SaveError'

  /** `hint` says how to get the file without paying again. */
  constructor(cause: unknown, hint: string) {
    super(`${describeFailure(cause).message} The request was charged. ${hint}`, { cause })
  }
}

/** An error for people, and for programs. */
export interface Failure {
  exitCode: number
  message: string
  /** All invalid parameters, and the error code, for `--json`. */
  details: Record<string, unknown>
}

/** Describes any error. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof SheafApiError) {
    const { code, reason, message, param, problems, requestId, docs, status } = error
    return {
      exitCode: EXIT.failed,
      message: [
        message,
        ...(problems.length > 1 ? problems.map(one => `  ${one.param ?? ''}: ${one.message}`) : []),
        `Error ${code}${reason === undefined ? '' : ` (${reason})`}${docs ? `, see ${docs}` : ''}${requestId ? `. Request ${requestId}` : ''}.${docs === undefined ? '' : ' Not charged.'}`,
      ].join('\n'),
      details: { error: code, reason, status, message, param, problems, requestId, docs },
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SheafConnectionError) {
    const { idempotencyKey } = error
    const hint =
      idempotencyKey === undefined || message.includes(idempotencyKey)
        ? ''
        : ` If the request was charged, its repetition with --idempotency-key ${idempotencyKey} costs nothing.`
    const details = { error: 'connection_failed', message, idempotencyKey }
    return { exitCode: EXIT.connection, message: `${message}${hint}`, details }
  }
  if (error instanceof UsageError) return { exitCode: EXIT.usage, message, details: { error: 'usage', message } }
  return { exitCode: EXIT.failed, message: explain(error, message), details: { error: 'failed', message } }
}

/** Errors of the file system name a system call, which doesn't help people. */
function explain(error: unknown, message: string): string {
  const { code, path, dest } = error as { code?: string; path?: string; dest?: string }
  const place = dest ?? path
  if (place === undefined) return code === 'ENOSPC' ? 'The disk is full. Nothing was saved.' : message
  switch (code) {
    case 'ENOENT':
      return `Can't find "${place}".`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `No permission to write "${place}".`
    case 'ENOSPC':
      return `The disk is full. "${place}" was not saved.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `"${place}" is not a folder.`
    case 'EISDIR':
      return `"${place}" is a folder.`
    default:
      return message
  }
}
