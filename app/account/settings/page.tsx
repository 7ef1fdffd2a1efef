import type { Metadata } from 'next'
import { LEAST_PASSWORD_CHARACTERS } from '../../../lib/accounts/password'
import { getLedger } from '../../../lib/credits/ledger'
import { describeOffer } from '../../../lib/purchases/purchases'
import { signedInAccount } from '../../_server/signed-in-account'
import { DeleteAccount } from '../../_ui/delete-account'
import { Panel } from '../../_ui/panel'
import { PasswordForm } from '../../_ui/password-form'
import { SignOutEverywhereButton } from '../../_ui/sign-out'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const account = await signedInAccount()
  const { balance } = await getLedger().grantMonth(account.id)
  return (
    <>
      <h1>Settings</h1>
      <Panel id="password-title" title="Password">
        <PasswordForm hasPassword={account.hasPassword} email={account.email} leastCharacters={LEAST_PASSWORD_CHARACTERS} />
      </Panel>
      <Panel id="sessions" title="Sessions">
        <p>Ends every session of this account in every browser, this one too. The API key keeps working.</p>
        <SignOutEverywhereButton />
      </Panel>
      <Panel id="deletion" title="Delete account">
        <p>Removes your email, your key and your call log for good. The sums of the ledger stay under a number that leads to nobody.</p>
        {describeOffer().isSelling && (
          <p>
            Automatic top-up ends, and your customer record at Stripe is deleted with your saved card. Invoices of your purchases stay with the billing address that you gave for them, because the law requires that, without a link to
            the account or its ledger. A payment that arrives after the deletion is refunded.
          </p>
        )}
        <DeleteAccount hasPassword={account.hasPassword} balance={balance} />
      </Panel>
    </>
  )
}
