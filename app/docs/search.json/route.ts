import { getConfig } from '../../../lib/config'
import { writeSearchIndex } from '../../../lib/docs/search/search-index'
import { respondWithText } from '../../_server/respond-with-text'

export const dynamic = 'force-dynamic'

/** Responds with the search index of the documentation, which the search dialog loads. */
export async function GET(request: Request): Promise<Response> {
  return respondWithText(request, await writeSearchIndex(getConfig()), 'application/json')
}
