import type { Metadata } from 'next'
import { describeKey, type KeyDescription } from '../../lib/accounts/key/keys'
import { canVerifyAddresses } from '../../lib/accounts/sign-in/sign-in-ways'
import { nameClient } from '../../lib/requests/client-name'
import { count, times } from '../_server/amounts'
import { operationTitle } from '../_server/operation-titles'
import { currentBalance } from '../_server/credit-state'
import { currentOrigin } from '../_server/current-origin'
import { dayAndMonth, fullDate, moment } from '../_server/dates'
import { firstRequestSamples } from '../_server/first-request'
import { describePage } from '../_server/page-metadata'
import { signedInAccount } from '../_server/signed-in-account'
import { ApiKeyPanel } from '../_ui/key/api-key-panel'
import { DismissButton } from '../_ui/forms/dismiss-button'
import { FirstRequestLine } from '../_ui/key/first-request-line'
import { SampleFiles } from '../_ui/key/sample-files'
import { CodeTabs } from '../_ui/elements/code-tabs'
import { hasSucceeded } from '../../lib/requests/usage'
import { Panel } from '../_ui/elements/panel'
import classes from './account.module.css'
import { CreditNotice } from './credit-notice'
import { FirstDay } from './first-day'
import { Notice } from '../_ui/elements/notice'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'API access',
  description: 'Create and rotate your API key, see your credit balance, and send the first request.',
  path: '/account',
  isPrivate: true,
})

const HELD_BACK = 'This server gave all free credits of today. Yours are added on a later day'

export default async function AccountPage() {
  const account = await signedInAccount()
  const [{ balance, grant, lowBalanceAt }, key, origin, isUsed] = await Promise.all([
    currentBalance(),
    describeKey(account.id),
    currentOrigin(),
    hasSucceeded(account.id),
  ])
  const samples = firstRequestSamples(origin)
  const since = new Date().toISOString()
  return (
    <>
      <h1>API access</h1>
      <p className={classes.credits}>
        <span>
          <span className={classes.balance} data-testid="balance">
            {count(balance)}
          </span>{' '}
          credits
        </span>
        {balance > 0 && (
          <span className={classes.soft}>
            {grant.isGranted
              ? `Includes this month’s ${grant.credits} free credits`
              : grant.isHeldBack
                ? HELD_BACK
                : `You get ${grant.credits} free credits when you confirm your email address`}
            . You get the next {grant.credits} on {dayAndMonth(grant.nextAt)}.
          </span>
        )}
      </p>
      <CreditNotice showsLow />

      {account.emailVerified === null && canVerifyAddresses() && (
        <Notice kind="warning" title="Your email address isn’t confirmed">
          <a href="/account/settings#address">Confirm that {account.email} is yours</a> to keep your API key and
          password.
        </Notice>
      )}
      {key !== null && key.refusedUses > 0 && (
        <Notice kind="warning" title="A rotated key is still in use">
          Rejected {times(key.refusedUses)}
          {key.firstRefusedAt !== null && ` since ${moment(key.firstRefusedAt)} UTC`}
          {key.lastRefusedAt !== null && `, last on ${moment(key.lastRefusedAt)} UTC`}
          {writeClient(key.lastRefusedClient)}. Update the server that still sends this key. The notice returns with the
          next use.{' '}
          <DismissButton path="/api/account/key/refused-uses" label="Dismiss the notice about the rotated key" />
        </Notice>
      )}
      <Panel id="key" title="API key">
        <ApiKeyPanel
          apiKey={
            key === null
              ? null
              : {
                  masked: key.masked,
                  last4: key.last4,
                  created: fullDate(key.createdAt),
                  lastUse: writeUse(key),
                  requestsInLastDay: `${count(key.requestsInLastDay)} ${key.requestsInLastDay === 1 ? 'request' : 'requests'}`,
                }
          }
          samples={samples.withKey}
          since={since}
        />
      </Panel>
      <FirstDay accountId={account.id} facts={{ hasKey: key !== null, hasSucceeded: isUsed, lowBalanceAt }} />
      {!isUsed && (
        <Panel id="first-request" title="First request">
          <p>
            This request merges <SampleFiles /> into one PDF with 3 pages and costs 1 credit. The code reads the key
            from the environment variable <code>SHEAF_API_KEY</code>. Use keys only on servers, never in a browser or an
            app.
          </p>
          <CodeTabs label="First request" samples={samples.withVariable} />
          <FirstRequestLine since={since} />
          <p className={classes.soft}>
            No server yet? <a href="/account/playground/merge-pdf">Run the request in the playground</a> at the same
            price.
          </p>
        </Panel>
      )}
    </>
  )
}

function writeUse({ lastUse }: KeyDescription): string | null {
  if (lastUse === null) return null
  return `${moment(lastUse.at)} UTC: ${operationTitle(lastUse.operation)}, ${lastUse.status}${writeClient(lastUse.client)}`
}

/** Returns text such as ", by curl 8 from 203.0.113.0/24". */
function writeClient({ address, agent }: KeyDescription['lastRefusedClient']): string {
  return `${agent === null ? '' : `, by ${nameClient(agent)}`}${address === null ? '' : ` from ${address}`}`
}
