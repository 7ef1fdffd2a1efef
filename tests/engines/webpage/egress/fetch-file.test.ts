import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFileFetcher, type FileFetcher } from '../../../../engines/webpage/egress/fetch-file'
import { findFileUrlProblem, followRedirect } from '../../../../engines/webpage/egress/file-url'
import { parseAllowedHosts } from '../../../../engines/webpage/egress/allowed-hosts'
import { type Canary, startCanary } from '../../../support/site'
import { waitFor } from '../../../support/wait-for'

const SECRET = 'X-Signature=SECRETWORDS'

/** What the server writes for each path. */
const RESPONSES: Record<string, string | ((socket: Socket) => void)> = {
  '/good': 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ncontent',
  '/chunked': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n',
  '/identity': 'HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 7\r\n\r\ncontent',
  '/empty': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  '/missing': 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
  '/broken': 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n',
  '/part': 'HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\ncon',
  '/gzip': 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\ncontent',
  '/gzip-transfer': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\ncon\r\n0\r\n\r\n',
  '/no-end': 'HTTP/1.1 200 OK\r\n\r\ncontent',
  '/cut': 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ncontent',
  '/cut-chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\ncontent\r\n',
  '/longer': 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ncontent and more that nobody announced',
  '/noise': 'SSH-2.0-OpenSSH\r\n',
  '/switch': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  '/silent': () => {},
  '/half-a-head': socket => void socket.write('HTTP/1.1 200 OK\r\nContent-'),
  '/stuck': socket => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncontent'),
  // Their connections stay open.
  '/open-error': socket => void socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nno'),
  '/open-redirect': socket => void socket.write(`HTTP/1.1 302 Found\r\nLocation: /good\r\nContent-Length: 9\r\n\r\n`),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-private': redirect(`http://10.0.0.7/?${SECRET}`),
  '/to-credentials': redirect(`http://user:${SECRET}@public.test/good`),
  '/to-data': redirect('data:text/plain,content'),
  '/to-nothing': 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n',
  '/relative': redirect('good'),
  '/to-utf8': redirect('/gr\u00fc\u00dfe'),
  '/gr%C3%BC%C3%9Fe': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi ü',
}

function redirect(location: string): string {
  return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

let server: Server
let canary: Canary
let port: number
let heads: string[] = []
/** Names that were resolved. */
let asked: string[] = []
const sockets = new Set<Socket>()

beforeAll(async () => {
  canary = await startCanary()
  server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (data: Buffer) => {
      const head = data.toString('latin1')
      heads.push(head)
      const path = /^GET (\S*?)(?:\?\S*)? /.exec(head)?.[1] ?? ''
      const [, hops] = /^\/hops\/(\d+)$/.exec(path) ?? []
      if (hops !== undefined) socket.end(redirect(hops === '1' ? '/good' : `/hops/${Number(hops) - 1}`))
      else if (path === '/to-canary') socket.end(redirect(`http://127.0.0.1:${canary.port}/?${SECRET}`))
      else {
        const response = RESPONSES[path]
        if (typeof response === 'function') response(socket)
        else socket.end(response ?? '')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo) // The server listens on a port.
})

afterEach(() => {
  heads = []
  asked = []
})

afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
  return canary.close()
})

