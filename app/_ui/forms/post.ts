/** The response to a POST request of a page. `body` is empty if the response wasn't a JSON object. */
export interface PostResponse {
  ok: boolean
  status: number
  body: Record<string, unknown>
}

/** Sends fields as JSON to one of the site's own routes. A network failure becomes status 0. */
export function postJson(path: string, fields: Record<string, string> = {}): Promise<PostResponse> {
  return send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) })
}

/** Sends fields to a route of next-auth, with its CSRF token. */
export async function postToAuth(path: string, fields: Record<string, string> = {}): Promise<PostResponse> {
  const csrf = await send('/api/auth/csrf', { method: 'GET' })
  const token = csrf.body['csrfToken']
  if (typeof token !== 'string') return csrf.ok ? { ...csrf, ok: false } : csrf
  return send(`/api/auth/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, csrfToken: token, json: 'true' }),
  })
}

/** Returns the text of a form field. Empty if the field is missing. */
export function fieldText(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the message to show for a failed request. */
export function failureText(reply: PostResponse): string {
  if (reply.status === 0) return 'The server isn’t reachable. Check your connection and try again.'
  const message = reply.body['message']
  return typeof message === 'string' ? message : `The request failed with status ${reply.status}. Try again.`
}

async function send(path: string, init: RequestInit): Promise<PostResponse> {
  try {
    const response = await fetch(path, { ...init, cache: 'no-store' })
    return { ok: response.ok, status: response.status, body: await jsonObject(response) }
  } catch {
    return { ok: false, status: 0, body: {} }
  }
}

async function jsonObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const value: unknown = await response.json()
    // Only claims that an object's members are unknown.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
