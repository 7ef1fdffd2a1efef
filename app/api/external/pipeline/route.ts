import { serve } from '../../../../lib/http/serve'
import { pipelineOperation } from '../../../../lib/operations/pipeline'

function reply(): Promise<Response> {
  return serve(pipelineOperation)
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
