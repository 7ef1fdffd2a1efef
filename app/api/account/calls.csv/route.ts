import { accountReading, respondWithCsv } from '../../../../lib/accounts/route/account-route'
import { exportRequests } from '../../../../lib/requests/request-list'

export const dynamic = 'force-dynamic'
export const GET = accountReading(({ account }) => respondWithCsv('calls', exportRequests(account.id)))
