import { accountRoute } from '../../../../lib/accounts/account-route'
import { setLowBalance } from '../../../../lib/accounts/low-balance'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account, form }) => setLowBalance(account.id, form['threshold'] ?? ''))
