import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cachePages } from '../../../../lib/http/server/page-cache'

const SCRIPT = 'self.data = "<b>"'
let rendered: string[] = []
let foreign: string[] = []
let server: Server

beforeAll(async () => {
  const handle = cachePages(
    async (req, res) => {
      rendered.push(`${req.headers.host} ${req.url} ${req.headers.cookie ?? 'no cookie'}`)
      foreign.push(...Object.keys(req.headers).filter(name => !['host', 'accept', 'user-agent'].includes(name)))
      if (req.url === '/docs/missing') {
        res.writeHead(404, { 'Content-Type': 'text/plain' })
        res.end('missing')
        return
      }
      if (req.url === '/docs/broken') throw new Error('broken')
      const nonce = `n${rendered.length}`
      res.setHeader('Content-Security-Policy', `script-src 'self' 'nonce-${nonce}'`)
      res.setHeader('Cache-Control', 'private, no-store')
      res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      res.write(`<p>${req.url}</p>`)
      const finished = once(res, 'finish')
      res.end(`<script nonce="${nonce}">${SCRIPT}</script><script src="/a.js" nonce="${nonce}"></script>`)
      await finished // as Next.js does
    },
    { PUBLIC_URL: undefined, PORT: 3000 },
  )
  server = createServer((req, res) => {
    Promise.resolve(handle(req, res)).catch(() => res.writeHead(500).end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  rendered = []
  foreign = []
})
afterAll(() => server.close())

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

function get(path: string, { method = 'GET', ...headers }: Record<string, string> = {}): Promise<Answer> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    request({ port, path, method, headers, host: '127.0.0.1' }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('pages of the documentation', () => {
  it('are written once for each address, without the cookies of the visitor', async () => {
    const answers = await Promise.all([
      get('/docs/one', { host: 'localhost:1', cookie: 'session=1' }),
      get('/docs/one', { host: 'localhost:1', cookie: 'session=2' }),
    ])
    answers.push(await get('/docs/one', { host: 'localhost:1' }))
    expect(rendered).toEqual(['localhost:1 /docs/one no cookie'])
    for (const { body } of answers) expect(body.equals(answers[0]?.body ?? Buffer.alloc(0))).toBe(true)
    await get('/docs/one', { host: 'localhost:2' })
    expect(rendered.length).toBe(2)
    // A foreign name is never repeated in a page, so it makes no page of its own.
    await get('/docs/one', { host: 'a.example' })
    await get('/docs/one', { host: 'b.example' })
    expect(rendered.length).toBe(3)
  })

  it('do not depend on other headers of the visitor', async () => {
    const { body } = await get('/docs/five', {
      rsc: '1',
      'x-forwarded-host': 'evil.example',
      accept: 'text/x-component',
    })
    expect(foreign).toEqual([])
    expect((await get('/docs/five')).body.equals(body)).toBe(true)
  })

  it('have an ETag, can be used again, and answer with 304', async () => {
    const first = await get('/docs/two')
    expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=60, stale-while-revalidate=600' })
    const again = await get('/docs/two', { 'if-none-match': String(first.headers['etag']) })
    expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 })
    expect((await get('/docs/two', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('allow their scripts by hash, because their policy must not change', async () => {
    const { headers, body } = await get('/docs/three')
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(headers['content-security-policy']).toBe(`script-src 'self' 'sha256-${hash}'`)
    expect(body.toString()).not.toContain('nonce')
    expect((await get('/docs/three')).headers['content-security-policy']).toBe(headers['content-security-policy'])
  })

  it('are compressed for clients that accept it, and have no body for HEAD', async () => {
    const plain = await get('/docs/four')
    const packed = await get('/docs/four', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    const head = await get('/docs/four', { method: 'HEAD' })
    expect({ status: head.status, length: head.body.length }).toEqual({ status: 200, length: 0 })
    expect(head.headers['content-length']).toBe(String(plain.body.length))
  })

  it('that do not exist are not kept, and other paths never', async () => {
    for (let count = 0; count < 2; count++) {
      expect((await get('/docs/missing')).status).toBe(404)
      expect((await get('/docs/broken')).status).toBe(500)
    }
    for (const path of ['/docs/one?x=1', '/account', '/docs/One']) await get(path, { cookie: 'c' })
    expect(rendered.filter(line => line.includes('missing')).length).toBe(2)
    expect(rendered.filter(line => line.endsWith(' c')).length).toBe(3)
  })
})
