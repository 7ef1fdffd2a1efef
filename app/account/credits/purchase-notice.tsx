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
      <Alert color="green" title={`${count(credits)} credits bought`} role="status">
        Thank you. The payment is confirmed and the balance below has them; the invoice is under Purchases.
      </Alert>
    )
  }
  if (state === 'open' || state === 'pending') {
    return (
      <>
        <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
        <Alert title="The payment is being confirmed" role="status">
          {state === 'open'
            ? 'This page shows the new balance as soon as it is.'
            : 'Your bank takes its time, up to a few days. The credits come as soon as it has paid; nothing else is ' +
              'to be done.'}
        </Alert>
      </>
    )
  }
  return (
    <Alert
      color="yellow"
      title={state === 'failed' ? 'The payment did not go through' : 'The purchase was not finished in time'}
      role="status"
    >
      Nothing was charged and no credits were added. You can try again below.
    </Alert>
  )
}
