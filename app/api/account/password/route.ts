import { accountRoute } from '../../../../lib/accounts/account-route'
import { changePassword } from '../../../../lib/accounts/change-password'
import { startSession } from '../../../../lib/accounts/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account, form, clientAddress }) => {
  await startSession(await changePassword({ account, current: form['current'] ?? '', password: form['password'] ?? '', clientAddress }))
  return { ok: true }
})
