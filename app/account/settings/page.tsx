import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { needsPassword } from '../../../lib/accounts/settings/change-password'
import { LEAST_PASSWORD_CHARACTERS } from '../../../lib/accounts/account/password'
import { currentSession } from '../../../lib/accounts/session/session'
import { canVerifyAddresses, signInWays } from '../../../lib/accounts/sign-in/sign-in-ways'
import { getLedger } from '../../../lib/credits/ledger'
import { describeOffer } from '../../../lib/purchases/purchases'
import { signedInAccount } from '../../_server/signed-in-account'
import { ConfirmAddress } from '../../_ui/forms/confirm-address'
import { DeleteAccount } from '../../_ui/forms/delete-account'
import { Panel } from '../../_ui/elements/panel'
import { PasswordForm } from '../../_ui/forms/password-form'
import { SignOutEverywhereButton } from '../../_ui/forms/sign-out'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const account = await signedInAccount()
  const [session, host, { balance }] = await Promise.all([
    currentSession(),
    headers(),
    getLedger().grantMonth(account.id),
  ])
  const ways = signInWays(host.get('host'))
  return (
    <>
      <h1>Settings</h1>
      {account.emailVerified === null && canVerifyAddresses() && (
        <Panel id="address" title="E-mail address">
          <p>
            Nobody has confirmed that {account.email} is yours. Confirm it in this browser, and everything stays as it
            is. If it is confirmed in a browser that isn’t signed in, the password, the API key and all sessions end.
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
        <p>Ends every session of this account in every browser, this one too. The API key keeps working.</p>
        <SignOutEverywhereButton />
      </Panel>
      <Panel id="deletion" title="Delete account">
        <p>
          Removes your email, your key and your call log for good. The sums of the ledger stay under a number that leads
          to nobody.
        </p>
        {describeOffer().isSelling && (
          <p>
            Automatic top-up ends, and your customer record at Stripe is deleted with your saved card. Invoices of your
            purchases stay with the billing address that you gave for them, because the law requires that, without a
            link to the account or its ledger. A payment that arrives after the deletion is refunded.
          </p>
        )}
        <DeleteAccount hasPassword={account.hasPassword} balance={balance} />
      </Panel>
    </>
  )
}
