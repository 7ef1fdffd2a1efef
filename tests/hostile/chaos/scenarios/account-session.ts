import { readdirSync, readFileSync } from 'node:fs'
import { type ApiResponse, sendRequest } from '../../../contract/client'
import { type Scenario, judge } from '../scenario'
import { createVisitor, PASSWORD, readSessionCookie, type Visitor } from '../visitor'

const ROUNDS = 20
const PAGES = 200
const EMAIL = 'session@example.test'
const ACCOUNT_ROUTES = 'app/api/account'
/** Forms of the sign-in pages, which require no session. */
const SIGN_IN_ROUTES: AccountPath[] = ['confirm', 'forgot-password'].map(name => ({
  path: `/api/sign-in/${name}`,
  methods: ['POST'],
}))
/** The directives of a page's policy that must never be weaker. */
const POLICY = [
  /(?:^|; )script-src 'self' 'nonce-[A-Za-z0-9+/=]{16,}'(?:;|$)/,
  /(?:^|; )frame-ancestors 'none'(?:;|$)/,
  /(?:^|; )object-src 'none'(?:;|$)/,
  /(?:^|; )base-uri 'none'(?:;|$)/,
]
const MIDDLEWARE = [
  'middleware',
  'src/middleware',
  Array.from({ length: 5 }, () => 'middleware').join(':'),
  Array.from({ length: 5 }, () => 'src/middleware').join(':'),
  'pages/_middleware',
  'proxy',
]

/** Tries forms of other sites, sessions chosen by others, and framed pages. */
export const accountSession: Scenario = {
  name: 'account-session',
  quickOn: 'pglite',
  description:
    `Forms on other sites, ${ROUNDS} session cookies of an attacker and the header \`x-middleware-subrequest\` have no ` +
    'effect. ' +
    'Requests that read data change nothing. ' +
    `The Content-Security-Policy of up to ${PAGES} pages is checked.`,
  async run({ environment, times }) {
    const { base, account } = await environment.start()
    await account(EMAIL, { password: PASSWORD })
    const visitor = createVisitor(base)
    await visitor.signIn(EMAIL, PASSWORD)
    const routes = listRoutes()
    return [
      judge(
        'a form of another site is refused by every action',
        await sendForeignForms(visitor, base, [...routes, ...SIGN_IN_ROUTES]),
      ),
      judge(
        'a sign-in begins a session of its own, whatever the browser brought along',
        await fixSessions(base, times(ROUNDS)),
      ),
      judge(
        'nothing that only reads changes anything',
        await readEverything(visitor, base, [...routes, ...SIGN_IN_ROUTES]),
      ),
      judge('x-middleware-subrequest opens nothing', await pretendMiddleware(base, routes)),
      judge('every page allows its own scripts only, and no frame around it', await crawl(visitor, base, times(PAGES))),
    ]
  },
}

interface AccountPath {
  path: string
  methods: string[]
}

/** The routes of the account area. */
function listRoutes(): AccountPath[] {
  const files = readdirSync(ACCOUNT_ROUTES, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('route.ts'),
  )
  return files.map(file => {
    const code = readFileSync(`${ACCOUNT_ROUTES}/${file}`, 'utf8')
    const folder = file
      .replaceAll('\\', '/')
      .replace(/\/route\.ts$/, '')
      .replace(/\[\.\.\.\w+\]/, 'pdf-tools/rotate-pdf')
    return {
      path: `/api/account/${folder}`,
      methods: ['GET', 'POST'].filter(method => new RegExp(`\\b${method}\\b`).test(code)),
    }
  })
}

async function sendForeignForms(
  visitor: Visitor,
  base: string,
  routes: AccountPath[],
): Promise<(string | undefined)[]> {
  const session = readSessionCookie(visitor)
  const cookie = `${session?.name}=${session?.value}`
  const senders: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
    { origin: base, 'sec-fetch-site': 'cross-site' },
    { origin: base, 'sec-fetch-site': 'same-site' },
    { origin: `${base}.evil.example` },
    { origin: base.replace('127.0.0.1', 'localhost') },
  ]
  const problems: (string | undefined)[] = []
  for (const { path } of routes.filter(({ methods }) => methods.includes('POST'))) {
    for (const sender of senders) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
        const body = type.endsWith('json')
          ? JSON.stringify({ email: 'x@example.test', password: PASSWORD, last4: 'abcd', threshold: '1' })
          : 'password=x'
        const { status } = await sendRequest(base, { path, body, headers: { cookie, 'content-type': type, ...sender } })
        problems.push(status === 403 ? undefined : `${path} from ${JSON.stringify(sender)}: ${status}`)
      }
    }
  }
  return [
    ...problems,
    (await visitor.get('/api/account/calls.csv')).status === 200 ? undefined : 'the session has ended by it',
  ]
}

