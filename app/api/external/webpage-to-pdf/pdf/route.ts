import { serve } from '../../../../../lib/http/serve'
import { webpageOperation } from '../../../../../lib/operations/webpage'

function answer(): Promise<Response> {
  return serve(webpageOperation)
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
