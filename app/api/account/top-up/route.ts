import { currentOrigin } from '../../../_server/current-origin'
import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { setTopUp } from '../../../../lib/purchases/top-up-settings'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account, form }) => {
  const { dollars = '', monthlyLimit = '', card } = form
  return setTopUp({ account, dollars, monthlyLimit, isOtherCard: card === 'other', origin: await currentOrigin() })
})
