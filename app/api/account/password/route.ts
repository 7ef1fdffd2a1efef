import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { changePassword } from '../../../../lib/accounts/settings/change-password'
import { startSession } from '../../../../lib/accounts/session/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ form, ...request }) => {
  await startSession(
    await changePassword({ ...request, current: form['current'] ?? '', password: form['password'] ?? '' }),
  )
  return { ok: true }
})
