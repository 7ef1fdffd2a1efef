import { eventually, sendRequest } from '../../../contract/client'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { HOSTILE_PAGES } from '../hostile-pages'
import { checkBooks } from '../invariants'
import { describeBytes, findPeak, watchMemory } from '../memory'
import { mean, patience, percentile } from '../patience'
import { listDescendants } from '../processes'

const PATH = '/api/external/webpage-to-pdf/pdf'
const EMAIL = 'pages@example.test'
const CREDITS = 10_000
const RENDERS = 500
const AT_ONCE = 2
const END_MS = 35_000
const NEXT_MS = 10_000
const READY_MS = 120_000
const REST_MS = 30_000
/** The short run tries fewer pages with less memory. */
const QUICK_PAGES = 4
const QUICK_TIMEOUT_S = 6
const PAGE = {
  html:
    '<!doctype html><title>Chaos</title><h1>An ordinary ' +
    'page</h1><script>document.body.append("x".repeat(1000))</script>',
}

/** Pages that use as many resources as they can get, beside many ordinary pages. */
export const webPages: Scenario = {
  name: 'web-pages',
  databases: ['pglite'],
  description:
    `Requests for ${Object.keys(HOSTILE_PAGES).length} hostile web pages return 200, or a free 502, within ` +
    `${END_MS / 1000} s. After ${RENDERS} pages, no process of the browser remains.`,
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    const { base, pid } = await environment.start()
    const client = await environment.createClient(EMAIL, { credits: CREDITS })
    log.noteTopUp(EMAIL, CREDITS)
    await eventually(
      async () => JSON.stringify((await sendRequest(base, { path: '/api/health', method: 'GET' })).json['browser']),
      browser => browser.includes('"ready"'),
      READY_MS,
    )
    const print = (page: object) => log.record(EMAIL, () => client.sendJson(PATH, page))
    await print(PAGE)
    const before = await settle(pid)
    const memory = watchMemory(pid)
    const hostile = await sendHostile(context, print)
    const elapsed = await renderMany(times(RENDERS), print)
    memory.stop()
    const after = await settle(pid)
    return [
      ...hostile,
      judge(
        'ordinary pages are printed',
        elapsed.problems,
        `${elapsed.problems.length} in ${AT_ONCE} at once, ${mean(elapsed.ms).toFixed(0)} ms each, p99 ` +
          `${percentile(elapsed.ms, 0.99).toFixed(0)} ms`,
      ),
      judge(
        'no process of the browser is left',
        [
          after.count <= Math.max(0, before.count)
            ? undefined
            : `${after.count} renderers more than browsers, in place of ${before.count}`,
          after.dead === 0 ? undefined : `${after.dead} have ended and were not asked about`,
        ],
        `${describeBytes(findPeak(memory))} at most`,
      ),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

type Print = (page: object) => ReturnType<CallLog['record']>

async function sendHostile({ isQuick }: Context, print: Print): Promise<Row[]> {
  const all = Object.entries(HOSTILE_PAGES)
  const count = isQuick ? QUICK_PAGES : all.length
  const chosen = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    one => one !== undefined,
  )
  const outcomes: (string | undefined)[] = []
  const nexts: (string | undefined)[] = []
  const slowest = { what: '', ms: 0 }
  for (const [what, html] of chosen) {
    const { status, error, charged, sentAtMs, endedAtMs } = await print({
      html: `<!doctype html><body>${html}`,
      ...(isQuick && { timeout: QUICK_TIMEOUT_S }),
    })
    const ms = endedAtMs - sentAtMs
    if (ms > slowest.ms) Object.assign(slowest, { what, ms })
    const isRight =
      (status === 200 && charged === 1) || (status === 502 && error === 'conversion_failed' && charged === 0)
    outcomes.push(
      isRight && ms <= END_MS
        ? undefined
        : `${what}: ${status ?? 'a broken connection'} ${error}, charged ${charged}, after ${ms.toFixed(0)} ms`,
    )
    const next = await print(PAGE)
    const nextMs = next.endedAtMs - next.sentAtMs
    nexts.push(
      next.status === 200 && nextMs <= NEXT_MS * patience()
        ? undefined
        : `after ${what}: ${next.status} ${next.error}, ${nextMs.toFixed(0)} ms`,
    )
  }
  return [
    judge(
      `a hostile page ends within ${END_MS / 1000} s, with 200 or with 502 for free`,
      outcomes,
      `${slowest.ms.toFixed(0)} ms at most: ${slowest.what}`,
    ),
    judge(`the next page is printed within ${NEXT_MS / 1000} s`, nexts),
  ]
}

async function renderMany(count: number, print: Print): Promise<{ problems: (string | undefined)[]; ms: number[] }> {
  const problems: (string | undefined)[] = []
  const ms: number[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (problems.length + AT_ONCE <= count + 1) {
        const { status, error, sentAtMs, endedAtMs } = await print(PAGE)
        problems.push(status === 200 ? undefined : `${status ?? 'a broken connection'} ${error}`)
        ms.push(endedAtMs - sentAtMs)
      }
    }),
  )
  return { problems, ms }
}

/** Renderers in addition to the spare renderer of each browser, once their number is minimal. */
async function settle(pid: number): Promise<{ count: number; dead: number }> {
  const look = () => {
    const all = listDescendants(pid)
    const browsers = all.filter(({ command }) => command.includes('--headless') && !command.includes('--type=')).length
    const renderers = all.filter(({ command }) => command.includes('--type=renderer')).length
    return { count: renderers - browsers, dead: all.filter(({ command }) => command === '').length }
  }
  return eventually(
    () => Promise.resolve(look()),
    ({ count, dead }) => count <= 0 && dead === 0,
    REST_MS,
  ).catch(look)
}
