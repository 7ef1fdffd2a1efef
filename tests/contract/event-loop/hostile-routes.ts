import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HostileRequest, JSON_HEADERS, writeJson } from './hostile-request'
import { type HostileText, SHARP_TEXTS } from './hostile-texts'
import { STRUCTURES } from './hostile-structures'

/** Node.js limits the head of a request to 16 KB, with the cookie of the session. */
const HEAD_LENGTH = 12_000
/** Forms of the account area have at most 16 KB. */
const FORM_LENGTH = 15_000
const OUTLINE_BYTES = 1_900_000

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
/** These routes end the session, so they come last. */
const ENDING = /\/(sign-out-everywhere|delete)\/route\.ts$/

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name))
const SOURCES = [...sources('app'), ...sources('lib')]
const ROUTES = SOURCES.filter(path => /\/(route\.ts|page\.tsx)$/.test(path))
const lastOf = (path: string) => (ENDING.test(path) ? 1 : 0)

/** Names that the sources read from an object, such as `form['email']`. */
function listNames(pattern: RegExp): string[] {
  const found = SOURCES.flatMap(path => [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name = '']) => name))
  return [...new Set(found)]
}

/** Every route and page of the server, with hostile paths, query strings, forms and JSON. */
export function* listRouteRequests(): Generator<HostileRequest> {
  for (const source of ROUTES.toSorted((a, b) => lastOf(a) - lastOf(b))) {
    yield* listTargets(source)
    if (/\bPOST\b/.test(readFileSync(source, 'utf8'))) yield* listSmallForms(source)
  }
}

/** Every header that the sources read, and those that Node.js and Next.js read. */
export function* listHeaderRequests(): Generator<HostileRequest> {
  const read = [/headers\['([a-z-]+)'\]/g, /\bget\('([a-z-]+)'\)/g].flatMap(listNames)
  const names = [...new Set([...read, ...COMMON_HEADERS])].filter(name => name !== 'content-length')
  for (const [method, path] of PLACES) {
    for (const name of names)
      // Rendering a page takes longer than refusing a request.
      for (const { name: value, make } of SHARP_TEXTS.slice(0, method === 'POST' ? undefined : 2)) {
        const text = `${HEADER_STARTS[name] ?? ''}${make(HEAD_LENGTH)}`
        const type = method === 'POST' ? JSON_HEADERS : {}
        yield { endpoint: path, field: name, value, path, method, headers: { ...type, [name]: text } }
      }
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, '1']))
    yield { endpoint: path, field: 'headers', value: 'many', path, method, headers: many }
  }
}

const PLACES = [
  ['POST', '/api/external/pdf-tools/rotate-pdf'],
  ['GET', '/docs'],
  ['GET', '/account'],
] as const

const COMMON_HEADERS = [
  ...['accept', 'accept-language', 'authorization', 'cookie', 'forwarded', 'if-modified-since', 'range', 'referer'],
  ...['next-action', 'next-router-state-tree', 'next-url', 'rsc', 'sec-fetch-site', 'tracestate', 'baggage'],
  ...['x-forwarded-host', 'x-forwarded-proto', 'x-middleware-subrequest'],
]
/** What a value must start with to be read to its end. */
const HEADER_STARTS: Record<string, string> = {
  'content-type': 'multipart/form-data; boundary=',
  prefer: 'handling=',
  cookie: 'session=',
}

function* listTargets(source: string): Generator<HostileRequest> {
  const names = ['problem', 'next', 'after', 'purchase', 'request', 'new', 'q']
  for (const text of SHARP_TEXTS) {
    const value = encodeURIComponent(text.make(HEAD_LENGTH)).slice(0, HEAD_LENGTH).replace(/%.?$/, '')
    const each = encodeURIComponent(text.make(HEAD_LENGTH / names.length / 3))
    yield get(source, 'query', text, `${writePath(source, 'a')}?${names.map(name => `${name}=${each}`).join('&')}`)
    if (source.includes('[')) yield get(source, 'path', text, writePath(source, value))
  }
  const [letters] = SHARP_TEXTS as [HostileText]
  const many = Array.from({ length: 2000 }, (_, index) => `a${index}=`).join('&')
  yield get(source, 'query', { ...letters, name: 'many names' }, `${writePath(source, 'a')}?${many}`)
  if (source.includes('[')) {
    const segments = writePath(source, 'a/'.repeat(HEAD_LENGTH / 2).slice(0, -1))
    yield get(source, 'path', { ...letters, name: 'many segments' }, segments)
  }
}

