import { getConfig } from '../../../lib/config'
import { writeAgentPage } from '../../../lib/docs/pages/agent-page'
import { findPage } from '../../../lib/docs/pages/all'
import { writeMarkdown } from '../../../lib/docs/pages/markdown'
import { currentOrigin } from '../../_server/current-origin'
import { respondWithText } from '../../_server/respond-with-text'

export const dynamic = 'force-dynamic'

interface Context {
  params: Promise<{ page?: string[] }>
}

/** Responds with a page of the documentation as Markdown. `/docs/<page>.md` and `/docs/agents/…` lead here (next.config.mjs). */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { page = [] } = await params
  const origin = await currentOrigin()
  const context = { origin, config: getConfig() }
  const [first, ...rest] = page
  if (first === 'agents') return respondWithText(request, writeAgentPage(rest.join('/'), context), 'text/markdown')
  const docsPage = findPage(page.join('/'), context)
  return respondWithText(request, docsPage && writeMarkdown(docsPage, { origin }), 'text/markdown')
}
