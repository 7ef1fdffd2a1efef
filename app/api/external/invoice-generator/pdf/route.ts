import { serve } from '../../../../../lib/http/serve'
import { invoiceOperation } from '../../../../../lib/operations/invoice'

function reply(): Promise<Response> {
  return serve(invoiceOperation)
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
