import { serve } from '../../../../../lib/http/serve'
import { webpageOperation } from '../../../../../lib/operations/webpage'

function response(): Promise<Response> {
  return serve(webpageOperation)
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
