import { formRoute } from '../../../../lib/accounts/route/account-route'
import { CONFIRM_PAGE, settleHeldProof } from '../../../../lib/accounts/sign-in/pending-address-proof'

export const dynamic = 'force-dynamic'
export const POST = formRoute(CONFIRM_PAGE, settleHeldProof)
