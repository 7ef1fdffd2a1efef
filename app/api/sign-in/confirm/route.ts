import { formRoute } from '../../../../lib/accounts/account-route'
import { CONFIRM_PAGE, settleHeldProof } from '../../../../lib/accounts/held-proof'

export const dynamic = 'force-dynamic'
export const POST = formRoute(CONFIRM_PAGE, settleHeldProof)
