import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getDraining } from '../../../../lib/http/limits/process-limits'
import { placeSingleton } from '../../../../lib/registry'
import { startServer, type TestServer } from '../harness'

let server: TestServer

beforeEach(async () => {
  placeSingleton('draining', { hasBegun: false, refusesRequests: false })
  server = await startServer(() => new Response(null, { status: 503 }))
})
afterEach(() => server.close())

describe('a server that shuts down', () => {
  it('responds to clients that connected while it was busy, when it closes its port', async () => {
    const drained = server.drain({ leastMs: 20, maxMs: 40 })
    const clients = Array.from({ length: 20 }, () => connect(server.port, '127.0.0.1'))
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    // The system completes the connections meanwhile. When the server reads them, the time to close has come too.
    for (const until = performance.now() + 60; performance.now() < until;);
    const responses = await Promise.all(clients.map(async client => String(await once(client, 'data'))))
    expect(responses).toHaveLength(20)
    for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 503 [^]*\r\nConnection: close\r\n/i)
    await drained
  })

  it('reports it first, and refuses requests once load balancers had time to notice', async () => {
    const drained = server.drain({ noticeMs: 1500, leastMs: 20, maxMs: 40 })
    expect(getDraining()).toEqual({ hasBegun: true, refusesRequests: false })
    const response = await fetch(`http://127.0.0.1:${server.port}/api/external/pdf-tools/rotate-pdf`, {
      method: 'POST',
    })
    // This response was sent while the server still accepted requests.
    expect(getDraining()).toEqual({ hasBegun: true, refusesRequests: false })
    expect(response.headers.get('connection')).toBe('close')
    await drained
    expect(getDraining()).toEqual({ hasBegun: true, refusesRequests: true })
  })
})