function get(source: string, field: string, { name: value }: HostileText, path: string): HostileRequest {
  return { endpoint: `GET ${writePath(source, '*')}`, field, value, path, method: 'GET' }
}

function* listSmallForms(source: string): Generator<HostileRequest> {
  const path = writePath(source, 'credentials')
  const names = [...listNames(/form\['(\w+)'\]/g), 'dollars', 'monthlyLimit', 'card', 'csrfToken', 'callbackUrl']
  const send = (field: string, value: string, headers: Record<string, string>, body: () => string): HostileRequest => ({
    endpoint: `POST ${path}`,
    field,
    value,
    path,
    headers,
    body,
  })
  for (const text of SHARP_TEXTS) {
    const value = text.make(FORM_LENGTH / names.length / 3)
    const fields = Object.fromEntries(names.map(name => [name, value]))
    yield send('all JSON fields', text.name, JSON_HEADERS, () => JSON.stringify(fields))
    yield send('all form fields', text.name, FORM_TYPE, () => new URLSearchParams(fields).toString())
    yield send('email', text.name, JSON_HEADERS, () => JSON.stringify({ ...fields, email: text.make(FORM_LENGTH / 2) }))
  }
  for (const { name, make, raw } of STRUCTURES)
    yield send('body', name, JSON_HEADERS, () => raw?.(FORM_LENGTH) ?? JSON.stringify(make?.(FORM_LENGTH)))
  yield send('form', 'many names', FORM_TYPE, () => 'a=&'.repeat(FORM_LENGTH / 3))
}

/** Sizes of pages and options of the outline in the account area. */
export function* listOutlineRequests(): Generator<HostileRequest> {
  const path = '/api/account/outline'
  const valid = {
    tool: 'header-footer',
    options: {},
    pages: [[1, 1]],
    pageIndex: 0,
    fileName: 'a.pdf',
    metadata: { title: '', author: '', subject: '' },
  }
  const send = (field: string, value: string, body: () => string): HostileRequest => ({
    endpoint: 'outline',
    field,
    value,
    path,
    headers: JSON_HEADERS,
    body,
  })
  for (const field of ['(body)', ...Object.keys(valid), 'dateFormat', 'header'])
    for (const { name, make, raw } of STRUCTURES) {
      const content = () => raw?.(OUTLINE_BYTES) ?? JSON.stringify(make?.(OUTLINE_BYTES))
      if (field === '(body)') yield send(field, name, content)
      else yield send(field, name, () => writeOutline(valid, field, content()))
    }
  for (const text of SHARP_TEXTS)
    for (const field of ['fileName', 'dateFormat', 'header', 'pages'])
      yield send(field, text.name, () => writeOutline(valid, field, JSON.stringify(text.make(OUTLINE_BYTES / 2))))
}

/** The request with one field, of the request itself or of its options, replaced by JSON text. */
function writeOutline(valid: Record<string, unknown>, field: string, json: string): string {
  return field in valid
    ? writeJson({ ...valid, [field]: '@raw@' }, json)
    : writeJson({ ...valid, options: { [field]: '@raw@' } }, json)
}

/** The path of a route, with its parameters replaced. */
function writePath(source: string, parameter: string): string {
  const path = source.replace(/^app/, '').replace(/\/(route\.ts|page\.tsx)$/, '')
  return path.replace(/\[.*\]$/, () => parameter).replace(/\[[^/]*\]/g, 'a') || '/'
}
