import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { extname } from 'node:path/posix'
import { addBase } from './base-element'

/** The files of a page, with the paths that its web server would use. */
export interface PageSite {
  /** Files by path. A path begins with `/` and isn't percent-encoded. */
  files: ReadonlyMap<string, SiteContent>
  /** Path of the page. */
  entry: string
  /** The base URL of the page. Only pages in HTML get it. */
  baseUrl?: string | undefined
}

/** The content of a file, which may be packed until the page requests it. */
export interface SiteContent {
  /** The bytes as they are stored. */
  stored: Uint8Array
  read(): Promise<Uint8Array>
}

/** A file with its content type. */
interface SiteFile {
  contentType: string
  bytes: Uint8Array
}

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.otf': 'font/otf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
}

const DECLARES_CHARSET = /<meta[^>]+charset|<\?xml[^>]+encoding/i
const LOOKED_AT_BYTES = 1024 // Browsers search for a charset declaration in this many bytes (HTML, 13.2.3.2).

/** Creates a site with a single file. */
export function createPageSite(entry: string, bytes: Uint8Array): PageSite {
  return { files: new Map([[entry, { stored: bytes, read: () => Promise.resolve(bytes) }]]), entry }
}

/**
 * Returns the host that serves a site. The same files get the same host, so links into the page itself are the same in
 * every print. A host below `localhost` is a secure context and isn't sent to any resolver.
 */
export function nameSite({ files, entry, baseUrl = '' }: PageSite): string {
  const hash = createHash('sha256').update(`${entry}\0${baseUrl}`)
  for (const [path, { stored }] of files) hash.update(`\0${path}\0${stored.length}\0`).update(stored)
  return `${hash.digest('hex').slice(0, 24)}.localhost`
}

/** Returns the file at the path of a URL. Undefined if there is none. Rejects with an Error of zlib if it is damaged. */
export async function findSiteFile(site: PageSite, pathname: string): Promise<SiteFile | undefined> {
  const path = findPath(site, pathname)
  const content = path === undefined ? undefined : site.files.get(path)
  if (path === undefined || !content) return undefined
  const bytes = withBase(site, path, await content.read())
  return { contentType: describeType(path, bytes), bytes }
}

/** The path of the file that a URL stands for: the file itself, or the index of a folder. */
function findPath({ files }: PageSite, pathname: string): string | undefined {
  const path = decodePath(pathname)
  if (path === undefined) return undefined
  return [path, `${path.replace(/\/$/, '')}/index.html`].find(one => files.has(one))
}

function withBase({ entry, baseUrl }: PageSite, path: string, bytes: Uint8Array): Uint8Array {
  return baseUrl !== undefined && path === entry && /\.html?$/.test(path) ? addBase(bytes, baseUrl) : bytes
}

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined // The path has invalid percent-encoding, so no file has this name.
  }
}

/** Adds the charset to UTF-8 text without a declaration, because browsers otherwise assume Windows-1252. */
function describeType(path: string, bytes: Uint8Array): string {
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  if (!type.startsWith('text/')) return type
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT_BYTES)).toString('latin1')
  const declaresCharset = type === 'text/html' && DECLARES_CHARSET.test(head)
  return declaresCharset || !isUtf8(bytes) ? type : `${type}; charset=utf-8`
}
