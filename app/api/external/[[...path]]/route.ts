import { serve } from '../../../../lib/http/serve'
import { refuseUnknownPath } from '../../../../lib/operations/all'

function response(): Promise<Response> {
  return serve(refuseUnknownPath())
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
