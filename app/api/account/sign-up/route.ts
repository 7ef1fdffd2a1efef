import { openRoute } from '../../../../lib/accounts/route/account-route'
import { signUp } from '../../../../lib/accounts/sign-in/sign-up'

export const dynamic = 'force-dynamic'
export const POST = openRoute(({ form, ...request }) =>
  signUp({ ...request, email: form['email'] ?? '', password: form['password'] ?? '', next: form['next'] ?? '' }),
)
