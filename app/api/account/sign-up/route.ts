import { openRoute } from '../../../../lib/accounts/account-route'
import { signUp } from '../../../../lib/accounts/sign-up'

export const dynamic = 'force-dynamic'
export const POST = openRoute(({ form, clientAddress }) => signUp({ email: form['email'] ?? '', password: form['password'] ?? '', clientAddress }))
