import { accountRoute } from '../../../../../lib/accounts/route/account-route'
import { endTopUp } from '../../../../../lib/purchases/top-up-settings'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account }) => {
  await endTopUp(account.id)
  return { isOn: false }
})
