import type { Metadata } from 'next'
import { describePage } from '../../_server/page-metadata'
import { headers } from 'next/headers'
import { needsPassword } from '../../../lib/accounts/settings/change-password'
import { LEAST_PASSWORD_CHARACTERS } from '../../../lib/accounts/account/password'
import { currentSession } from '../../../lib/accounts/session/session'
import { canVerifyAddresses, signInWays } from '../../../lib/accounts/sign-in/sign-in-ways'
import { describeOffer } from '../../../lib/purchases/purchases'
import { currentBalance } from '../../_server/credit-state'
import { signedInAccount } from '../../_server/signed-in-account'
import { CreditNotice } from '../credit-notice'
import { ConfirmAddress } from '../../_ui/forms/confirm-address'
import { DeleteAccount } from '../../_ui/forms/delete-account'
import { Panel } from '../../_ui/elements/panel'
import { PasswordForm } from '../../_ui/forms/password-form'
import { SignOutEverywhereButton } from '../../_ui/forms/sign-out'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Settings',
  description: 'Confirm your email address, change your password, end sessions, or delete your account.',
  path: '/account/settings',
  isPrivate: true,
})

export default async function SettingsPage() {
  const account = await signedInAccount()
  const [session, host, { balance }] = await Promise.all([currentSession(), headers(), currentBalance()])
  const ways = signInWays(host.get('host'))
  return (
    <>
      <h1>Settings</h1>
      <CreditNotice />
      {account.emailVerified === null && canVerifyAddresses() && (
        <Panel id="address" title="Email address">
          <p>
            Confirm that {account.email} is yours. In this browser, your account stays unchanged. If you confirm in a
            browser that isn’t signed in, your password, API key and all sessions stop working.
          </p>
          <ConfirmAddress email={account.email} ways={ways} />
        </Panel>
      )}
      <Panel id="password-title" title="Password">
        <PasswordForm
          hasPassword={account.hasPassword}
          needsPassword={session === null || needsPassword(session)}
          email={account.email}
          leastCharacters={LEAST_PASSWORD_CHARACTERS}
        />
      </Panel>
      <Panel id="sessions" title="Sessions">
        <p>Signs you out in every browser, including this one. Your API key keeps working.</p>
        <SignOutEverywhereButton />
      </Panel>
      <Panel id="deletion" title="Delete account">
        <p>
          Permanently deletes your email address, API key and request log. The credit ledger stays under an ID that
          isn’t linked to you.
        </p>
        {describeOffer().isSelling && (
          <p>
            Automatic top-up ends. Your customer record at Stripe and your saved card are deleted. Invoices stay with
            their billing address, because the law requires this. They have no link to your account or its ledger. Later
            payments are refunded.
          </p>
        )}
        <DeleteAccount hasPassword={account.hasPassword} balance={balance} />
      </Panel>
    </>
  )
}