async function fixSessions(base: string, rounds: number): Promise<(string | undefined)[]> {
  const victim = createVisitor(base)
  await victim.signIn(EMAIL, PASSWORD)
  const known = readSessionCookie(victim)
  if (known === undefined) return ['no session cookie was set']
  const problems: (string | undefined)[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Half of them have a valid session, and half have a forged one.
    const brought = round % 2 === 0 ? known.value : `chosen-${round}`
    const visitor = createVisitor(base, { cookies: new Map([[known.name, brought]]) })
    const response = await visitor.signIn(EMAIL, PASSWORD)
    const own = readSessionCookie(visitor)?.value
    const cookie = (response.headers['set-cookie'] ?? []).find(one => one.startsWith(known.name)) ?? ''
    problems.push(
      own === brought
        ? 'the session is the one that was brought along'
        : /; HttpOnly/i.test(cookie) && /; SameSite=Lax/i.test(cookie) && !/; Domain=/i.test(cookie)
          ? undefined
          : `the cookie is ${cookie.replace(/=[^;]*/, '=…')}`,
    )
  }
  return problems
}

async function readEverything(visitor: Visitor, base: string, routes: AccountPath[]): Promise<(string | undefined)[]> {
  const state = async () =>
    (await visitor.get('/api/account/ledger.csv')).bytes.toString() +
    (await visitor.get('/api/auth/session')).bytes.toString().replace(/"expires":"[^"]*"/, '')
  const before = await state()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const problems: (string | undefined)[] = []
  for (const { path, methods } of routes) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await sendRequest(base, {
        path: `${path}?last4=abcd&password=${encodeURIComponent(PASSWORD)}`,
        method,
        headers: { cookie, origin: base },
      })
      const isRead = methods.includes('GET') || method === 'OPTIONS'
      const setsSession = (response.headers['set-cookie'] ?? []).some(one => one.includes('.session='))
      problems.push(
        setsSession
          ? `${method} ${path} sets a session`
          : isRead || response.status === 405
            ? undefined
            : `${method} ${path}: ${response.status}`,
      )
    }
  }
  for (const path of ['/api/auth/signout', '/api/auth/callback/credentials', '/api/auth/signin/email'])
    await visitor.get(path)
  const after = await state()
  return [...problems, after === before ? undefined : 'the account is not what it was']
}

async function pretendMiddleware(base: string, routes: AccountPath[]): Promise<(string | undefined)[]> {
  const problems: (string | undefined)[] = []
  for (const value of MIDDLEWARE) {
    const headers = {
      'x-middleware-subrequest': value,
      'x-middleware-invoke': '1',
      'x-invoke-path': '/account',
      'x-nextjs-data': '1',
    }
    for (const path of ['/account', '/account/calls', '/account/credits', '/account/settings']) {
      const { status, headers: given } = await sendRequest(base, { path, method: 'GET', headers })
      problems.push(
        (status === 307 || status === 303) && String(given.location).includes('/sign-in')
          ? undefined
          : `${path} with ${value}: ${status}`,
      )
    }
    for (const { path, methods } of routes.filter(({ path }) => !path.endsWith('sign-up'))) {
      const method = methods.includes('POST') ? 'POST' : 'GET'
      const { status } = await sendRequest(base, {
        path,
        method,
        headers: { ...headers, origin: base, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      })
      problems.push(status === 401 ? undefined : `${method} ${path} with ${value}: ${status}`)
    }
  }
  return problems
}

/** Follows the links of the site while signed in. */
async function crawl(visitor: Visitor, base: string, most: number): Promise<(string | undefined)[]> {
  const waiting = [
    '/',
    '/account',
    '/account/calls',
    '/account/credits',
    '/account/settings',
    '/docs',
    '/no-such-page',
    '/docs/%',
  ]
  const seen = new Set(waiting)
  const nonces = new Set<string>()
  const problems: (string | undefined)[] = []
  for (let path = waiting.shift(); path !== undefined && problems.length < most; path = waiting.shift()) {
    const response = await visitor.get(path)
    if (!String(response.headers['content-type']).startsWith('text/html')) continue
    problems.push(findPageProblem(path, response, nonces))
    for (const [, link = ''] of response.bytes.toString().matchAll(/href="(\/[^"#?]*)"/g)) {
      if (seen.has(link) || link.startsWith('//') || link.startsWith('/_next')) continue
      seen.add(link)
      waiting.push(link)
    }
  }
  // Without a session the sign-in page is shown. It is the most important page.
  return [
    ...problems,
    findPageProblem('/sign-in', await sendRequest(base, { path: '/sign-in', method: 'GET' }), nonces),
  ]
}

function findPageProblem(
  path: string,
  { headers, bytes, status }: ApiResponse,
  nonces: Set<string>,
): string | undefined {
  const policy = String(headers['content-security-policy'])
  const missing = POLICY.find(part => !part.test(policy))
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  if (status >= 500) return `${path}: ${status}`
  if (missing !== undefined || /script-src[^;]*unsafe/.test(policy)) return `${path}: the policy is ${policy}`
  if (headers['x-frame-options'] !== 'DENY' || headers['x-content-type-options'] !== 'nosniff')
    return `${path}: X-Frame-Options or X-Content-Type-Options`
  if (nonces.has(nonce)) return `${path}: its nonce was used before`
  nonces.add(nonce)
  const bare = [
    ...bytes
      .toString()
      .matchAll(/<script(?![^>]*\bsrc=)(?![^>]*\bnonce=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>/g),
  ]
  return bare.length === 0 ? undefined : `${path}: a script without the nonce`
}
