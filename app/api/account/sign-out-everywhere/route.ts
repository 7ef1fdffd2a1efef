import { accountRoute } from '../../../../lib/accounts/account-route'
import { endSessions } from '../../../../lib/accounts/accounts'
import { endSession } from '../../../../lib/accounts/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account }) => {
  await endSessions(account.id)
  await endSession()
  return { ok: true }
})
