import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { crc32 } from 'node:zlib'
import { type ApiResponse, createClient, sendRequest, toolPath } from '../../../contract/client'
import { makeDamagedPdf, makePdf } from '../../../contract/documents'
import { type Scenario, judge, type Row } from '../scenario'
import { listRows, withDatabase } from '../edit-database'
import type { Environment } from '../environment'
import { mean, patience } from '../patience'
import { createVisitor, PASSWORD, type Visitor } from '../visitor'

const PAIRS = 2000
const LEAST_PAIRS = 200
const WARM_UP = 50
const MOST_DIFFERENCE_MS = 1
const EMAIL = 'secrets@example.test'
const AUDIT_MS = 60_000
const ACCOUNT_PAGES = [
  '/account',
  '/account/calls',
  '/account/credits',
  '/account/settings',
  '/docs',
  '/docs/pdf-tools/rotate-pdf',
  '/api/openapi.json',
]
const DOCUMENT = { name: 'a.pdf', bytes: makePdf() }

/** Input of an attacker for places that show a name or an email. */
const TEXTS = [
  ...[
    '<script>alert(1)</script>',
    '"><script>alert(1)</script>',
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    '<svg/onload=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>">',
  ],
  ...[
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    '</title><script>alert(1)</script>',
    '</textarea><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '--><script>alert(1)</script>',
    '<!--<script>alert(1)',
    '<![CDATA[<script>alert(1)</script>]]>',
  ],
  ...[
    '<a href=javascript:alert(1)>x</a>',
    '<math><mi xlink:href="data:x,<script>alert(1)</script>">',
    '<base href=//evil.example>',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<form action=//evil.example><input name=a>',
    '<object data=javascript:alert(1)>',
    '\u2028<script>alert(1)</script>',
    '\\u003cscript>alert(1)</script>',
    '{{7*7}}${7*7}<%= 7*7 %><script>',
  ],
]

/** Checks where a key may leak, what names can do, and what response times reveal. */
export const accountSecrets: Scenario = {
  name: 'account-secrets',
  description:
    `A key is shown once. After that, no log, page or database contains it. Markup in ${TEXTS.length} names and ` +
    `addresses is escaped. Response times for ${PAIRS.toLocaleString('en')} pairs of wrong keys don't reveal which ` +
    'key is nearly correct. The packages have no known vulnerability.',
  async run({ environment, times }) {
    return [
      ...(await findLeaks(environment)),
      ...(await showTexts(environment, times(TEXTS.length))),
      await compareTimes(environment, Math.max(LEAST_PAIRS, times(PAIRS))),
      await audit(),
    ]
  },
}

async function findLeaks(environment: Environment): Promise<Row[]> {
  const service = await environment.start({ LOG_LEVEL: 'trace' })
  const { apiKey: given } = await service.account(EMAIL, { password: PASSWORD, credits: 1000 })
  const visitor = createVisitor(service.base)
  await visitor.signIn(EMAIL, PASSWORD)
  const created = await visitor.post('/api/account/key/rotate', { last4: given?.slice(-4) ?? '' })
  const first = readKey(created)
  const used = await callWith(service.base, first)
  const rotated = await visitor.post('/api/account/key/rotate', { last4: first.slice(-4) })
  const second = readKey(rotated)
  used.push(...(await callWith(service.base, second)), ...(await callWith(service.base, first)))
  const pages: ApiResponse[] = []
  for (const path of [
    ...ACCOUNT_PAGES,
    '/api/account/calls.csv',
    '/api/account/ledger.csv',
    '/api/auth/session',
    '/api/health',
  ])
    pages.push(await visitor.get(path))
  const log = service.log()
  const dump = (await withDatabase(environment, listRows)).join('\n')
  const keys = [first, second]
  const findIn = (where: string, text: string) =>
    keys.map(key => (holds(text, key) ? `${where} holds a key` : undefined))
  return [
    judge(
      'a key is shown once, in an answer that nobody keeps',
      [created, rotated].map(({ status, headers }, index) =>
        status === 200 && /^sheaf_live_\w{38}$/.test(keys[index] ?? '') && headers['cache-control'] === 'no-store'
          ? undefined
          : `${status}, Cache-Control ${headers['cache-control']}`,
      ),
    ),
    judge(
      'no page holds a key afterwards',
      pages.flatMap(page => findIn('a page', page.bytes.toString())),
    ),
    judge(
      'no answer to a call holds a key',
      used.flatMap(reply =>
        findIn(`an answer of ${reply.status}`, `${JSON.stringify(reply.headers)}${reply.bytes.toString('latin1')}`),
      ),
    ),
    judge('the log at its most talkative holds no key', [
      ...findIn('the log', log),
      log.includes('req_') ? undefined : 'the log tells of no call',
    ]),
    judge('the database holds no key', [
      ...findIn('the database', dump),
      dump.includes(EMAIL) ? undefined : 'the dump is empty',
    ]),
  ]
}

