import { formRoute } from '../../../../lib/accounts/account-route'
import { FORGOT_PAGE, mailPasswordLink } from '../../../../lib/accounts/forgot-password'

export const dynamic = 'force-dynamic'
export const POST = formRoute(FORGOT_PAGE, mailPasswordLink)
