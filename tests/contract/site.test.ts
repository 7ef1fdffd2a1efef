import { beforeAll, describe, expect, it } from 'vitest'
import { type AccountSession, signIn } from '../hostile/chaos/sign-in'
import type { RunningService } from '../support/service'
import { type ApiResponse, sendRequest } from './client'
import { type PageHead, readHead, readText } from './page-head'
import { fullService, PUBLIC_URL, TERMS_URL, usualService } from '../support/shared-services'

const EMAIL = 'site@example.test'
const PASSWORD = 'a password for the site'
const PRIVATE_PAGES = [
  '/sign-in',
  '/sign-in?new=1',
  '/sign-in/forgot',
  '/account',
  '/account/credits',
  '/account/calls',
  '/account/playground',
  '/account/playground/merge-pdf',
  '/account/playground/webpage-to-pdf',
  '/account/settings',
]

let service: RunningService
let named: RunningService

beforeAll(async () => {
  service = await usualService()
  named = await fullService()
})

/** Next.js would send the title late to a client with this name. */
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }
const get = (path: string, { base }: Pick<RunningService, 'base'> = service) =>
  sendRequest(base, { path, method: 'GET', headers })
const toText = ({ bytes }: ApiResponse) => bytes.toString('utf8')

async function listSitemap(from: RunningService): Promise<string[]> {
  const response = await get('/sitemap.xml', from)
  expect({ status: response.status, type: response.headers['content-type'] }).toEqual({
    status: 200,
    type: 'application/xml',
  })
  return [...toText(response).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url)
}

describe('robots.txt', () => {
  it('allows public pages and the OpenAPI document, and names the sitemap', async () => {
    const response = await get('/robots.txt')
    expect(response.headers['content-type']).toMatch(/^text\/plain/)
    expect(toText(response).trim().split('\n')).toEqual([
      'User-Agent: *',
      'Allow: /',
      'Allow: /api/openapi.json',
      'Allow: /api/postman.json',
      'Disallow: /api/',
      'Disallow: /account',
      'Disallow: /sign-in',
      '',
      `Sitemap: ${service.base}/sitemap.xml`,
    ])
    expect(toText(await get('/robots.txt', named))).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
  })
})

describe('sitemap.xml', () => {
  it('lists the start page, all pages of the documentation and the status', async () => {
    const [paths, list] = [await listSitemap(service), toText(await get('/llms.txt'))]
    const documented = [...list.matchAll(/\/docs(?:\/[a-z0-9-]+)?(?=\.md)/g)].map(([path]) => path)
    expect(documented.length).toBeGreaterThan(20)
    expect(new Set(paths)).toEqual(new Set(['/', ...documented, '/status'].map(path => service.base + path)))
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('uses PUBLIC_URL if it is set', async () => {
    for (const url of await listSitemap(named)) expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/`))
  })
})

describe('a foreign Host header', () => {
  const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const paths = [
    '/',
    '/llms.txt',
    '/llms-full.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/openapi.json',
    '/api/openapi.json',
    '/api/postman.json',
    '/docs',
    '/docs/merge-pdf',
    '/docs/merge-pdf.md',
    '/docs/mcp.md',
    '/samples',
    '/status',
    '/account',
    '/sign-in?next=/account',
    '/no-such-page',
    '/docs/',
    '/api/auth/providers',
    '/api/external/credits',
    '/api/external/pdf-tools/merge-pdf',
    '/api/external/no-such-path',
    '/mcp',
  ]

  it.each(paths)('is not repeated by %s', async path => {
    for (const method of ['GET', 'POST']) {
      const response = await sendRequest(service.base, { path, method, headers: { ...headers, ...foreign } })
      expect(response.status).toBeLessThan(500)
      expect(toText(response) + JSON.stringify(response.headers)).not.toContain('evil.example')
    }
  })

  it('does not get into samples, which name this server', async () => {
    const list = await sendRequest(service.base, {
      path: '/llms.txt',
      method: 'GET',
      headers: { ...headers, ...foreign },
    })
    expect(toText(list)).toContain(`http://127.0.0.1:${new URL(service.base).port}/docs/merge-pdf.md`)
  })

  it('makes no page of this site, although its name resolves to this server', async () => {
    const rebound = { ...headers, host: 'evil.example', origin: 'http://evil.example' }
    for (const path of ['/api/account/sign-up', '/api/auth/callback/credentials', '/mcp']) {
      const response = await sendRequest(service.base, {
        path,
        method: 'POST',
        headers: { ...rebound, 'content-type': 'application/json' },
        body: '{}',
      })
      expect({ path, status: response.status }).toEqual({ path, status: 403 })
    }
  })
})

describe('every page', () => {
  it('has its own title, a description of 50 to 160 characters, its URL and an image', async () => {
    const session = await openAccount()
    const publicPaths = (await listSitemap(service)).map(url => url.slice(service.base.length))
    const titles = new Map<string, string>()
    const descriptions = new Map<string, string>()
    for (const path of [...publicPaths, ...PRIVATE_PAGES]) {
      const head = readHead(await (path.startsWith('/account') ? session : { get }).get(path))
      const description = head.meta.get('description') ?? ''
      expect(head.title, path).toMatch(/Sheaf/)
      expect(titles.get(head.title), `${path} has the title of another page`).toBeUndefined()
      expect(descriptions.get(description), `${path} has the description of another page`).toBeUndefined()
      titles.set(head.title, path)
      descriptions.set(description, path)
      expect(description.length, `${path}: ${description}`).toBeGreaterThanOrEqual(50)
      expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(160)
      expect(head.meta.get('robots'), path).toBe(publicPaths.includes(path) ? undefined : 'noindex, nofollow')
      expect(head.links.get('canonical'), path).toBe(service.base + (path === '/' ? '' : path))
      expectShared(head, service.base)
    }
  })

  it('is described with PUBLIC_URL if it is set', async () => {
    const head = readHead(await get('/docs/merge-pdf', named))
    expect(head.links.get('canonical')).toBe(`${PUBLIC_URL}/docs/merge-pdf`)
    expect(head.meta.get('og:url')).toBe(`${PUBLIC_URL}/docs/merge-pdf`)
    expectShared(head, PUBLIC_URL)
  })

  it('that does not exist says so and is not listed', async () => {
    for (const path of ['/no-such-page', '/docs/no-such-page']) {
      const response = await get(path)
      const { title, meta } = readHead(response)
      expect({ status: response.status, title, robots: meta.get('robots') }).toEqual({
        status: 404,
        title: 'Page not found · Sheaf',
        robots: 'noindex',
      })
      expect(meta.get('description')?.length).toBeGreaterThanOrEqual(50)
    }
  })

  it('has images that load', async () => {
    const image = await get('/shared-link.png')
    expect([image.status, image.headers['content-type'], image.bytes.length < 100_000]).toEqual([
      200,
      'image/png',
      true,
    ])
    const { links } = readHead(await get('/'))
    const paths = { '/favicon.ico': 'image/x-icon', [links.get('icon') ?? '']: 'image/svg+xml' }
    for (const [path, type] of Object.entries({ ...paths, [links.get('apple-touch-icon') ?? '']: 'image/png' })) {
      const { status, headers } = await get(path)
      expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type })
    }
  })
})