function readKey({ status, json }: ApiResponse): string {
  const { apiKey } = json
  if (typeof apiKey !== 'string') throw new Error(`a key was asked for and ${status} ${String(json['error'])} came`)
  return apiKey
}

/** Requests that succeed, that fail in every step, and that contain the key in wrong places. */
async function callWith(base: string, apiKey: string): Promise<ApiResponse[]> {
  const client = createClient(base, apiKey)
  const path = toolPath('rotate-pdf')
  const responses = [
    await client.callTool('rotate-pdf', DOCUMENT, { angle: 90 }),
    await client.callTool('rotate-pdf', { name: 'a.pdf', bytes: makeDamagedPdf() }, { angle: 90 }),
    await client.callTool('rotate-pdf', DOCUMENT, { angle: apiKey }),
    await client.callTool('rotate-pdf', DOCUMENT, { [apiKey]: 1 }),
    await client.sendJson(toolPath('nope'), {}),
    await client.sendJson('/api/external/webpage-to-pdf/pdf', { url: `http://127.0.0.1/${apiKey}` }),
    await client.send({ path, method: 'GET' }),
    await client.send({ path, body: '{', headers: { 'content-type': 'application/json' } }),
    await sendRequest(base, {
      path: `${path}?x-api-key=${apiKey}`,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    }),
    await sendRequest(base, {
      path,
      body: '{}',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    }),
    await createClient(base, `${apiKey}x`).sendJson(path, {}),
  ]
  // These responses repeat content of the request: the value of an option, its name, a URL.
  return responses.filter((_, index) => index !== 2 && index !== 3 && index !== 5)
}

/** All of a key except its known prefix and the four characters that identify it. */
function holds(text: string, key: string): boolean {
  return text.includes(key.slice('sheaf_live_'.length, -4))
}

/**
 * A script of the page itself. Apostrophes in its strings have no meaning, and text that ends the script early remains
 * after it.
 */
const OWN_SCRIPT = /<script(?=[^>]*\snonce="[^"]+")[^>]*>.*?<\/script>/gs

async function showTexts(environment: Environment, count: number): Promise<Row[]> {
  const service = await environment.start({})
  const emails = TEXTS.slice(0, count).map((_, index) => `text-${index}@example.test`)
  for (const email of emails) await service.account(email, { password: PASSWORD })
  const visitors: Visitor[] = []
  for (const email of emails) {
    const visitor = createVisitor(service.base)
    await visitor.signIn(email, PASSWORD)
    visitors.push(visitor)
  }
  await withDatabase(environment, async run => {
    for (const [index, email] of emails.entries())
      await run('update users set name = $1, email = $2 where email = $3', [
        TEXTS[index],
        `${TEXTS[index]}@${index}.example`.toLowerCase(),
        email,
      ])
  })
  const { base } = await environment.start()
  const problems: (string | undefined)[] = []
  for (const [index, visitor] of visitors.entries()) {
    const text = (TEXTS[index] ?? '').toLowerCase() // URLs contain such escapes.
    for (const path of ['/account', '/account/settings', '/account/calls', '/account/credits']) {
      // The service has another port now, so its cookies have another name.
      const reply = await createVisitor(base, {
        cookies: new Map(
          [...visitor.cookies].map(([name, value]) => [
            name.replace(/^sheaf-\d+/, `sheaf-${new URL(base).port}`),
            value,
          ]),
        ),
      }).get(path)
      const html = reply.bytes.toString().toLowerCase().replaceAll(OWN_SCRIPT, '')
      problems.push(
        reply.status !== 200
          ? `${path}: ${reply.status}`
          : html.includes(text)
            ? `${path} holds ${text} as it is`
            : undefined,
      )
    }
  }
  return [judge('names and addresses are shown as text', problems, `${visitors.length} of them`)]
}

