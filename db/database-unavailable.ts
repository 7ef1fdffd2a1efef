/** Thrown when a statement got no response in time. Its pool has been discarded. */
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
  'ENOENT', // The server's Unix socket is missing.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '25006', // The connection is read-only, because a standby hasn't taken over yet.
  '55P03', // A lock wasn't available in time.
  '57014', // statement timeout
  '57P01', // An administrator ended the connection.
  '57P02', // the server crashed
  '57P03', // starting up or shutting down
  '58030', // a file can't be read or written
])

/**
 * Classes of SQLSTATE (PostgreSQL, appendix A): broken connections, and no disk space, no memory or too many
 * connections.
 */
const AWAY_CLASSES = ['08', '53']

/**
 * Returns whether an error means that the database is unreachable, doesn't respond or can't work now, so that a later
 * retry may succeed.
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
 * Returns advice for the operator if a pooler refused a connection because of its settings. Undefined for any other
 * error.
 */
export function explainRefusedSettings(error: unknown): string | undefined {
  for (let problem = error, depth = 0; problem instanceof Error && depth < 5; problem = problem.cause, depth += 1) {
    if (problem.message.startsWith('unsupported startup parameter'))
      return 'The pooler at DATABASE_URL rejects session settings. Set DATABASE_POOLING=transaction.'
  }
  return undefined
}

/** Returns whether an error is a violation of the unique index with this name. */
export function isDuplicate(error: unknown, index: string): boolean {
  for (let problem = error, depth = 0; problem instanceof Error && depth < 5; problem = problem.cause, depth += 1) {
    if (!('code' in problem) || problem.code !== '23505') continue
    const indexName =
      'constraint_name' in problem ? problem.constraint_name : 'constraint' in problem ? problem.constraint : ''
    return indexName === index // The two drivers use different names for this member.
  }
  return false
}