describe('legal pages', () => {
  it('redirect to the URL that the operator set, and are linked', async () => {
    const { status, headers } = await get('/terms', named)
    expect({ status, location: headers.location }).toEqual({ status: 307, location: TERMS_URL })
    expect(toText(await get('/', named))).toContain('<a href="/terms">Terms</a>')
    expect(readText(await get('/sign-in?new=1', named))).toMatch(/By creating an account, you agree to the terms ?\./)
  })

  it('are missing if the operator set none', async () => {
    for (const [path, from] of [
      ['/privacy', named],
      ['/privacy', service],
      ['/terms', service],
    ] as const) {
      expect((await get(path, from)).status, path).toBe(404)
      for (const page of ['/', '/sign-in?new=1']) expect(toText(await get(page, from))).not.toContain(`href="${path}"`)
    }
    expect(readText(await get('/sign-in?new=1'))).not.toContain('you agree')
  })
})

describe('the status page', () => {
  it('says in words what the health probe says, and nothing about accounts', async () => {
    const session = await openAccount()
    const [text, own] = [readText(await get('/status')), readText(await session.get('/status'))]
    for (const part of ['Database', 'Engines', 'Browser', 'Browser sandbox', 'Browser age', 'Requests'])
      expect(text).toMatch(new RegExp(`${part} (OK|Degraded|Unavailable) [A-Z]`))
    expect(text).toContain('Database OK The database responds.')
    expect(text).toContain(`Version Sheaf ${String((await get('/api/health')).json['version'])}`)
    expect(own).not.toContain(EMAIL)
  })
})

async function openAccount(): Promise<AccountSession> {
  await service.createKey(EMAIL, { password: PASSWORD })
  return signIn(service.base, EMAIL, PASSWORD)
}

function expectShared({ title, meta }: PageHead, origin: string): void {
  expect(meta.get('og:title'), title).toBe(title)
  expect(meta.get('twitter:title'), title).toBe(title)
  expect(meta.get('og:description'), title).toBe(meta.get('description'))
  expect(meta.get('twitter:card'), title).toBe('summary_large_image')
  for (const name of ['og:image', 'twitter:image']) expect(meta.get(name), title).toBe(`${origin}/shared-link.png`)
  expect(meta.get('og:image:alt'), title).toMatch(/PDF API/)
}

it('offers the clients for npm and pip, and no other file', async () => {
  for (const [file, start] of [
    ['sheaf-client.tgz', '1f8b'],
    ['sheaf-cli.tgz', '1f8b'],
    ['sheaf_client-0.1.0-py3-none-any.whl', '504b'],
  ] as const) {
    const { status, bytes } = await sendRequest(service.base, { path: `/clients/${file}`, method: 'GET' })
    expect({ status, start: bytes.toString('hex', 0, 2) }, file).toEqual({ status: 200, start })
  }
  for (const path of ['/clients/other.tgz', '/clients/..%2Fpackage.json'])
    expect((await sendRequest(service.base, { path, method: 'GET' })).status, path).toBe(404)
})
