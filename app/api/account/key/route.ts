import { accountRoute } from '../../../../lib/accounts/account-route'
import { createShownKey } from '../../../../lib/accounts/shown-key'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account }) => createShownKey(account))
