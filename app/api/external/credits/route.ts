import { serveCredits } from '../../../../lib/http/serve-credits'

export const dynamic = 'force-dynamic'

/** Responds with the balance of the key's account. */
function reply(): Promise<Response> {
  return serveCredits()
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
