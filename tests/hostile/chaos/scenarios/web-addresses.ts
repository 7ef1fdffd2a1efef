import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiResponse, Client } from '../../../contract/client'
import { startPageRenderer } from '../../../support/web-printer'
import { readPageTexts } from '../../../support/page-texts'
import { type Canary, startCanary, startSite, type TestSite } from '../../../support/site'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { listLeads, listRefusedUrls, listWaysOut } from '../ways-out'

const PATH = '/api/external/webpage-to-pdf/pdf'
const CREDITS = 10_000
const AT_ONCE = 3
/** The delay for requests that a page sends after it is idle. They must fail too. */
const DELAY_S = 1
const LATE_MS = 1000
const WORDS = 'HARMLESS WORDS'
/** The text that a local file or the canary would show. */
const INSIDE = /root:|daemon:|CANARY/

/** Pages that request private URLs. */
export const webAddresses: Scenario = {
  name: 'web-addresses',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    'Web pages try private addresses in every spelling. They also try redirects, DNS responses, and every way to ' +
    'open a connection. They reach public addresses only.',
  async run(context) {
    const lan = findLanAddress()
    const canaries = [await startCanary(), ...(lan === undefined ? [] : [await startCanary(lan)])]
    const [loopback] = canaries
    if (loopback === undefined) return []
    const targets = [
      `http://127.0.0.1:${loopback.port}`,
      ...(lan === undefined ? [] : [`http://${lan}:${canaries[1]?.port}`]),
    ]
    const site = await startSite(describeSite(targets))
    try {
      await context.environment.start({ WEBPAGE_ALLOWED_HOSTS: site.host })
      const client = await context.environment.createClient('addresses@example.test', { credits: CREDITS })
      const rows = [
        await refuseUrls(client, { port: loopback.port, lan: lan ?? '10.1.2.3' }, context),
        ...(await openWaysOut(client, targets, context)),
        await followLeads(client, { targets, site }, context),
        await resolveNames(loopback.port, context),
      ]
      await wait(LATE_MS)
      return [
        ...rows,
        ...canaries.map(({ touched }, index) =>
          judge(
            index === 0
              ? 'nothing on the loopback address is touched'
              : 'nothing on the address of this machine in its network is touched',
            [touched.length === 0 ? undefined : touched.join(', ')],
          ),
        ),
      ]
    } finally {
      await Promise.all([site.close(), ...canaries.map((canary: Canary) => canary.close())])
    }
  },
}

async function refuseUrls(
  client: Client,
  { port, lan }: { port: number; lan: string },
  { times }: Context,
): Promise<Row> {
  const urls = listRefusedUrls({ port, lan })
  // The refusals are quick, but each is followed by a request for the balance.
  const chosen = spread(urls, Math.max(20, times(urls.length)))
  const before = await client.balance()
  const problems: (string | undefined)[] = []
  for (const url of chosen) {
    const { status, json, charged } = await client.sendJson(PATH, { url })
    problems.push(
      status === 400 && json['error'] === 'invalid_payload' && charged === 0
        ? undefined
        : `${url}: ${status} ${String(json['error'])}, charged ${charged}`,
    )
  }
  const after = await client.balance()
  return judge('an address that is not public is refused before any charge, in every spelling', [
    ...problems,
    after === before ? undefined : `${before - after} credits are gone`,
  ])
}

/** A short run puts all methods into one page. */
async function openWaysOut(client: Client, targets: string[], { isQuick }: Context): Promise<Row[]> {
  const rows: Row[] = []
  for (const target of targets) {
    const ways = Object.entries(listWaysOut(target))
    const pages: (readonly [string, string])[] = isQuick
      ? [['all of them', ways.map(([, html]) => html).join('\n')]]
      : ways
    const problems = await inTurn(pages, async ([what, html]) => {
      const reply = await client.sendJson(PATH, {
        html: `<!doctype html><meta charset="utf-8"><p>${WORDS}</p>${html}`,
        waitDelay: DELAY_S,
      })
      const problem = await findPrintProblem(reply, { mayFail: true })
      return problem && `${what}: ${problem}`
    })
    rows.push(
      judge(
        `a page reaches for ${new URL(target).hostname} in ${ways.length} ways: printed without, or 502 for free`,
        problems,
      ),
    )
  }
  return rows
}

