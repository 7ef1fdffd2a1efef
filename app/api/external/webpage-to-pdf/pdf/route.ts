import { serve } from '../../../../../lib/http/serve'
import { webpageOperation } from '../../../../../lib/operations/webpage'

function reply(): Promise<Response> {
  return serve(webpageOperation)
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
