import { serve } from '../../../../lib/http/serve'
import { refuseUnknownPath } from '../../../../lib/operations/all'

function answer(): Promise<Response> {
  return serve(refuseUnknownPath())
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
