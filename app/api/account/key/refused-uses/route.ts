import { dismissRefusedUses } from '../../../../../lib/accounts/key/keys'
import { accountRoute } from '../../../../../lib/accounts/route/account-route'

export const dynamic = 'force-dynamic'
export const POST = accountRoute(({ account }) => dismissRefusedUses(account.id))
