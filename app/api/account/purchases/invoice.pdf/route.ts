import { accountReading } from '../../../../../lib/accounts/route/account-route'
import { respondWithInvoice } from '../../../../../lib/purchases/invoice'

export const dynamic = 'force-dynamic'
export const GET = accountReading(({ account, query }) => respondWithInvoice(account.id, query.get('purchase') ?? ''))
