import type { AuthOptions, Profile } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { EmailConfig } from 'next-auth/providers/email'
import GithubProvider from 'next-auth/providers/github'
import GoogleProvider from 'next-auth/providers/google'
import type { Provider } from 'next-auth/providers/index'
import type { Config } from '../../config'
import { getDatabase } from '../../database'
import { findRequestId } from '../../http-exchange'
import { describeError, getLog } from '../../log'
import { sendMail } from '../../mail'
import { type Account, findByEmail, normalizeEmail } from '../account/accounts'
import { admitIdentity } from './admit-identity'
import { rememberNetwork } from './attempt-limit'
import { createAuthAdapter } from './auth-adapter'
import { requireAuthSecret } from '../session/auth-secret'
import { CONFIRM_PAGE, holdProof } from './pending-address-proof'
import { LINK_SECONDS, writeLinkMail } from './mailed-link'
import { readSession, SESSION_SECONDS, sessionCookie, tokenFor } from '../session/session'
import { signInWithPassword } from './sign-in-with-password'
import type { SignInWays } from './sign-in-ways'
import { admitSignUp, signUpTerms } from './sign-up-rules'

/** The target page for a visitor who tries to link a sign-in to an account with an unverified address. */
const UNPROVED_PAGE = '/account/settings#address'

interface AuthRequest {
  config: Config
  ways: SignInWays
  /** Network address of the client, for the limit on failed sign-ins. */
  clientAddress: string
  /** The account that the browser is already signed in to. */
  signedIn: Account | null
  /** The password of this browser's sign-up. */
  signUp: { email: string; passwordHash: string } | null
  /** Called with the error of a sign-in. next-auth itself would put its message into a URL. */
  onFailure: (error: unknown) => void
}

/**
 * Returns next-auth's options for one request. The database must be open. Sessions are tokens that are checked against
 * the database on every use.
 */
