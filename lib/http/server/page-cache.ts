import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Config } from '../../config'
import { siteOrigin } from '../../site-origin'
import { PATH_HEADER } from './path-header'

type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void

/** A response that every visitor gets. */
interface Page {
  /** Headers of the first response, without those of its connection. */
  headers: OutgoingHttpHeaders
  tag: string
  /** Compressed with gzip. */
  body: Buffer
}

/** Pages of the documentation as HTML or Markdown, which are the same for everyone. */
const CACHED = /^\/docs(?:\/[a-z0-9/-]+)?(?:\.md)?$/
const HTML_CACHING = 'public, max-age=60, stale-while-revalidate=600'
/** More than the pages of the documentation in both formats, at two addresses of this server. */
const MOST_PAGES = 400

/**
 * Returns a handler that keeps the pages of the documentation in memory: `handle` writes each page once for each address
 * of the server, as for a visitor without cookies. Pages get an `ETag`, and a policy that allows their scripts by hashes,
 * because a page that is kept can't have a fresh nonce.
 */
export function cachePages(handle: Handle, config: Pick<Config, 'PUBLIC_URL' | 'PORT'>): Handle {
  const pages = new Map<string, Promise<Page | undefined>>()
  return async (req, res) => {
    const { method, url = '', headers } = req
    if ((method !== 'GET' && method !== 'HEAD') || !CACHED.test(url)) return handle(req, res)
    const key = `${siteOrigin(headers.host, config)} ${acceptsMarkdown(req) ? 'markdown' : 'html'} ${url}`
    const known = pages.get(key)
    if (known) {
      const page = await known
      return page ? send(req, res, page) : handle(req, res)
    }
    const page = capture(req, res, handle)
    pages.set(
      key,
      page.catch(() => undefined),
    )
    const oldest = pages.keys().next()
    if (pages.size > MOST_PAGES && !oldest.done) pages.delete(oldest.value)
    // A missing page, or one that failed, is written anew for each request.
    try {
      if ((await page) === undefined) pages.delete(key)
    } catch (error) {
      pages.delete(key)
      throw error
    }
  }
}

/**
 * Headers that a page may depend on: the server's name, and what the server itself adds. With any other header, a
 * visitor could choose what others get: `RSC`, for example, requests another format.
 */
const KEPT_HEADERS = new Set(['host', 'content-security-policy', PATH_HEADER])

function acceptsMarkdown({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/markdown') ?? false
}

/** Lets `handle` write a page into memory, then sends it. Sends any other response than 200 as it is, without a result. */
async function capture(req: IncomingMessage, res: ServerResponse, handle: Handle): Promise<Page | undefined> {
  const original = { method: req.method, headers: req.headers }
  req.method = 'GET'
  const isMarkdown = acceptsMarkdown(req)
  req.headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => KEPT_HEADERS.has(name)))
  req.headers.accept = isMarkdown ? 'text/markdown' : 'text/html'
  req.headers['user-agent'] = 'Sheaf' // Next.js sends titles late to clients without a name.
  const written = collect(res)
  try {
    // Next.js waits for the end of the response, which comes only when `send` has written it.
    const handled = Promise.resolve().then(() => handle(req, res))
    if (!(await Promise.race([written.ended, handled.then(() => written.ended)]))) return undefined
  } finally {
    written.restore()
    Object.assign(req, original)
  }
  const body = written.body()
  if (res.statusCode !== 200) {
    res.end(req.method === 'HEAD' ? undefined : body)
    return undefined
  }
  const page = await makePage(res, body)
  await send(req, res, page)
  return page
}

/** Replaces the methods that write a response, until `restore`. */
function collect(res: ServerResponse) {
  const { write, end, writeHead, flushHeaders } = res
  const chunks: Buffer[] = []
  const add = (chunk: unknown, encoding?: unknown) => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const callBack = (given: unknown[]) => {
    const callback = given.find(one => typeof one === 'function') as (() => void) | undefined
    if (callback) queueMicrotask(callback)
  }
  // False if the client left before the end.
  const ended = new Promise<boolean>(resolve => {
    res.once('close', () => resolve(false))
    Object.assign(res, {
      write: (...given: unknown[]) => {
        add(given[0], given[1])
        callBack(given)
        return true
      },
      end: (...given: unknown[]) => {
        add(given[0], given[1])
        callBack(given)
        resolve(true)
        return res
      },
      writeHead: (status: number, ...given: unknown[]) => {
        res.statusCode = status
        const headers = given.findLast(one => typeof one === 'object' && one !== null)
        for (const [name, value] of Object.entries((headers ?? {}) as Record<string, OutgoingHttpHeader>))
          res.setHeader(name, value)
        return res
      },
      flushHeaders: () => undefined,
    })
  })
  return {
    ended,
    body: () => Buffer.concat(chunks),
    restore: () => Object.assign(res, { write, end, writeHead, flushHeaders }),
  }
}

/** Headers that belong to one response, or that `send` writes. */
const OWN_HEADERS = [
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
  'etag',
  'x-request-id',
  'set-cookie',
]

async function makePage(res: ServerResponse, written: Buffer): Promise<Page> {
  const headers = Object.fromEntries(
    Object.entries(res.getHeaders()).filter(([name]) => !OWN_HEADERS.includes(name)),
  ) as OutgoingHttpHeaders
  const policy = headers['content-security-policy'] ?? ''
  const isHtml = String(headers['content-type'] ?? '').startsWith('text/html')
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  let body = written
  if (isHtml && nonce !== undefined) {
    const html = written.toString('utf8').replaceAll(` nonce="${nonce}"`, '').replaceAll(nonce, '')
    if (headers['link'] !== undefined) headers['link'] = String(headers['link']).replaceAll(` nonce="${nonce}";`, '')
    headers['content-security-policy'] = policy.replace(`'nonce-${nonce}'`, hashScripts(html).join(' '))
    body = Buffer.from(html)
  }
  headers['vary'] = 'Accept, Accept-Encoding'
  if (isHtml) headers['cache-control'] = HTML_CACHING
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { headers, tag, body: await promisify(gzip)(body) }
}

/** Returns the sources of a policy (CSP3, 2.3.1) that allow the scripts inside a page. */
function hashScripts(html: string): string[] {
  const hashes = new Set<string>()
  let end = 0
  for (let at = html.indexOf('<script', end); at >= 0; at = html.indexOf('<script', end)) {
    const start = html.indexOf('>', at) + 1
    end = html.indexOf('</script>', start)
    const text = html.slice(start, end)
    // A script with a URL has no text.
    if (text !== '') hashes.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  }
  return [...hashes]
}

async function send(req: IncomingMessage, res: ServerResponse, { headers, tag, body }: Page): Promise<void> {
  // The security headers of this response contain a nonce that the page doesn't have.
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.setHeader('ETag', tag)
  if (req.headers['if-none-match']?.includes(tag)) {
    res.removeHeader('Content-Type')
    res.writeHead(304).end()
    return
  }
  const isGzip = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
  const bytes = isGzip ? body : await promisify(gunzip)(body)
  if (isGzip) res.setHeader('Content-Encoding', 'gzip')
  res.setHeader('Content-Length', bytes.length)
  res.writeHead(200)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}
