import { createHash } from 'node:crypto'
import { extname } from 'node:path/posix'

/** The files of a page, with the paths that its web server would use. */
export interface PageSite {
  /** File contents by path. A path begins with `/` and isn't percent-encoded. */
  files: ReadonlyMap<string, Uint8Array>
  /** Path of the page. */
  entry: string
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

/** Creates a site with a single HTML page. */
export function createPageSite(html: string): PageSite {
  return {
    files: new Map([['/index.html', Buffer.from(html.startsWith('\ufeff') ? html : `\ufeff${html}`)]]),
    entry: '/index.html',
  }
}

/**
 * Adds a base URL to a page. The element is inserted directly after the document type, where it becomes part of the
 * existing or implied head.
 */
export function addBase(html: string, baseUrl: string): string {
  const start = /^\ufeff?(?:\s|<!--[\s\S]*?-->)*(?:<!doctype[^>]*>)?/i.exec(html)?.[0].length ?? 0
  const base = `<base href="${baseUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
  return `${html.slice(0, start)}${base}${html.slice(start)}`
}

/**
 * Returns the host that serves a site. The same files get the same host, so links into the page itself are the same in
 * every print. A host below `localhost` is a secure context and isn't sent to any resolver.
 */
export function nameSite({ files, entry }: PageSite): string {
  const hash = createHash('sha256').update(entry)
  for (const [path, bytes] of files) hash.update(`\0${path}\0${bytes.length}\0`).update(bytes)
  return `${hash.digest('hex').slice(0, 24)}.localhost`
}

/** Returns the file at the path of a URL. Undefined if there is none. */
export function findSiteFile({ files }: PageSite, pathname: string): SiteFile | undefined {
  const path = decodePath(pathname)
  const bytes = path === undefined ? undefined : (files.get(path) ?? files.get(`${path.replace(/\/$/, '')}/index.html`))
  return bytes && path !== undefined
    ? { contentType: describeType(files.has(path) ? path : 'index.html', bytes), bytes }
    : undefined
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

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
