/** Thrown when a statement was not answered in time; the pool it ran on has been given up. */
export class DatabaseTimeoutError extends Error {
  readonly code = 'DATABASE_TIMEOUT'
  override readonly name = 'DatabaseTimeoutError'
}

const AWAY_CODES = new Set([
  'DATABASE_TIMEOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the server's Unix socket
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '25006', // read-only: a standby has not taken over yet
  '55P03', // a lock was not given in time
  '57014', // statement timeout
  '57P01', // ended by an administrator
  '57P02', // the server crashed
  '57P03', // starting up or shutting down
  '58030', // a file can't be read or written
])

/**
 * Classes of SQLSTATE (PostgreSQL, appendix A): broken connections; no room on the disk, no memory, too many
 * connections.
 */
const AWAY_CLASSES = ['08', '53']

/**
 * Whether an error means that the database cannot be reached, does not answer or can't work at the moment, so that
 * trying again later helps.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let problem = error, depth = 0; problem instanceof Error && depth < 5; problem = problem.cause, depth += 1) {
    const code = 'code' in problem ? String(problem.code) : ''
    if (
      AWAY_CODES.has(code) ||
      AWAY_CLASSES.some(kind => code.startsWith(kind)) ||
      problem.message === 'PGlite is closed'
    )
      return true
  }
  return false
}

/**
 * What to tell the operator whose pooler refused a connection for the settings that come with it; undefined after any
 * other error.
 */
export function explainRefusedSettings(error: unknown): string | undefined {
  for (let problem = error, depth = 0; problem instanceof Error && depth < 5; problem = problem.cause, depth += 1) {
    if (problem.message.startsWith('unsupported startup parameter'))
      return 'DATABASE_URL leads to a pooler that refuses the settings of a session; set DATABASE_POOLING=transaction.'
  }
  return undefined
}

/** Whether an error is the refusal of a second row by the unique index of that name. */
export function isDuplicate(error: unknown, index: string): boolean {
  for (let problem = error, depth = 0; problem instanceof Error && depth < 5; problem = problem.cause, depth += 1) {
    if (!('code' in problem) || problem.code !== '23505') continue
    const named =
      'constraint_name' in problem ? problem.constraint_name : 'constraint' in problem ? problem.constraint : ''
    return named === index // the two drivers name the member differently
  }
  return false
}
