import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { parseAllowedHosts } from '../../../../engines/webpage/egress/allowed-hosts'
import { EgressProxy } from '../../../../engines/webpage/egress/egress-proxy'
import type { ProxyCredentials, Reachable } from '../../../../engines/webpage/egress/egress-proxy'
import { createEgressPolicy } from '../../../../engines/webpage/egress/egress-policy'
import { createPageSite, nameSite } from '../../../../engines/webpage/egress/page-site'
import { startCanary, startSite } from '../../../support/site'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(
  allowed = '',
  { site, credentials }: Pick<Reachable, 'site'> & { credentials?: ProxyCredentials } = {},
) {
  const egress = await openUnassigned(credentials)
  const policy = createEgressPolicy({
    allowed: parseAllowedHosts(allowed),
    isLocalAddress: () => false,
    resolve: async () => [],
  })
  egress.allow({ policy, site })
  return egress
}

async function openUnassigned(credentials?: ProxyCredentials) {
  const egress = await EgressProxy.open({ listenHost: '127.0.0.1', credentials })
  closing.push(() => egress.close())
  return egress
}

/** Sends a request through a proxy as browsers do. Returns status and body, or the error's code. */
async function ask(
  egress: EgressProxy,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }> {
  const outgoing = request({
    host: '127.0.0.1',
    port: egress.port,
    path: url,
    headers: { host: new URL(url).host, ...headers },
    agent: false,
  }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, body, headers: response.headers }
}

/** Opens a tunnel and returns the first line of the response. */
async function tunnel(egress: EgressProxy, target: string): Promise<string> {
  const socket = connect(egress.port, '127.0.0.1')
  closing.push(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
  return String(first).split('\r\n')[0] ?? ''
}

describe('the proxy of a page', () => {
  it('forwards requests and responses without hop-by-hop headers', async () => {
    const site = await startSite({
      '/a': (_request, response) =>
        response.writeHead(203, { 'x-own': '1', 'set-cookie': ['a=1', 'b=2'], 'proxy-authenticate': 'x' }).end('body'),
    })
    closing.push(site.close)
    const egress = await open(site.host)
    const reply = await ask(egress, `${site.base}/a?b`, {
      'proxy-connection': 'keep-alive',
      'proxy-authorization': 'x',
      'x-mine': '2',
      connection: 'x-hop',
      'x-hop': '3',
    })
    expect(reply).toMatchObject({ status: 203, body: 'body', headers: { 'x-own': '1', 'set-cookie': ['a=1', 'b=2'] } })
    expect(reply.headers['proxy-authenticate']).toBeUndefined()
    expect(site.headersOf('/a')).toMatchObject({ host: site.host, 'x-mine': '2' })
    expect(Object.keys(site.headersOf('/a') ?? {})).not.toEqual(expect.arrayContaining(['x-hop']))
    expect(site.headersOf('/a')?.['proxy-authorization']).toBeUndefined()
  })

  it('reaches nothing private, by request or by tunnel, and records the attempt', async () => {
    const canary = await startCanary()
    closing.push(canary.close)
    const egress = await open()
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '127.1',
      'x.localhost',
      'unknown.test',
      '[::ffff:127.0.0.1]',
    ]) {
      expect(await ask(egress, `http://${host}:${canary.port}/`)).toMatchObject({ status: 502, body: '' })
      expect(await tunnel(egress, `${host}:${canary.port}`)).toContain('502')
    }
    expect(egress.record.hasFailed(`http://127.0.0.1:${canary.port}/#part`)).toBe(true)
    expect(canary.touched).toEqual([])
  })

  it('refuses other ways: foreign schemes, plain paths, upgrades', async () => {
    const egress = await open()
    for (const path of ['ftp://example.com/', '/plain', 'file:///etc/passwd']) {
      const outgoing = request({ host: '127.0.0.1', port: egress.port, path, agent: false }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(400)
      response.resume()
    }
  })

  it('records a response that is cut off', async () => {
    const site = await startSite({
      '/cut': (_request, response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy()),
    })
    closing.push(site.close)
    const egress = await open(site.host)
    await expect(ask(egress, `${site.base}/cut`)).rejects.toThrowError(/aborted|hang up|reset/i)
    expect(egress.record.hasFailed(`${site.base}/cut`)).toBe(true)
  })

  it('opens tunnels to allowed hosts', async () => {
    const site = await startSite({ '/a': 'through' })
    closing.push(site.close)
    const egress = await open(site.host)
    expect(await tunnel(egress, site.host)).toContain('200')
    expect(await tunnel(egress, '127.0.0.1:1')).toContain('502')
  })

  it('serves the files of the request, and only these', async () => {
    const site = createPageSite('/index.html', Buffer.from('<p>own'))
    const host = nameSite(site)
    const egress = await open('', { site: { host, site } })
    expect(await ask(egress, `http://${host}/index.html`)).toMatchObject({ status: 200, body: '<p>own' })
    expect((await ask(egress, `http://${host}/other`)).status).toBe(404)
    expect((await ask(egress, 'http://other.localhost/index.html')).status).toBe(502)
  })

  it('reaches nothing before it is assigned to a request', async () => {
    const site = await startSite({ '/a': 'body' })
    closing.push(site.close)
    const egress = await openUnassigned()
    expect((await ask(egress, `${site.base}/a`)).status).toBe(502)
    expect(await tunnel(egress, site.host)).toContain('502')
    expect(site.requests).toEqual([])
  })

  it('requires credentials if others could reach it', async () => {
    const site = await startSite({ '/a': 'body' })
    closing.push(site.close)
    const egress = await open(site.host, { credentials: { username: 'u', password: 'p' } })
    expect((await ask(egress, `${site.base}/a`)).status).toBe(407)
    expect(
      (await ask(egress, `${site.base}/a`, { 'proxy-authorization': `Basic ${Buffer.from('u:q').toString('base64')}` }))
        .status,
    ).toBe(407)
    expect(
      (await ask(egress, `${site.base}/a`, { 'proxy-authorization': `Basic ${Buffer.from('u:p').toString('base64')}` }))
        .status,
    ).toBe(200)
    expect(await tunnel(egress, site.host)).toContain('407')
  })

  it('limits the number of requests of a page', async () => {
    const egress = await open()
    for (let index = 0; index < 3001; index++) egress.record.begin(3000)
    expect(egress.record.isOverLimit).toBe(true)
    expect((await ask(egress, 'http://93.184.216.34/')).status).toBe(502)
  })
})
