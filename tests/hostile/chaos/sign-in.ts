import { type ApiResponse, sendRequest } from '../../contract/client'

/** A browser's session in the account area. */
export interface AccountSession {
  /** Sends a form of the account area. */
  post(path: string, fields: Record<string, string>): Promise<ApiResponse>
  get(path: string): Promise<ApiResponse>
  /** The Cookie header of its requests. */
  cookie(): string
}

/** Signs in with a password, as the page does it. Throws an Error if the sign-in is refused. */
export async function signIn(base: string, email: string, password: string): Promise<AccountSession> {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (method: 'GET' | 'POST', path: string, fields?: Record<string, string>) => {
    const headers = {
      origin: base,
      ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(cookies.size > 0 && { cookie: cookie() }),
    }
    const response = await sendRequest(base, {
      path,
      method,
      headers,
      ...(fields && { body: new URLSearchParams(fields).toString() }),
    })
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  const { json } = await send('GET', '/api/auth/csrf')
  const response = await send('POST', '/api/auth/callback/credentials', {
    email,
    password,
    csrfToken: String(json['csrfToken']),
    json: 'true',
  })
  const { json: session } = await send('GET', '/api/auth/session')
  if (Object.keys(session).length === 0)
    throw new Error(`${email} could not sign in: ${response.status} ${response.bytes.toString('utf8').slice(0, 200)}`)
  return { post: (path, fields) => send('POST', path, fields), get: path => send('GET', path), cookie }
}
