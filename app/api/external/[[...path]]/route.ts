import { serve } from '../../../../lib/http/serve'
import { refuseUnknownPath } from '../../../../lib/operations/all'

function reply(): Promise<Response> {
  return serve(refuseUnknownPath())
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
