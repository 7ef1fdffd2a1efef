import { expect, it } from 'vitest'
import { getExchange } from '../../../../lib/http-exchange'
import { writeSecurityHeaders } from '../../../../lib/http/server/security-headers'
import { send, startServer } from '../harness'

const NONCE = /script-src 'self' 'nonce-([A-Za-z0-9+/]{22}==)';/

it('gives each page a unique nonce, and passes the same policy to Next.js', async () => {
  const server = await startServer(() => new Response(String(getExchange().req.headers['content-security-policy'])))
  const responses = [
    await send(server.port, { method: 'GET', path: '/account?x=1' }),
    await send(server.port, { method: 'GET', path: '/' }),
  ]
  await server.close()
  const nonces = responses.map(({ headers }) => NONCE.exec(String(headers['content-security-policy']))?.[1])
  expect(new Set(nonces).size).toBe(2)
  expect(nonces).not.toContain(undefined)
  for (const { headers, bytes } of responses) expect(bytes.toString()).toBe(headers['content-security-policy'])
})

it('lets a client set no policy', async () => {
  const server = await startServer(() => new Response(String(getExchange().req.headers['content-security-policy'])))
  const response = await send(server.port, {
    method: 'GET',
    path: '/',
    headers: { 'content-security-policy': "script-src 'nonce-mine'" },
  })
  await server.close()
  expect(response.bytes.toString()).not.toContain('mine')
})

it("allows no resources for responses that aren't pages", () => {
  for (const path of ['/api/external/pdf-tools/rotate-pdf', '/api/health', '/_next/image']) {
    expect(writeSecurityHeaders(path, { isHttps: false, dev: false })['Content-Security-Policy']).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    )
  }
})

it('allows WebAssembly only in workers, which have a separate policy, and never on pages', () => {
  const policyOf = (path: string) =>
    writeSecurityHeaders(path, { isHttps: false, dev: false })['Content-Security-Policy']
  expect(policyOf('/_next/static/chunks/worker.js')).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'",
  )
  for (const path of ['/account/playground/merge-pdf', '/', '/_next/static', '/api/_next/static/x'])
    expect(policyOf(path)).not.toContain('wasm-unsafe-eval')
})

it('allows eval in development only, and requires HTTPS only if the site uses HTTPS', () => {
  const page = writeSecurityHeaders('/', { isHttps: false, dev: false })
  expect(page['Content-Security-Policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
  expect(page['Strict-Transport-Security']).toBeUndefined()
  expect(writeSecurityHeaders('/', { isHttps: true, dev: true })).toMatchObject({
    'Content-Security-Policy': expect.stringContaining("'unsafe-eval'") as string,
    'Strict-Transport-Security': expect.stringContaining('max-age=31536000') as string,
  })
})
