import { serve } from '../../../../../lib/http/serve'
import { findPdfToolOperation } from '../../../../../lib/operations/all'

interface Context {
  params: Promise<{ toolId: string }>
}

async function reply(_request: Request, { params }: Context): Promise<Response> {
  return serve(findPdfToolOperation((await params).toolId))
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
