/** A refusal in the account area, with its own code. Visitors see `message`. */
export class AccountRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>
  override readonly name = 'AccountRefusal'

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Returns whether a value is an AccountRefusal, including one from another bundle's copy of this module. */
export function isAccountRefusal(value: unknown): value is AccountRefusal {
  return value instanceof Error && value.name === 'AccountRefusal' && 'status' in value && 'headers' in value
}

/** Returns the refusal of somebody with too many attempts. */
export function tooManyAttempts(retryAfterS: number): AccountRefusal {
  const minutes = Math.ceil(retryAfterS / 60)
  const message = `Too many attempts. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`
  return new AccountRefusal(429, 'too_many_attempts', message, { 'retry-after': String(retryAfterS) })
}

/** Returns the refusal of a password check while too many others wait. */
export function tooBusy(): AccountRefusal {
  return new AccountRefusal(
    503,
    'service_unavailable',
    'The server is checking too many passwords. Try again in 5 seconds.',
    { 'retry-after': '5' },
  )
}

/** Returns the refusal of a request without a session. */
export function notSignedIn(): AccountRefusal {
  return new AccountRefusal(401, 'not_signed_in', 'You are no longer signed in. Sign in again.')
}
