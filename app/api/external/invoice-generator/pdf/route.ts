import { serve } from '../../../../../lib/http/serve'
import { invoiceOperation } from '../../../../../lib/operations/invoice'

function respond(): Promise<Response> {
  return serve(invoiceOperation)
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
