import { Alert } from '@mantine/core'
import type { Purchase } from '../../../lib/purchases/purchases'
import { count } from '../../_server/amounts'
import { RefreshWhileVisible } from '../../_ui/forms/refresh-while-visible'

/** The refresh interval until Stripe's event arrives, which usually takes a second or two. */
const LOOK_EVERY_MS = 2000

/** The state of the purchase, for a buyer who returns from the payment page. */
export function PurchaseNotice({ purchase }: { purchase: Purchase }) {
  const { state, credits, returnedCents } = purchase
  if (returnedCents > 0) return null
  if (state === 'paid') {
    return (
      <Alert color="green" title={`${count(credits)} credits added`} role="status">
        Your payment is confirmed, and your balance has the credits. The invoice is under Purchases.
      </Alert>
    )
  }
  if (state === 'open' || state === 'pending') {
    return (
      <>
        <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
        <Alert title="The payment is being confirmed" role="status">
          {state === 'open'
            ? 'This page then shows the new balance.'
            : 'Your bank can take a few days. You get the credits after the payment. You don’t need to do anything.'}
        </Alert>
      </>
    )
  }
  return (
    <Alert color="yellow" title={state === 'failed' ? 'The payment failed' : 'The purchase expired'} role="status">
      You were not charged, and no credits were added. You can try again below.
    </Alert>
  )
}
