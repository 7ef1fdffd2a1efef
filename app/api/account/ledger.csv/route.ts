import { accountReading, respondWithCsv } from '../../../../lib/accounts/route/account-route'
import { exportLedger } from '../../../../lib/credits/history'

export const dynamic = 'force-dynamic'
export const GET = accountReading(({ account }) => respondWithCsv('ledger', exportLedger(account.id)))
