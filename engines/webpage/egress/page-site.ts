import { createHash } from 'node:crypto'
import { extname } from 'node:path/posix'

/** Files that a page is made of, as its own web server would hold them. */
export interface PageSite {
  /** Bytes by path; a path begins with `/` and is not encoded. */
  files: ReadonlyMap<string, Uint8Array>
  /** Path of the page. */
  entry: string
}

/** A file as it is answered. */
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
const LOOKED_AT_BYTES = 1024 // as far as browsers look for it (HTML, 13.2.3.2)

/** The site of one page that came as text. */
export function createPageSite(html: string): PageSite {
  return {
    files: new Map([['/index.html', Buffer.from(html.startsWith('\ufeff') ? html : `\ufeff${html}`)]]),
    entry: '/index.html',
  }
}

/**
 * A page's text with a place that its relative addresses count from. It goes in front of everything but the document
 * type, where it belongs to the head that is there or makes one.
 */
export function addBase(html: string, baseUrl: string): string {
  const start = /^\ufeff?(?:\s|<!--[\s\S]*?-->)*(?:<!doctype[^>]*>)?/i.exec(html)?.[0].length ?? 0
  const base = `<base href="${baseUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
  return `${html.slice(0, start)}${base}${html.slice(start)}`
}

/**
 * The host under which a site is served: the same for the same files, so that links into the page itself are the same
 * in every print, and under `localhost`, which makes it a secure context and keeps it out of every resolver.
 */
export function nameSite({ files, entry }: PageSite): string {
  const hash = createHash('sha256').update(entry)
  for (const [path, bytes] of files) hash.update(`\0${path}\0${bytes.length}\0`).update(bytes)
  return `${hash.digest('hex').slice(0, 24)}.localhost`
}

/** The file at a path of a URL; undefined when there is none. */
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
    return undefined // percent signs that stand for nothing: no file has such a name
  }
}

/** Text in UTF-8 is said to be so unless it speaks for itself: browsers take it for Windows-1252 otherwise. */
function describeType(path: string, bytes: Uint8Array): string {
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  if (!type.startsWith('text/')) return type
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT_BYTES)).toString('latin1')
  const speaksForItself = type === 'text/html' && DECLARES_CHARSET.test(head)
  return speaksForItself || !isUtf8(bytes) ? type : `${type}; charset=utf-8`
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
