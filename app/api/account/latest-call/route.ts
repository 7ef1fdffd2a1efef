import { accountReading } from '../../../../lib/accounts/route/account-route'
import { describeLatestCall } from '../../../../lib/accounts/route/latest-request'

export const dynamic = 'force-dynamic'
export const GET = accountReading(async ({ account, query }) =>
  Response.json(await describeLatestCall(account.id, query.get('after'))),
)
