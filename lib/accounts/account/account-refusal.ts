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

/** Returns the refusal of a sign-up from a network that opened too many accounts. */
export function tooManySignUps(retryAfterS: number): AccountRefusal {
  const hours = Math.ceil(retryAfterS / 3600)
  const message =
    'Too many accounts were created from your network today. ' +
    `Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}, or ask the operator of this server for an account.`
  return new AccountRefusal(429, 'too_many_sign_ups', message, { 'retry-after': String(retryAfterS) })
}

/** Returns the refusal of every sign-up on a server without sign-up. */
export function signUpClosed(): AccountRefusal {
  return new AccountRefusal(
    403,
    'sign_up_closed',
    "This server doesn't accept new accounts. Ask its operator for an account.",
  )
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
