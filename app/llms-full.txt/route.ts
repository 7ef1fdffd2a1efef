import { getConfig } from '../../lib/config'
import { writeLlmsFull } from '../../lib/docs/pages/llms'
import { currentOrigin } from '../_server/current-origin'
import { respondWithText } from '../_server/respond-with-text'

export const dynamic = 'force-dynamic'

/** Responds with all pages of the documentation in one text. */
export async function GET(request: Request): Promise<Response> {
  const text = await writeLlmsFull({ origin: await currentOrigin(), config: getConfig() })
  return respondWithText(request, text, 'text/plain')
}
