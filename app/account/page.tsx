import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { describeKey } from '../../lib/accounts/keys'
import { LEAST_PASSWORD_CHARACTERS } from '../../lib/accounts/password'
import { currentAccount } from '../../lib/accounts/session'
import { getConfig } from '../../lib/config'
import { listCredits } from '../../lib/credits/history'
import { getLedger, MONTHLY_CREDITS } from '../../lib/credits/ledger'
import { currentOrigin } from '../_server/current-origin'
import { dayAndMonth, fullDate, moment, nextMonth } from '../_server/dates'
import { ApiKeyPanel } from '../_ui/api-key-panel'
import { CreditLog } from '../_ui/credit-log'
import { PasswordForm } from '../_ui/password-form'
import { RefreshWhileVisible } from '../_ui/refresh-while-visible'
import { SignOutButton, SignOutEverywhereButton } from '../_ui/sign-out'
import { SiteFrame } from '../_ui/site-frame'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Account' }

const ENTRIES = 20

export default async function AccountPage() {
  const account = await currentAccount()
  if (account === null) redirect('/sign-in')
  const { balance } = await getLedger().grantMonth(account.id)
  const [key, entries, origin] = await Promise.all([describeKey(account.id), listCredits(account.id, { limit: ENTRIES }), currentOrigin()])
  const isGranted = account.emailVerified !== null || getConfig().DATABASE_URL === undefined
  return (
    <SiteFrame signedIn>
      <RefreshWhileVisible />
      <div className="account-head">
        <div>
          <h1>Account</h1>
          <p>{account.email}</p>
        </div>
        <SignOutButton />
      </div>

      <div className="account-grid">
        <section className="panel" aria-labelledby="credits">
          <h2 id="credits">Credits</h2>
          <p className="balance" data-testid="balance">
            {balance.toLocaleString('en')}
          </p>
          <p className="soft">One credit pays for one call that works.</p>
          <dl className="grants">
            <div>
              <dt>Free this month</dt>
              <dd>{isGranted ? `${MONTHLY_CREDITS} credits, added already` : 'added once your address is confirmed'}</dd>
            </div>
            <div>
              <dt>Next grant</dt>
              <dd>
                {dayAndMonth(nextMonth(new Date()))}, +{MONTHLY_CREDITS}
              </dd>
            </div>
          </dl>
        </section>

        <section className="panel stack" aria-labelledby="api-access">
          <h2 id="api-access">API access</h2>
          {key !== null && key.refusedUses > 0 && (
            <p className="warning">
              A rotated key is still being tried: refused {key.refusedUses === 1 ? 'once' : `${key.refusedUses.toLocaleString('en')} times`}
              {key.lastRefusedAt !== null && `, last on ${moment(key.lastRefusedAt)} UTC`}. Find the server that still has it.
            </p>
          )}
          <ApiKeyPanel apiKey={key === null ? null : { masked: key.masked, last4: key.last4, created: fullDate(key.createdAt) }} origin={origin} />
        </section>
      </div>

      <section className="panel below" aria-labelledby="movements">
        <h2 id="movements">Latest credit movements</h2>
        <CreditLog entries={entries.map(({ id, kind, delta, balance, createdAt }) => ({ id, kind, delta, balance, at: createdAt.toISOString(), shownAt: moment(createdAt) }))} />
      </section>

      <div className="two below">
        <section className="panel" aria-labelledby="password-title">
          <h2 id="password-title">Password</h2>
          <PasswordForm hasPassword={account.hasPassword} email={account.email} leastCharacters={LEAST_PASSWORD_CHARACTERS} />
        </section>
        <section className="panel stack" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <p>Ends every session of this account in every browser, this one too. The API key keeps working.</p>
          <p>
            <SignOutEverywhereButton />
          </p>
        </section>
      </div>
    </SiteFrame>
  )
}