async function compareTimes(environment: Environment, pairs: number): Promise<Row> {
  await environment.stop()
  const { base } = await environment.start({})
  const { apiKey } = await environment.createClient('timing@example.test')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const near: number[] = []
  const far: number[] = []
  for (let index = -WARM_UP; index < pairs; index += 1) {
    // Both keys are well-formed and unknown. One begins like an existing key.
    const kinds = [
      { times: near, key: writeKey(apiKey.slice('sheaf_live_'.length, -10), index) },
      { times: far, key: writeKey('', index) },
    ]
    for (const { times, key } of index % 2 === 0 ? kinds : kinds.toReversed()) {
      const elapsedMs = await askWith(base, key, agent)
      if (index >= 0) times.push(elapsedMs)
    }
  }
  agent.destroy()
  const [ofNear, ofFar] = [near, far].map(times =>
    mean([...times].sort((a, b) => a - b).slice(0, Math.ceil(times.length * 0.9))),
  ) as [number, number]
  const note = `${ofNear.toFixed(3)} ms and ${ofFar.toFixed(3)} ms, ${pairs} pairs without their slowest tenth`
  return judge(
    `a key that begins as a good one is refused in the time of any other, within ${MOST_DIFFERENCE_MS} ms`,
    [Math.abs(ofNear - ofFar) <= MOST_DIFFERENCE_MS * patience() ? undefined : note],
    note,
  )
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A key with a valid checksum (six base62 digits of the CRC32) and a given start. */
function writeKey(beginning: string, index: number): string {
  const text = `sheaf_live_${beginning}${String(index + WARM_UP).padStart(32 - beginning.length, '0')}`
  const digits: string[] = []
  for (let rest = crc32(text), place = 0; place < 6; place += 1, rest = Math.floor(rest / 62))
    digits.unshift(ALPHABET[rest % 62] ?? '')
  return `${text}${digits.join('')}`
}

function askWith(base: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const since = performance.now()
    const outgoing = request(
      `${base}${toolPath('rotate-pdf')}`,
      {
        method: 'POST',
        agent,
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '2' },
      },
      response => {
        response
          .resume()
          .on('end', () =>
            response.statusCode === 401
              ? resolve(performance.now() - since)
              : reject(new Error(`a made-up key was answered with ${response.statusCode}`)),
          )
      },
    )
    outgoing.on('error', reject).end('{}')
  })
}

/** Queries the registry for known vulnerabilities of the installed packages. */
async function audit(): Promise<Row> {
  const what = 'npm audit --omit=dev knows no fault'
  const output = await new Promise<string>(resolve =>
    execFile('npm', ['audit', '--omit=dev', '--json'], { timeout: AUDIT_MS, maxBuffer: 64 * 2 ** 20 }, (_error, out) =>
      resolve(out),
    ),
  )
  const report = readReport(output)
  if (report === undefined) return { what, done: 0, asked: 0, problems: [], skipped: 'the registry gave no answer' }
  return judge(what, report.length === 0 ? [undefined] : report)
}

function readReport(output: string): string[] | undefined {
  try {
    const { vulnerabilities } = JSON.parse(output) as { vulnerabilities?: Record<string, { severity: string }> }
    return vulnerabilities && Object.entries(vulnerabilities).map(([name, { severity }]) => `${name}: ${severity}`)
  } catch {
    return undefined // The registry is unavailable, so there is no report.
  }
}
