import { accountRoute } from '../../../../lib/accounts/route/account-route'
import { deleteAccount } from '../../../../lib/accounts/settings/delete-account'
import { endSession } from '../../../../lib/accounts/session/session'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(async ({ account, signedInAt, form, clientAddress }) => {
  await deleteAccount({
    account,
    signedInAt,
    password: form['password'] ?? '',
    email: form['email'] ?? '',
    clientAddress,
  })
  await endSession()
  return { ok: true }
})
