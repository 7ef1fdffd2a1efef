import { serve } from '../../../../lib/http/serve'
import { refuseUnknownPath } from '../../../../lib/operations/all'

function respond(): Promise<Response> {
  return serve(refuseUnknownPath())
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
