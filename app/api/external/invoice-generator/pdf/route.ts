import { serve } from '../../../../../lib/http/serve'
import { invoiceOperation } from '../../../../../lib/operations/invoice'

function answer(): Promise<Response> {
  return serve(invoiceOperation)
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