async function followLeads(
  client: Client,
  { targets, site }: { targets: string[]; site: TestSite },
  { isQuick }: Context,
): Promise<Row> {
  const paths = Object.keys(describeSite(targets))
  const chosen = isQuick ? spread(paths, 6) : paths
  const problems = await inTurn(chosen, async path => {
    const reply = await client.sendJson(PATH, { url: site.base + path, waitDelay: DELAY_S })
    const problem = await findPrintProblem(reply, { mayFail: true })
    if (problem !== undefined) return `${path}: ${problem}`
    return reply.status === 200 && path.startsWith('/to-')
      ? `${path}: a redirect to what is refused was printed`
      : undefined
  })
  return judge('a page that leads on to what is not public is not followed', problems)
}

/** Redirects by the response header, and by the page. */
function describeSite(targets: string[]) {
  const redirects = [
    ...targets.map(target => `${target}/redirect`),
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706433/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'data:text/html,CANARY',
    'javascript:document.write("CANARY")',
  ]
  const statuses = [301, 302, 303, 307, 308]
  const heads = redirects.map(
    (location, index) =>
      [
        `/to-${index}`,
        (_request: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
          response.writeHead(statuses[index % statuses.length] ?? 302, { location }).end(),
      ] as const,
  )
  const hops = [
    [
      '/hop',
      (_request: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: '/to-0' }).end(),
    ] as const,
    [
      '/round',
      (_request: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: '/round' }).end(),
    ] as const,
  ]
  const pages = targets.flatMap((target, index) =>
    Object.entries(listLeads(target)).map(
      ([what, html]) =>
        [`/leads-${index}-${what.replaceAll(' ', '-')}`, `<!doctype html><p>${WORDS}</p>${html}`] as const,
    ),
  )
  return Object.fromEntries([...heads, ...hops, ...pages])
}

/** Results of name servers. The tests' renderer uses our name server for them. */
async function resolveNames(port: number, { isQuick, times }: Context): Promise<Row> {
  const responses: Record<string, string[]> = {
    'private.test': ['127.0.0.1'],
    'mixed.test': ['93.184.216.34', '127.0.0.1'],
    'reversed.test': ['127.0.0.1', '93.184.216.34'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'translated.test': ['64:ff9b::7f00:1'],
    'carried.test': ['2002:7f00:1::'],
    'metadata.test': ['169.254.169.254'],
    'any.test': ['0.0.0.0'],
    'six.test': ['::1'],
    'nothing.test': [],
    'junk.test': ['not an address'],
  }
  let asked = 0
  const renderer = await startPageRenderer({
    resolve: name =>
      Promise.resolve(
        name === 'rebinding.test' ? (asked++ === 0 ? ['203.0.113.7'] : ['127.0.0.1']) : (responses[name] ?? []),
      ),
  })
  try {
    const names = [...Object.keys(responses), 'rebinding.test']
    const chosen = isQuick ? spread(names, Math.max(3, times(names.length))) : names
    const messages = new Set<string>()
    const problems = await inTurn(chosen, async name => {
      const words = await renderer.print(`http://${name}:${port}/`, { timeout: 10 }).then(
        () => 'printed',
        (error: unknown) => String(error),
      )
      messages.add(words)
      return /could not be converted/.test(words) ? undefined : `${name}: ${words}`
    })
    return judge('a name that leads to what is not public is refused in the words of one that leads nowhere', [
      ...problems,
      messages.size === 1 ? undefined : [...messages].join(' / '),
    ])
  } finally {
    await renderer.close()
  }
}

async function findPrintProblem(reply: ApiResponse, { mayFail }: { mayFail: boolean }): Promise<string | undefined> {
  const { status, charged, json, bytes } = reply
  if (mayFail && status === 502 && json['error'] === 'conversion_failed' && charged === 0) return undefined
  if (status !== 200) return `${status} ${String(json['error'])}, charged ${charged}`
  const text = (await readPageTexts(bytes)).join(' ')
  return INSIDE.test(text) ? `the PDF shows ${text.slice(0, 100)}` : undefined
}

/** Runs some at once, and returns errors in order. */
async function inTurn<T>(
  all: readonly T[],
  judgeOne: (one: T) => Promise<string | undefined>,
): Promise<(string | undefined)[]> {
  const problems: (string | undefined)[] = Array.from({ length: all.length })
  const left = [...all.entries()]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) problems[next[0]] = await judgeOne(next[1])
    }),
  )
  return problems
}

/** This many items, spread over the list. */
function spread<T>(all: T[], count: number): T[] {
  const most = Math.min(count, all.length)
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]).filter(
    one => one !== undefined,
  )
}

/** An IPv4 address of this machine in its own network, if it has one. */
function findLanAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4' && !one.internal)?.address
}
