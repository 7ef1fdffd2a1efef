import { serve } from '../../../../../lib/http/serve'
import { findPdfToolOperation } from '../../../../../lib/operations/all'

interface Context {
  params: Promise<{ toolId: string }>
}

async function response(_request: Request, { params }: Context): Promise<Response> {
  return serve(findPdfToolOperation((await params).toolId))
}

export {
  response as GET,
  response as HEAD,
  response as POST,
  response as PUT,
  response as PATCH,
  response as DELETE,
  response as OPTIONS,
}
