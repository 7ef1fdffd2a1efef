import { accountReading, respondWithCsv } from '../../../../lib/accounts/route/account-route'
import { exportCalls } from '../../../../lib/requests/request-list'

export const dynamic = 'force-dynamic'
export const GET = accountReading(({ account }) => respondWithCsv('calls', exportCalls(account.id)))
