import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { createShownKey } from '../../../../lib/accounts/key/shown-key'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account }) => createShownKey(account))
