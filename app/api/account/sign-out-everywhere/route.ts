import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { endSessions } from '../../../../lib/accounts/account/accounts'
import { endSession } from '../../../../lib/accounts/session/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account }) => {
  await endSessions(account.id)
  await endSession()
  return { ok: true }
})
