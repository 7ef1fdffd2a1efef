import { findEndpoint } from '../../../../../lib/docs/endpoints'
import { respondWithText } from '../../../../_server/respond-with-text'
import { describePlaygroundEndpoint } from '../../playground-endpoints'

interface Context {
  params: Promise<{ slug: string }>
}

export const dynamic = 'force-dynamic'

/** Responds with the form of an endpoint, which a step of a pipeline loads. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const endpoint = findEndpoint((await params).slug)
  if (!endpoint) return respondWithText(request, undefined, 'application/json')
  const { fields, frontFields } = describePlaygroundEndpoint(endpoint)
  return respondWithText(request, JSON.stringify({ fields, frontFields }), 'application/json')
}
