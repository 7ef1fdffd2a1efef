import { getConfig } from '../../../lib/config'
import { findPage } from '../../../lib/docs/pages/all'
import { writeMarkdown } from '../../../lib/docs/pages/markdown'
import { currentOrigin } from '../../_server/current-origin'
import { respondWithText } from '../../_server/respond-with-text'

export const dynamic = 'force-dynamic'

interface Context {
  params: Promise<{ page?: string[] }>
}

/** Responds with a page of the documentation as Markdown. `/docs/<page>.md` leads here (next.config.mjs). */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { page = [] } = await params
  const origin = await currentOrigin()
  const docsPage = findPage(page.join('/'), { origin, config: getConfig() })
  return respondWithText(request, docsPage && writeMarkdown(docsPage, { origin }), 'text/markdown')
}