/** Names that a hostile name server resolves to addresses that aren't public. */
const NAMES: Record<string, string[]> = {
  'loopback.test': ['127.0.0.1'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'six.test': ['::1'],
  'own.test': ['93.184.216.35'],
}

function createFetcher(firstByteMs = 10_000): FileFetcher {
  return createFileFetcher({
    allowed: parseAllowedHosts(`public.test=127.0.0.1:${port}`),
    firstByteMs,
    resolve: async name => {
      asked.push(name)
      return NAMES[name] ?? []
    },
    listInterfaces: () => ({ eth0: [{ address: '93.184.216.35', family: 'IPv4' }] }),
  })
}

interface Settings {
  signal?: AbortSignal
  onLength?: (bytes: number) => void
  firstByteMs?: number
}

async function fetchText(url: string, { signal, onLength, firstByteMs }: Settings = {}): Promise<string> {
  const chunks: Uint8Array[] = []
  const fetching = { signal: signal ?? new AbortController().signal, onLength: onLength ?? (() => {}) }
  for await (const chunk of createFetcher(firstByteMs)(url, fetching)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const at = (path: string) => `http://public.test${path}?${SECRET}`

describe('a file by URL', () => {
  it.each(['/good', '/chunked', '/identity', '/relative', '/longer', '/hops/5'])('is fetched from %s', async path => {
    expect(await fetchText(at(path))).toBe('content')
  })

  it('may be empty, and a redirect may be UTF-8', async () => {
    expect(await fetchText(at('/empty'))).toBe('')
    expect(await fetchText(at('/to-utf8'))).toBe('hi ü')
  })

  it('is requested without credentials, cookies, referrer and compression', async () => {
    await fetchText(`${at('/relative')}#fragment`)
    const lines = heads.map(head => head.trimEnd().split('\r\n'))
    expect(lines.map(([first]) => first)).toEqual([`GET /relative?${SECRET} HTTP/1.1`, 'GET /good HTTP/1.1'])
    for (const [, ...fields] of lines)
      expect(fields.sort()).toEqual([
        'Accept-Encoding: identity',
        'Accept: */*',
        'Connection: close',
        'Host: public.test',
        'User-Agent: Sheaf',
      ])
  })

  it.each([
    ['/missing', 'public.test responded with status 404.'],
    ['/broken', 'public.test responded with status 500.'],
    ['/part', 'public.test responded with status 206.'],
    ['/to-nothing', 'public.test responded with status 302.'],
    ['/gzip', 'public.test compressed the file'],
    ['/gzip-transfer', 'public.test compressed the file'],
    ['/no-end', "public.test doesn't say where the file ends."],
    ['/cut', 'public.test closed the connection before the end of the file.'],
    ['/cut-chunks', 'public.test closed the connection before the end of the file.'],
    ['/noise', "public.test can't be reached"],
    ['/switch', "public.test can't be reached"],
    ['/hops/6', 'must have at most 5 redirects. Got more.'],
    ['/to-file', 'public.test redirects to another URL, which must be an absolute URL with https or http'],
    ['/to-data', 'public.test redirects to another URL, which must be an absolute URL with https or http'],
    ['/to-private', 'public.test redirects to another URL, which must have a public host. Got 10.0.0.7.'],
    ['/to-canary', 'public.test redirects to another URL, which must have a public host.'],
    ['/to-credentials', 'public.test redirects to another URL, which must not contain a user name or password.'],
  ])('is refused if the server responds with %s', async (path, message) => {
    const error = await fetchText(at(path)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'EngineError', reason: 'not_fetched' })
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('SECRET')
    expect(String(error)).not.toContain(path)
    expect(canary.touched).toEqual([])
  })

  it.each(Object.keys(NAMES).concat('unknown.test'))('is never fetched from %s', async name => {
    await expect(fetchText(`http://${name}:${canary.port}/?${SECRET}`)).rejects.toMatchObject({
      reason: 'not_fetched',
      message: `${name}:${canary.port} can't be reached at a public address. Check the URL, and the certificate of the server.`,
    })
    expect([canary.touched, asked]).toEqual([[], [name]])
  })

  it.each(['/silent', '/half-a-head'])('is given up if the first byte is late: %s', async path => {
    await expect(fetchText(at(path), { firstByteMs: 30 })).rejects.toMatchObject({
      reason: 'not_fetched',
      message: expect.stringContaining("public.test didn't respond within 0.03 seconds."),
    })
  })

  it.each(['/silent', '/stuck'])('ends with the reason of its signal: %s', async path => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const fetched = fetchText(at(path), { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 30)
    await expect(fetched).rejects.toBe(reason)
  })

  it('is not read if its announced length is too much', async () => {
    const refusal = new Error('too large')
    const lengths: number[] = []
    const onLength = (bytes: number) => {
      lengths.push(bytes)
      throw refusal
    }
    await expect(fetchText(at('/stuck'), { onLength })).rejects.toBe(refusal)
    expect(lengths).toEqual([100])
  })

  it.each(['/open-error', '/open-redirect', '/stuck'])('leaves no connection open: %s', async path => {
    const before = new Set(sockets)
    const onLength = (bytes: number) => {
      if (bytes > 9) throw new Error('too large')
    }
    await fetchText(at(path), { onLength }).catch(() => {})
    const [socket] = [...sockets].filter(one => !before.has(one))
    await waitFor(() => expect(socket?.destroyed).toBe(true))
  })

  it('closes its connection when the reader stops', async () => {
    const signal = new AbortController().signal
    const before = new Set(sockets)
    const content = createFetcher()(at('/stuck'), { signal, onLength() {} })[Symbol.asyncIterator]()
    expect(await content.next()).toMatchObject({ done: false })
    await content.return?.()
    const [socket] = [...sockets].filter(one => !before.has(one))
    await waitFor(() => expect(socket?.destroyed).toBe(true))
  })
})

describe('the URL of a file', () => {
  const check = (url: string) => findFileUrlProblem(url, parseAllowedHosts('127.0.0.1:8080'))

  it.each([
    'https://example.com/a.pdf?x=1',
    'http://example.com:8443/',
    'http://127.0.0.1:8080/',
    'HTTPS://example.com',
  ])('may be %s', url => expect(check(url)).toBeUndefined())

  it.each([
    ['report.pdf', /^must be an absolute URL/],
    ['file:///etc/passwd', /^must be an absolute URL/],
    ['ftp://example.com/', /^must be an absolute URL/],
    ['data:application/pdf;base64,AAAA', /^must be an absolute URL/],
    ['https://', /^must be an absolute URL/],
    ['https://user:pass@example.com/', /^must not contain a user name or password/],
    ['https://user@example.com/', /^must not contain a user name or password/],
    ['http://127.0.0.1/SECRET', /^must have a public host\. Got 127\.0\.0\.1\.$/],
    ['http://2130706433/', /^must have a public host\. Got 127\.0\.0\.1\.$/],
    ['http://10.1.2.3/', /^must have a public host/],
    ['http://[::1]/', /^must have a public host/],
    ['http://[::ffff:127.0.0.1]/', /^must have a public host/],
    ['http://169.254.169.254/latest/meta-data/', /^must have a public host/],
    ['http://localhost:8080/', /^must have a public host/],
    ['http://db.internal/', /^must have a public host/],
  ])('must not be %s', (url, message) => {
    expect(check(url)).toMatch(message)
    expect(check(url)).not.toContain('SECRET')
  })

  it('may lead to https, and never from there to http', () => {
    const follow = (from: string, to: string) => String(followRedirect(new URL(from), to, parseAllowedHosts('')))
    expect(follow('http://a.example/x', 'https://b.example/y')).toBe('https://b.example/y')
    expect(follow('https://a.example/x', '//b.example/y')).toBe('https://b.example/y')
    expect(follow('https://a.example/x', 'http://a.example/SECRET')).toBe(
      "a.example redirects from https to http, which isn't allowed. Send a URL that stays on https.",
    )
  })

  it('has a limit', () => {
    const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'a')
    expect(check(ofLength(8192))).toBeUndefined()
    expect(check(ofLength(8193))).toBe('must be at most 8192 characters. Got 8193.')
  })
})
