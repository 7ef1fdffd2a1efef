import { formRoute } from '../../../../lib/accounts/route/account-route'
import { FORGOT_PAGE, mailPasswordLink } from '../../../../lib/accounts/sign-in/forgot-password'

export const dynamic = 'force-dynamic'
export const POST = formRoute(FORGOT_PAGE, mailPasswordLink)
