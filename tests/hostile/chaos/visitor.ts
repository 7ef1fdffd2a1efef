import { randomInt } from 'node:crypto'
import { type ApiResponse, sendRequest } from '../../contract/client'

export const PASSWORD = 'correct horse battery'

/** The HTTP part of a browser in the account area: it keeps cookies and sends an Origin. */
export interface Visitor {
  cookies: ReadonlyMap<string, string>
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends a form. `headers` replace the default headers. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends the sign-in form with its token. */
  signIn(email: string, password: string): Promise<ApiResponse>
}

/** `address` is the IP address of the visitor, for a service behind one proxy. */
export function createVisitor(
  base: string,
  { address, cookies = new Map() }: { address?: string; cookies?: Map<string, string> } = {},
): Visitor {
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    { fields, headers }: { fields?: Record<string, string>; headers: Record<string, string> },
  ) => {
    const own = {
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
      ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    }
    const response = await sendRequest(base, {
      path,
      method,
      headers: { ...own, ...headers },
      ...(fields && { body: new URLSearchParams(fields).toString() }),
    })
    for (const cookie of response.headers['set-cookie'] ?? []) keepCookie(cookies, cookie)
    return response
  }
  const get: Visitor['get'] = (path, headers = {}) => send('GET', path, { headers })
  const post: Visitor['post'] = (path, fields, headers = {}) =>
    send('POST', path, {
      fields,
      headers: { origin: base, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  return {
    cookies,
    get,
    post,
    async signIn(email, password) {
      const { json } = await get('/api/auth/csrf')
      return post('/api/auth/callback/credentials', {
        email,
        password,
        csrfToken: String(json['csrfToken']),
        json: 'true',
      })
    },
  }
}

/** A random IPv6 address of the documentation range (RFC 3849), practically unique. */
export function makeAddress(): string {
  return `2001:db8:${[0, 0, 0].map(() => randomInt(0x10000).toString(16)).join(':')}::1`
}

/** The session cookie, whatever its name. */
export function readSessionCookie({ cookies }: Visitor): { name: string; value: string } | undefined {
  const found = [...cookies].find(([name]) => name.endsWith('.session'))
  return found && { name: found[0], value: found[1] }
}

function keepCookie(cookies: Map<string, string>, cookie: string): void {
  const [pair = ''] = cookie.split(';')
  const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}
