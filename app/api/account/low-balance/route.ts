import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { setLowBalance } from '../../../../lib/notices/low-balance'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account, form }) => setLowBalance(account.id, form['threshold'] ?? ''))
