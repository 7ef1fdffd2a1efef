import { serve } from '../../../../../lib/http/serve'
import { webpageOperation } from '../../../../../lib/operations/webpage'

function respond(): Promise<Response> {
  return serve(webpageOperation)
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
