import { accountRoute } from '../../../../../lib/accounts/route/account-route'
import { rotateShownKey } from '../../../../../lib/accounts/key/shown-key'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account, form }) => rotateShownKey(account, form['last4'] ?? ''))
