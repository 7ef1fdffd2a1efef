import { accountReading } from '../../../../lib/accounts/route/account-route'
import { describeLatestRequest } from '../../../../lib/accounts/route/latest-request'

export const dynamic = 'force-dynamic'
export const GET = accountReading(async ({ account, query }) =>
  Response.json(await describeLatestRequest(account.id, query.get('after'))),
)
