import { serve } from '../../../../../lib/http/serve'
import { findPdfToolOperation } from '../../../../../lib/operations/all'

interface Context {
  params: Promise<{ toolId: string }>
}

async function respond(_request: Request, { params }: Context): Promise<Response> {
  return serve(findPdfToolOperation((await params).toolId))
}

export {
  respond as GET,
  respond as HEAD,
  respond as POST,
  respond as PUT,
  respond as PATCH,
  respond as DELETE,
  respond as OPTIONS,
}
