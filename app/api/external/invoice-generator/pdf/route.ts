import { serve } from '../../../../../lib/http/serve'
import { invoiceOperation } from '../../../../../lib/operations/invoice'

function response(): Promise<Response> {
  return serve(invoiceOperation)
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
