import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { dismissChecklist } from '../../../../lib/requests/first-day'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account }) => dismissChecklist(account.id))
