import { Alert } from '@mantine/core'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { FORGOT_PAGE } from '../../lib/accounts/sign-in/forgot-password'
import { LEAST_PASSWORD_CHARACTERS } from '../../lib/accounts/account/password'
import { currentAccount } from '../../lib/accounts/session/session'
import { signInWays } from '../../lib/accounts/sign-in/sign-in-ways'
import { SignInForm } from '../_ui/forms/sign-in-form'
import { SignInBox } from './sign-in-box'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Sign in' }

// Codes that next-auth puts into the URL after a failed sign-in. Any other code gets the general message.
const FAILURES = new Map([
  ['CredentialsSignin', 'That address and password do not go together.'],
  ['Verification', 'That sign-in link was used already or is older than an hour. Ask for a new one.'],
  ['OAuthAccountNotLinked', 'There is an account with that address already. Sign in the way you did before.'],
  ['AccessDenied', 'That service did not confirm an e-mail address for you, so no account can be opened with it.'],
  ['OAuthCallback', 'The other service did not complete the sign-in. Try again.'],
])
const KEPT = 'Nothing was changed. If you set up the account yourself, sign in the way you did before.'
const OTHER_FAILURE = 'The sign-in did not work. Try again.'

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  if ((await currentAccount()) !== null) redirect('/account')
  const [search, host] = [await searchParams, (await headers()).get('host')]
  const { missing, ...ways } = signInWays(host)
  const error = search['error']
  const offer = ways.passwordSignUp ? ' A new account starts with 100 credits.' : ''
  const lead = `Your API key, your credits and where they went.${offer}`
  return (
    <SignInBox title="Your account" lead={lead}>
      {missing !== null && <Alert color="yellow">{missing}</Alert>}
      {search['kept'] !== undefined && <Alert>{KEPT}</Alert>}
      <SignInForm
        ways={ways}
        forgotPage={FORGOT_PAGE}
        leastCharacters={LEAST_PASSWORD_CHARACTERS}
        startNew={search['new'] !== undefined}
        initialMessage={typeof error === 'string' ? (FAILURES.get(error) ?? OTHER_FAILURE) : null}
      />
    </SignInBox>
  )
}
