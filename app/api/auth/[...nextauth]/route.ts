import type { NextRequest } from 'next/server'
import { handleAuth } from '../../../../lib/accounts/sign-in/auth-handler'
import { clientAddress } from '../../../../lib/requests/client-address'
import { getConfig } from '../../../../lib/config'
import { getExchange } from '../../../../lib/http-exchange'

export const dynamic = 'force-dynamic'

async function respond(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const { nextauth } = await context.params
  const cookies = Object.fromEntries(request.cookies.getAll().map(cookie => [cookie.name, cookie.value]))
  return handleAuth(request, {
    segments: nextauth,
    cookies,
    clientAddress: clientAddress(getExchange().req, getConfig().TRUSTED_PROXIES),
  })
}

export { respond as GET, respond as POST }
