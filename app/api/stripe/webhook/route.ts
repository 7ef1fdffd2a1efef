import { receiveEvent } from '../../../../lib/purchases/webhook'

export const dynamic = 'force-dynamic'
export const POST = receiveEvent
