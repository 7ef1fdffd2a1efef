import type { Metadata } from 'next'
import { describePage } from '../../_server/page-metadata'
import { describeOffer, listPurchases, readPurchase } from '../../../lib/purchases/purchases'
import type { Purchase } from '../../../lib/purchases/purchases'
import { listCredits } from '../../../lib/credits/history'
import { readUsage } from '../../../lib/requests/usage'
import { count } from '../../_server/amounts'
import { operationTitle } from '../../_server/operation-titles'
import { currentBalance } from '../../_server/credit-state'
import { dayAndMonth } from '../../_server/dates'
import { signedInAccount } from '../../_server/signed-in-account'
import { getConfig } from '../../../lib/config'
import { canSendMail } from '../../../lib/mail'
import { readTopUp } from '../../../lib/purchases/top-up-settings'
import { BuyCredits } from '../../_ui/forms/buy-credits'
import { LowBalanceForm } from '../../_ui/forms/low-balance-form'
import { Panel } from '../../_ui/elements/panel'
import { RefreshWhileVisible } from '../../_ui/forms/refresh-while-visible'
import records from '../../_ui/elements/records.module.css'
import { TopUpForm } from '../../_ui/forms/top-up-form'
import { UsageChart } from '../../_ui/chart/usage-chart'
import { CreditNotice } from '../credit-notice'
import { LedgerTable } from './ledger-table'
import { PurchaseTable } from './purchase-table'
import { UsageTable } from './usage-table'
import classes from './credits.module.css'
import { Notice } from '../../_ui/elements/notice'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Credits',
  description: 'Your credit balance, purchases, usage per endpoint, and every charge and refund.',
  path: '/account/credits',
  isPrivate: true,
})

const ENTRIES = 50
const PURCHASES = 50

export default async function CreditsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const account = await signedInAccount()
  const query = await searchParams
  const before = readId(query['before'])
  // Read first, so that the page never reports a payment next to the balance from before it.
  const current = typeof query['purchase'] === 'string' ? await readPurchase(account.id, query['purchase']) : null
  const [balance, usage, entries, purchases, topUp] = await Promise.all([
    currentBalance(),
    readUsage(account.id),
    listCredits(account.id, { limit: ENTRIES, before }),
    listPurchases(account.id, PURCHASES),
    readTopUp(account.id),
  ])
  const { grant, debt } = balance
  const offer = describeOffer()
  const isPaying = current?.state === 'open' || current?.state === 'pending'
  const last = entries.at(-1)
  return (
    <>
      <RefreshWhileVisible />
      <h1>Credits</h1>
      {current !== null && <PurchaseNotice purchase={current} />}
      {debt > 0 && (
        <Notice kind="failure" title={`You owe ${count(debt)} credits`}>
          A payment was returned after you spent its credits. Your next purchase repays them first.
          {balance.balance > 0 && ' You can still use your balance.'}
        </Notice>
      )}
      {!isPaying && <CreditNotice showsLow />}
      <div className={classes.top}>
        <Panel id="balance" title="Balance">
          <p className={classes.balance} data-testid="balance">
            {count(balance.balance)}
          </p>
          <p className={records.soft}>
            {count(balance.free)} free, {count(balance.bought)} purchased or added. Requests use free credits first.
          </p>
          <dl className={classes.facts}>
            <div>
              <dt>This month’s grant</dt>
              <dd>
                {grant.isGranted
                  ? `+${grant.credits}, added`
                  : grant.isHeldBack
                    ? 'added on a later day, because this server gave all free credits of today'
                    : 'added when you confirm your email address'}
              </dd>
            </div>
            <div>
              <dt>Next grant</dt>
              <dd>
                {dayAndMonth(grant.nextAt)}, +{grant.credits}
              </dd>
            </div>
            <div>
              <dt>Price of a successful request</dt>
              <dd>1 credit</dd>
            </div>
          </dl>
        </Panel>
        <Panel id="notice" title="Low balance">
          <LowBalanceForm lowBalanceAt={balance.lowBalanceAt} sendsMail={canSendMail(getConfig())} />
        </Panel>
      </div>

      <Panel id="buy" title="Buy credits">
        {offer.isSelling ? (
          <BuyCredits packs={offer.packs} leastDollars={offer.leastDollars} mostDollars={offer.mostDollars} />
        ) : (
          <NotSold email={offer.operatorEmail} />
        )}
      </Panel>

      {offer.isSelling && (
        <Panel id="top-up" title="Automatic top-up">
          <TopUpForm
            topUp={topUp}
            lowBalanceAt={balance.lowBalanceAt}
            isCardAwaited={query['card'] === 'left' && topUp?.card === undefined}
            sendsMail={canSendMail(getConfig())}
          />
        </Panel>
      )}

      {purchases.length > 0 && (
        <Panel id="purchases" title="Purchases">
          <PurchaseTable purchases={purchases} />
        </Panel>
      )}

      <Panel id="usage" title="Last 30 days">
        {usage.totalRequests === 0 ? (
          <p className={records.soft}>No requests yet. Your usage by endpoint and by result appears here.</p>
        ) : (
          <>
            <UsageChart
              days={usage.days}
              byOperation={usage.byOperation.map(({ name, requests }) => ({ name: operationTitle(name), requests }))}
              byOutcome={usage.byOutcome.map(({ name, requests }) => ({ name, requests }))}
            />
            <UsageTable usage={usage} />
          </>
        )}
      </Panel>

      <Panel
        id="ledger"
        title={before === undefined ? 'Balance history' : 'Earlier balance history'}
        aside={<a href="/api/account/ledger.csv">Download 90 days as CSV</a>}
      >
        <LedgerTable entries={entries} />
        <p className={records.tools}>
          {before !== undefined && <a href="/account/credits#ledger">Newest</a>}
          {last !== undefined && entries.length === ENTRIES && (
            <a href={`/account/credits?before=${last.id}#ledger`}>Older</a>
          )}
        </p>
      </Panel>
    </>
  )
}

function NotSold({ email }: { email: string | undefined }) {
  return (
    <p>
      Credits aren’t for sale on this server. Ask{' '}
      {email === undefined ? 'the operator' : <a href={`mailto:${email}`}>{email}</a>} to add credits to your account.
      1,000 credits are worth $1.
    </p>
  )
}

function readId(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The refresh interval until Stripe's event arrives, which usually takes a second or two. */
const LOOK_EVERY_MS = 2000

/** The state of the purchase, for a buyer who returns from the payment page. */
function PurchaseNotice({ purchase }: { purchase: Purchase }) {
  const { state, credits, returnedCents } = purchase
  if (returnedCents > 0) return null
  if (state === 'paid') {
    return (
      <Notice title={`${count(credits)} credits added`} role="status">
        Your payment is confirmed, and your balance has the credits. The invoice is under Purchases.
      </Notice>
    )
  }
  if (state === 'open' || state === 'pending') {
    return (
      <>
        <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
        <Notice title="The payment is being confirmed" role="status">
          {state === 'open'
            ? 'This page then shows the new balance.'
            : 'Your bank can take a few days. You get the credits after the payment. You don’t need to do anything.'}
        </Notice>
      </>
    )
  }
  return (
    <Notice kind="warning" title={state === 'failed' ? 'The payment failed' : 'The purchase expired'} role="status">
      You were not charged, and no credits were added. You can try again below.
    </Notice>
  )
}
