import { currentOrigin } from '../../../_server/current-origin'
import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { startCheckout } from '../../../../lib/purchases/checkout'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account, form }) =>
  startCheckout({ account, dollars: form['dollars'] ?? '', origin: await currentOrigin() }),
)
