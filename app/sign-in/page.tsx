import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { FORGOT_PAGE } from '../../lib/accounts/sign-in/forgot-password'
import { LEAST_PASSWORD_CHARACTERS } from '../../lib/accounts/account/password'
import { currentAccount } from '../../lib/accounts/session/session'
import { ACCOUNT_PAGE, readNextPath } from '../../lib/accounts/sign-in/next-path'
import { signInWays } from '../../lib/accounts/sign-in/sign-in-ways'
import type { SignUpProblem } from '../../lib/accounts/sign-in/sign-up-rules'
import { currentOrigin } from '../_server/current-origin'
import { describePage } from '../_server/page-metadata'
import { SignInForm } from '../_ui/forms/sign-in-form'
import { SignInBox } from './sign-in-box'
import { Notice } from '../_ui/elements/notice'

export const dynamic = 'force-dynamic'

type Search = Promise<Record<string, string | string[] | undefined>>

export async function generateMetadata({ searchParams }: { searchParams: Search }): Promise<Metadata> {
  return (await searchParams)['new'] === undefined
    ? describePage({
        title: 'Sign in',
        description: 'Sign in to manage your API key, credits, requests and settings.',
        path: '/sign-in',
        isPrivate: true,
      })
    : describePage({
        title: 'Create an account',
        description: 'Create a Sheaf account to get an API key and 100 free credits each month.',
        path: '/sign-in?new=1',
        isPrivate: true,
      })
}

// Why a proved address got no account: the codes of SignUpProblem.
const NO_ACCOUNT: Record<SignUpProblem, string> = {
  closed: "This server doesn't accept new accounts. Ask its operator for an account.",
  'not-invited': 'New accounts on this server need an invitation. Ask its operator to invite this email address.',
  alias:
    'Your mailbox already has an account, with another spelling of this email address. Sign in with the address that ' +
    'you used first.',
  'too-many':
    'Too many accounts were created from your network today. Try again tomorrow, or ask the operator of this server ' +
    'for an account.',
}
// Codes that next-auth puts into the URL after a failed sign-in. Any other code gets the general message.
const FAILURES = new Map<string, string>([
  ['CredentialsSignin', 'The email address or password is wrong.'],
  ['Verification', 'This sign-in link was already used or has expired. Request a new link.'],
  ['OAuthAccountNotLinked', 'An account with this email address already exists. Sign in the way you did before.'],
  ['AccessDenied', 'The sign-in service did not confirm your email address. Use another way to sign in.'],
  ['OAuthCallback', 'The sign-in service did not complete the sign-in. Try again.'],
  ...Object.entries(NO_ACCOUNT),
])
const SIGN_UP_NOTES = {
  open: 'New accounts get 100 free credits a month.',
  invited: 'New accounts need an invitation from the operator of this server.',
  closed: "This server doesn't accept new accounts.",
}
const KEPT = 'Nothing was changed. If this is your account, sign in the way you did before.'
const OTHER_FAILURE = 'Sign-in failed. Try again.'

export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const [search, host] = [await searchParams, (await headers()).get('host')]
  const next = readNextPath(String(search['next'] ?? ACCOUNT_PAGE), await currentOrigin())
  if ((await currentAccount()) !== null) redirect(next)
  const { missing, signUp, ...ways } = signInWays(host)
  const error = search['error']
  const lead = `Manage your API key, credits and requests. ${SIGN_UP_NOTES[signUp]}`
  return (
    <SignInBox title={search['new'] === undefined ? 'Sign in' : 'Create an account'} lead={lead}>
      {missing !== null && <Notice kind="warning">{missing}</Notice>}
      {search['kept'] !== undefined && <Notice>{KEPT}</Notice>}
      <SignInForm
        ways={ways}
        forgotPage={FORGOT_PAGE}
        leastCharacters={LEAST_PASSWORD_CHARACTERS}
        startNew={search['new'] !== undefined}
        next={next}
        initialMessage={typeof error === 'string' ? (FAILURES.get(error) ?? OTHER_FAILURE) : null}
      />
    </SignInBox>
  )
}
