import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { getConfig } from '../../config'
import { foreignOrigin, respondWithError, seeOther } from '../route/account-route'
import { createAuthOptions } from './auth-options'
import { requireAuthSecret } from '../session/auth-secret'
import { CONFIRM_PAGE, holdLink } from './pending-address-proof'
import { readForm } from '../route/read-form'
import { readSession, sessionCookie } from '../session/session'
import { countMail } from './attempt-limit'
import { signInWays } from './sign-in-ways'
import { signUpCookie } from './sign-up'
import { isAllowedBrowserOrigin, siteOrigin } from '../../site-origin'

interface Reply {
  status: number
  headers: Headers
  body: string
}

interface AuthRequest {
  /** The path after `/api/auth/`. */
  segments: string[]
  cookies: Record<string, string>
  clientAddress: string
}

/**
 * Handles a request to `/api/auth/…` with next-auth. next-auth sees the origin from `siteOrigin` and none of the
 * client's forwarding headers, because any client can set those.
 */
export async function handleAuth(request: Request, details: AuthRequest): Promise<Response> {
  try {
    return await runNextAuth(request, details)
  } catch (error) {
    return respondWithError(error)
  }
}

async function runNextAuth(request: Request, { segments, cookies, clientAddress }: AuthRequest): Promise<Response> {
  const config = getConfig()
  const host = request.headers.get('host')
  const isPost = request.method === 'POST'
  if (isPost) assertOwnForm(request)
  const form = isPost ? await readForm(request) : {}
  if (isPost && segments.join('/') === 'signin/email') await countMail(form['email'] ?? '', clientAddress)

  const session = await readSession(cookies[sessionCookie('session', config).name], requireAuthSecret(config))
  const origin = siteOrigin(host, config)
  const site = new URL(origin)
  const search = Object.fromEntries(new URL(request.url).searchParams)
  const signedIn = session?.account ?? null
  if (request.method === 'GET' && segments.join('/') === 'callback/email') {
    const { email = '', token = '', callbackUrl = '' } = search
    if (await holdLink({ email, token, callbackUrl, origin, signedInId: signedIn?.id ?? null }))
      return seeOther(CONFIRM_PAGE)
  }
  const reply = emptyReply()
  const query = { ...search, nextauth: segments }
  const headers = { 'x-forwarded-host': site.host, 'x-forwarded-proto': site.protocol.slice(0, -1) }
  const failures: unknown[] = []
  const options = createAuthOptions({
    config,
    ways: signInWays(host, config),
    clientAddress,
    signedIn,
    signUp: await signUpCookie.read(),
    onFailure: error => failures.push(error),
  })
  // next-auth's handler for the pages router only uses these members, and leaves the headers to us.
  await NextAuth(
    { method: request.method, query, cookies, headers, body: form } as unknown as NextApiRequest,
    respondInto(reply) as unknown as NextApiResponse,
    options,
  )
  if (failures.length > 0) throw failures[0]
  return new Response(reply.body === '' ? null : reply.body, { status: reply.status, headers: reply.headers })
}

const NO_STORE = { 'cache-control': 'no-store' }

/** next-auth's CSRF token protects the forms. A foreign origin is refused before the token is checked. */
function assertOwnForm({ headers }: Request): void {
  if (isAllowedBrowserOrigin({ origin: headers.get('origin'), host: headers.get('host') }, getConfig())) return
  throw foreignOrigin()
}

function emptyReply(): Reply {
  return { status: 200, headers: new Headers(NO_STORE), body: '' }
}

function respondInto(reply: Reply) {
  const response = {
    status(code: number) {
      reply.status = code
      return response
    },
    getHeader: (name: string) =>
      name.toLowerCase() === 'set-cookie' ? reply.headers.getSetCookie() : (reply.headers.get(name) ?? undefined),
    setHeader(name: string, value: string | string[]) {
      reply.headers.delete(name)
      for (const one of [value].flat()) reply.headers.append(name, one)
      return response
    },
    json(value: unknown) {
      response.setHeader('content-type', 'application/json')
      reply.body = JSON.stringify(value)
    },
    send(value: unknown) {
      if (typeof value === 'string') reply.body = value
      else if (value !== undefined) response.json(value)
    },
    end: () => undefined,
  }
  return response
}
