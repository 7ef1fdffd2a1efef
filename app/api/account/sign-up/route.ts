import { openRoute } from '../../../../lib/accounts/account-route'
import { signUp } from '../../../../lib/accounts/sign-up'

export const dynamic = 'force-dynamic'
export const POST = openRoute(
  ({ form, ...request }) => signUp({ ...request, email: form['email'] ?? '', password: form['password'] ?? '' }),
)
