import { EngineError } from '../../errors'
import { findAllowedHost, parseAllowedHosts } from '../egress/allowed-hosts'
import type { AllowedHosts } from '../egress/allowed-hosts'
import { isPrivateHost } from '../egress/public-address'

/** Maximum size in UTF-8 of a page that is sent as text. */
export const MAX_HTML_BYTES = 10 * 2 ** 20
/** Maximum size of a page that is sent as a file. */
export const MAX_FILE_BYTES = 25 * 2 ** 20
/** Maximum number of files and folders of a page that is sent as a ZIP. */
export const MAX_ARCHIVE_FILES = 2000
/** Maximum size of all its files together. */
export const MAX_UNPACKED_BYTES = 100 * 2 ** 20
/** Maximum length of a path in it. */
export const MAX_PATH_BYTES = 1024
const MAX_URL_LENGTH = 2048
const ZIP_START = 'PK\u0003\u0004'
const PAGE_NAMES = /\.(html?|xhtml|svg|txt)$/i

/** The page to print: a public URL, a file that the caller sent, or a ZIP that an engine has checked. */
export type PageSource =
  | { kind: 'url'; url: string }
  | { kind: 'file'; path: string; bytes: Uint8Array; baseUrl: string | undefined }
  | { kind: 'archive'; zip: Uint8Array; index: Uint8Array; baseUrl: string | undefined }

/**
 * The job that checks a zipped page. Its only file is the ZIP, and its result is the index of the archive. Throws
 * EngineError `damaged` and `too_large` with the parameter `file`.
 */
export const INDEX_ARCHIVE_JOB = 'index-archive'

/** How to open a page that was sent as a file. */
interface FileOpening {
  baseUrl: string | undefined
  /** Runs the job INDEX_ARCHIVE_JOB on a ZIP. */
  indexArchive(zip: Uint8Array): Promise<Uint8Array>
}

/** The hosts that an operator allows. See `parseAllowedHosts`. */
export type Allowed = AllowedHosts

/**
 * Reads the operator's list of hosts that pages may reach although they aren't public. Throws an Error that names an
 * invalid entry.
 */
export function readAllowedHosts(list: string): Allowed {
  return parseAllowedHosts(list)
}

/** Returns why the URL of a page is invalid, without resolving it. Undefined if the URL can be requested. */
export function findUrlProblem(text: string, allowed: Allowed): string | undefined {
  const shown = JSON.stringify(text.slice(0, 100))
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters. Got ${text.length}.`
  const url = /^\s*https?:\/\//i.test(text) ? parseUrl(text) : undefined
  if (!url) return `must be an absolute URL, such as "https://example.com/page". Got ${shown}.`
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password. Send them in httpAuth.'
  if (isAllowed(url, allowed) || !isPrivateHost(url.hostname)) return undefined
  return `must have a public host. Got ${shown}.`
}

/** Returns the URL in the spelling of browsers. Expects a URL that `findUrlProblem` accepts. */
export function normalizeUrl(text: string): string {
  return new URL(text.trim()).href
}

/** Returns why a page file is invalid, based on its size and name. */
export function findFileProblem({ name, byteLength }: { name: string; byteLength: number }): string | undefined {
  if (byteLength === 0) return 'is empty. Send an HTML file.'
  if (byteLength > MAX_FILE_BYTES) return `must be at most ${MAX_FILE_BYTES / 2 ** 20} MB. Got ${byteLength} bytes.`
  if (PAGE_NAMES.test(name) || /\.zip$/i.test(name)) return undefined
  return (
    'must be a .html, .htm, .xhtml, .svg or .txt file, or a .zip with an index.html. Got ' +
    `${JSON.stringify(name.slice(0, 100))}.`
  )
}

/** Creates the source of a page that was sent as text. */
export function openHtml(html: string, baseUrl: string | undefined): PageSource {
  const bytes = Buffer.from(html.startsWith('\ufeff') ? html : `\ufeff${html}`)
  return { kind: 'file', path: '/index.html', bytes, baseUrl }
}

/**
 * Creates the source of a page that was sent as a file. A ZIP file stays packed here, because unpacking is work for an
 * engine. Throws EngineError `damaged` with the parameter `file`, and whatever `indexArchive` throws.
 */
export async function openFile(
  { name, chunks }: { name: string; chunks: Uint8Array[] },
  { baseUrl, indexArchive }: FileOpening,
): Promise<PageSource> {
  const bytes = Buffer.concat(chunks)
  const isArchive = bytes.subarray(0, ZIP_START.length).toString('latin1') === ZIP_START
  if (isArchive) return { kind: 'archive', zip: bytes, index: await indexArchive(bytes), baseUrl }
  if (/\.zip$/i.test(name))
    throw new EngineError('damaged', "has the extension .zip, but isn't a ZIP. Create it again.", { param: 'file' })
  const path = `/index${(PAGE_NAMES.exec(name)?.[0] ?? '.html').toLowerCase()}`
  return { kind: 'file', path, bytes, baseUrl }
}

function isAllowed({ hostname, port, protocol }: URL, allowed: Allowed): boolean {
  return findAllowedHost(allowed, hostname, Number(port) || (protocol === 'https:' ? 443 : 80)) !== undefined
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
}
