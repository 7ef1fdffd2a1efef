import { accountRoute } from '../../../../lib/accounts/account-route'
import { changePassword } from '../../../../lib/accounts/change-password'
import { startSession } from '../../../../lib/accounts/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ form, ...request }) => {
  await startSession(
    await changePassword({ ...request, current: form['current'] ?? '', password: form['password'] ?? '' }),
  )
  return { ok: true }
})