export function createAuthOptions(request: AuthRequest): AuthOptions {
  const { config, signedIn, signUp, clientAddress } = request
  const secret = requireAuthSecret(config)
  const log = getLog()
  const cookie = (purpose: string, maxAge?: number) => {
    const { name, options } = sessionCookie(purpose, config)
    return { name, options: maxAge === undefined ? options : { ...options, maxAge } }
  }
  return {
    secret,
    adapter: createAuthAdapter(getDatabase(), {
      signedInId: signedIn?.id ?? null,
      secret,
      signUp,
      ...signUpTerms(config),
    }),
    providers: listProviders(request),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    jwt: {
      secret,
      maxAge: SESSION_SECONDS,
      decode: async ({ token }) => (await readSession(token, secret))?.token ?? null,
    },
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
      signIn: ({ account, user, profile, email }) => {
        // next-auth also asks before it mails a link. That must not depend on whether the address has an account.
        if (account?.type === 'email')
          return email?.verificationRequest === true || admitLink(user.email ?? '', clientAddress)
        if (account?.type !== 'oauth') return true
        if (typeof user.email !== 'string' || user.email === '') return false
        const { provider, providerAccountId } = account
        return admit(
          { identity: { provider, providerAccountId }, email: vouchedEmail(profile), signedIn },
          clientAddress,
        )
      },
      jwt: ({ token, user, account }) => {
        if (user === undefined) return token
        // At sign-in, `user` is one of our rows, from the adapter or from signInWithPassword.
        return tokenFor(user as unknown as { id: string; sessionVersion: number }, {
          isByMail: account?.type === 'email',
        })
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signIn: async ({ user, account }) => {
        // The attempt of a password sign-in has already stored the network.
        if (account?.type !== 'credentials' && typeof user.email === 'string')
          await rememberNetwork({ id: user.id, email: user.email }, clientAddress)
      },
    },
    logger: {
      error: (code, metadata) =>
        log.warn(
          { requestId: findRequestId(), code, cause: describe(metadata) },
          'next-auth failed to complete a request',
        ),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}

function listProviders({ config, ways, clientAddress, onFailure }: AuthRequest): Provider[] {
  const providers: Provider[] = [
    CredentialsProvider({
      credentials: { email: { type: 'email' }, password: { type: 'password' } },
      authorize: async credentials => {
        try {
          return await signInWithPassword({
            email: credentials?.email ?? '',
            password: credentials?.password ?? '',
            clientAddress,
          })
        } catch (error) {
          onFailure(error)
          return null
        }
      },
    }),
  ]
  if (ways.mail) providers.push(mailProvider())
  if (ways.github)
    providers.push(githubProvider({ clientId: config.GITHUB_ID ?? '', clientSecret: config.GITHUB_SECRET ?? '' }))
  if (ways.google)
    providers.push(googleProvider({ clientId: config.GOOGLE_ID ?? '', clientSecret: config.GOOGLE_SECRET ?? '' }))
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
    normalizeIdentifier: normalizeEmail,
    sendVerificationRequest: ({ identifier, url }) => sendMail({ to: identifier, ...writeLinkMail('sign-in', url) }),
  }
}

/** Lets next-auth sign in with a mailed link, which opens an account if the address has none. */
async function admitLink(email: string, clientAddress: string): Promise<true | string> {
  return (await findByEmail(email)) === null ? admitNew(email, clientAddress) : true
}

/** Lets next-auth open an account, or redirects the browser to the sign-in page with the reason. */
async function admitNew(email: string, clientAddress: string): Promise<true | string> {
  const problem = await admitSignUp({ email, clientAddress })
  return problem === null ? true : `/sign-in?error=${problem}`
}

/** Lets next-auth continue a sign-in, or redirects the browser to a page that explains the next step. */
async function admit(arrival: Parameters<typeof admitIdentity>[0], clientAddress: string): Promise<true | string> {
  const admission = await admitIdentity(arrival)
  if (admission.kind === 'go-on') return true
  if (admission.kind === 'sign-up') return admitNew(arrival.email ?? '', clientAddress)
  if (admission.kind === 'unproved') return UNPROVED_PAGE
  await holdProof(admission.proof, '/account')
  return CONFIRM_PAGE
}

function githubProvider(credentials: { clientId: string; clientSecret: string }): Provider {
  return GithubProvider({
    ...credentials,
    userinfo: {
      url: 'https://api.github.com/user',
      // GitHub's profile may contain an unconfirmed address. Its list of addresses shows which ones are confirmed.
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? ''
        const profile = await client.userinfo(token)
        const response = await fetch('https://api.github.com/user/emails', {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(10_000),
        })
        return { ...profile, email: response.ok ? vouchedAddress(await response.json()) : undefined }
      },
    },
  })
}

function googleProvider(credentials: { clientId: string; clientSecret: string }): Provider {
  return GoogleProvider({
    ...credentials,
    profile: profile => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email_verified ? profile.email : null,
      image: profile.picture,
    }),
  })
}

/**
 * Returns the address that a service vouches for. For GitHub, `vouchedAddress` chose it. Google marks it as verified.
 */
function vouchedEmail(profile: Profile | undefined): string | undefined {
  const { email, email_verified: isVerified } = (profile ?? {}) as {
    email?: unknown
    email_verified?: unknown
  } // The profile as the service sent it.
  return typeof email === 'string' && isVerified !== false && isVerified !== 'false' ? email : undefined
}

/**
 * Returns the confirmed address in GitHub's list of a user's addresses, the primary one first. Undefined when there is
 * none.
 */
export function vouchedAddress(list: unknown): string | undefined {
  const confirmed = (Array.isArray(list) ? list : []).filter(
    entry => entry?.verified === true && typeof entry.email === 'string',
  )
  return (confirmed.find(entry => entry.primary === true) ?? confirmed[0])?.email
}

function describe(metadata: unknown): unknown {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error
  return error instanceof Error ? describeError(error) : 'no details'
}
