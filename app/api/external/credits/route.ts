import { serveCredits } from '../../../../lib/http/serve-credits'

export const dynamic = 'force-dynamic'

/** Responds with the balance of the key's account. */
function handle(): Promise<Response> {
  return serveCredits()
}

export {
  handle as GET,
  handle as HEAD,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as OPTIONS,
}
