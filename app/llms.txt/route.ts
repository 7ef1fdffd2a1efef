import { getConfig } from '../../lib/config'
import { writeLlmsList } from '../../lib/docs/pages/llms'
import { currentOrigin } from '../_server/current-origin'
import { respondWithText } from '../_server/respond-with-text'

export const dynamic = 'force-dynamic'

/** Responds with the list of all pages for language models (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return respondWithText(request, writeLlmsList({ origin: await currentOrigin(), config: getConfig() }), 'text/plain')
}
