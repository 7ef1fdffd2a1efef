import { serve } from '../../../../../lib/http/serve'
import { findPdfToolOperation } from '../../../../../lib/operations/all'

interface Context {
  params: Promise<{ toolId: string }>
}

async function answer(_request: Request, { params }: Context): Promise<Response> {
  return serve(findPdfToolOperation((await params).toolId))
}

export {
  answer as GET,
  answer as HEAD,
  answer as POST,
  answer as PUT,
  answer as PATCH,
  answer as DELETE,
  answer as OPTIONS,
}
