import type { AuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { EmailConfig } from 'next-auth/providers/email'
import GithubProvider from 'next-auth/providers/github'
import GoogleProvider from 'next-auth/providers/google'
import type { Provider } from 'next-auth/providers/index'
import type { Config } from '../config'
import { getDatabase } from '../database'
import { findRequestId } from '../http/exchange'
import { describeError, getLog } from '../log'
import { sendMail } from '../mail'
import { createAuthAdapter } from './auth-adapter'
import { requireAuthSecret } from './auth-secret'
import { readSession, SESSION_SECONDS, sessionCookie, tokenFor } from './session'
import { signInWithPassword } from './sign-in-with-password'
import type { SignInWays } from './sign-in-ways'

const LINK_SECONDS = 60 * 60

interface AuthRequest {
  config: Config
  ways: SignInWays
  /** Network address of the client, for the limit on failed sign-ins. */
  clientAddress: string
  /** The account that the browser is signed in to already. */
  signedInId: string | null
  /** Told what a sign-in threw; next-auth itself would put its message into an address. */
  onFailure: (error: unknown) => void
}

/** Options of next-auth for one request; the database must be open. Sessions are tokens, checked against it on every use. */
export function buildAuthOptions(request: AuthRequest): AuthOptions {
  const { config, signedInId } = request
  const secret = requireAuthSecret(config)
  const log = getLog()
  const cookie = (purpose: string, maxAge?: number) => {
    const { name, options } = sessionCookie(purpose, config)
    return { name, options: maxAge === undefined ? options : { ...options, maxAge } }
  }
  return {
    secret,
    adapter: createAuthAdapter(getDatabase(), { signedInId, secret }),
    providers: listProviders(request),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    jwt: { secret, maxAge: SESSION_SECONDS, decode: async ({ token }) => (await readSession(token, secret))?.token ?? null },
    useSecureCookies: sessionCookie('session', config).options.secure,
    cookies: {
      sessionToken: cookie('session'),
      csrfToken: cookie('csrf'),
      callbackUrl: cookie('callback'),
      state: cookie('state', 15 * 60),
      pkceCodeVerifier: cookie('pkce', 15 * 60),
      nonce: cookie('nonce'),
    },
    pages: { signIn: '/sign-in', signOut: '/account', error: '/sign-in', verifyRequest: '/sign-in' },
    callbacks: {
      signIn: ({ account, user }) => account?.type !== 'oauth' || (typeof user.email === 'string' && user.email !== ''),
      jwt: ({ token, user }) => (user === undefined ? token : tokenFor(user as unknown as { id: string; sessionVersion: number })), // at sign-in `user` is a row of ours: from the adapter or from signInWithPassword
      session: ({ session }) => ({ expires: session.expires }),
    },
    logger: {
      error: (code, metadata) => log.warn({ requestId: findRequestId(), code, cause: describe(metadata) }, 'next-auth could not complete a request'),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}

function listProviders({ config, ways, clientAddress, onFailure }: AuthRequest): Provider[] {
  const providers: Provider[] = [
    CredentialsProvider({
      credentials: { email: { type: 'email' }, password: { type: 'password' } },
      authorize: async given => {
        try {
          return await signInWithPassword({ email: given?.email ?? '', password: given?.password ?? '', clientAddress })
        } catch (error) {
          onFailure(error)
          return null
        }
      },
    }),
  ]
  if (ways.mail) providers.push(mailProvider())
  if (ways.github) providers.push(githubProvider({ clientId: config.GITHUB_ID ?? '', clientSecret: config.GITHUB_SECRET ?? '' }))
  if (ways.google) providers.push(googleProvider({ clientId: config.GOOGLE_ID ?? '', clientSecret: config.GOOGLE_SECRET ?? '' }))
  return providers
}

function mailProvider(): EmailConfig {
  return {
    id: 'email',
    type: 'email',
    name: 'Email',
    server: '',
    from: '',
    maxAge: LINK_SECONDS,
    options: {},
    normalizeIdentifier: address => address.trim().toLowerCase(),
    sendVerificationRequest: ({ identifier, url }) =>
      sendMail({
        to: identifier,
        subject: `Sign in to Sheaf at ${new URL(url).host}`,
        text: `Open this link to sign in to Sheaf. It works once, within an hour:\n\n${url}\n\nIf you did not ask for it, nothing happens unless you open it.\n`,
      }),
  }
}

function githubProvider(credentials: { clientId: string; clientSecret: string }): Provider {
  return GithubProvider({
    ...credentials,
    userinfo: {
      url: 'https://api.github.com/user',
      // GitHub's profile may name an address that nobody has confirmed; its list of addresses says which ones are.
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? ''
        const profile = await client.userinfo(token)
        const response = await fetch('https://api.github.com/user/emails', { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(10_000) })
        return { ...profile, email: response.ok ? vouchedAddress(await response.json()) : undefined }
      },
    },
  })
}

function googleProvider(credentials: { clientId: string; clientSecret: string }): Provider {
  return GoogleProvider({
    ...credentials,
    profile: profile => ({ id: profile.sub, name: profile.name, email: profile.email_verified ? profile.email : null, image: profile.picture }),
  })
}

/** The confirmed address in GitHub's list of a user's addresses, the primary one first; undefined when there is none. */
export function vouchedAddress(list: unknown): string | undefined {
  const confirmed = (Array.isArray(list) ? list : []).filter(entry => entry?.verified === true && typeof entry.email === 'string')
  return (confirmed.find(entry => entry.primary === true) ?? confirmed[0])?.email
}

function describe(metadata: unknown): unknown {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error
  return error instanceof Error ? describeError(error) : 'no details'
}
