import { accountRoute } from '../../../../../lib/accounts/account-route'
import { rotateShownKey } from '../../../../../lib/accounts/shown-key'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account, form }) => rotateShownKey(account, form['last4'] ?? ''))
