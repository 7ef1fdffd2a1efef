import { setTimeout as wait } from 'node:timers/promises'
import { type Client, eventually, sendRequest } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { findBrowser, findPrinter, isRunning, type SeenProcess } from '../processes'

const KILLS = 50
/** Kills of the process that controls the browser, in addition to kills of the browser. */
const PRINTER_KILLS = 10
const CREDITS = 1000
const NEXT_MS = 10_000
const PATH = '/api/external/webpage-to-pdf/pdf'
const PAGE = { html: '<!doctype html><title>Chaos</title><h1>A page that is printed while its browser is killed</h1>' }
/** The page waits for a second before it is printed. The browser is killed within that second. */
const SLOW_PAGE = { ...PAGE, waitDelay: 1 }
const LEAST_MS = 300
const MOST_MS = 1000
const BROWSER_START_MS = 120_000

/** The browser is killed while it prints a page. */
export const ledgerBrowser: Scenario = {
  name: 'ledger-browser',
  description:
    `The browser is killed ${KILLS} times while it renders a page. The request returns 200 after a retry, or 502 and a ` +
    `refund. The next page works within ${NEXT_MS / 1000} s.`,
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    await environment.start({ BROWSER_SANDBOX: 'preferred' })
    const email = 'pages@example.test'
    const client = await environment.createClient(email, { credits: CREDITS })
    log.noteTopUp(email, CREDITS)
    await untilBrowser(client)
    const asked = { browser: times(KILLS), printer: times(PRINTER_KILLS) }
    const browser: Kill[] = []
    const printer: Kill[] = []
    while (browser.length < asked.browser)
      browser.push(await killInMidPage(context, { log, email, client }, findBrowser))
    while (printer.length < asked.printer)
      printer.push(await killInMidPage(context, { log, email, client }, findPrinter))
    const all = [...browser, ...printer]
    const retried = all.filter(({ call }) => call.status === 200).length
    const slowest = Math.max(...all.map(({ nextMs }) => nextMs))
    const leftBehind = all.map(({ killed }) =>
      killed !== undefined && isRunning(killed.pid) ? `process ${killed.pid} still runs` : undefined,
    )
    return [
      {
        what: 'kill -9 of the browser in mid page',
        done: browser.filter(({ killed }) => killed !== undefined).length,
        asked: asked.browser,
        problems: [],
      },
      {
        what: 'kill -9 of the process that drives it',
        done: printer.filter(({ killed }) => killed !== undefined).length,
        asked: asked.printer,
        problems: [],
      },
      judge(
        'its call is done again or refunded',
        all.map(({ call }) => findCallProblem(call)),
        `${retried} were done again`,
      ),
      judge(
        'the next page is printed in time',
        all.map(({ next, nextMs }) =>
          next.status === 200 && nextMs <= NEXT_MS
            ? undefined
            : `${next.status ?? 'cut'} ${next.error} after ${nextMs.toFixed(0)} ms`,
        ),
        `${slowest.toFixed(0)} ms at most`,
      ),
      judge('what was killed is gone', leftBehind),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

interface Kill {
  killed: SeenProcess | undefined
  call: SeenCall
  next: SeenCall
  nextMs: number
}

interface Caller {
  log: CallLog
  email: string
  client: Client
}

async function killInMidPage(
  { environment, random }: Context,
  { log, email, client }: Caller,
  find: (servicePid: number) => SeenProcess | undefined,
): Promise<Kill> {
  const underWay = log.record(email, () => client.sendJson(PATH, SLOW_PAGE))
  await wait(LEAST_MS + random() * (MOST_MS - LEAST_MS))
  const killed = find(environment.service().pid)
  if (killed !== undefined) process.kill(killed.pid, 'SIGKILL')
  const call = await underWay
  const next = await log.record(email, () => client.sendJson(PATH, PAGE))
  return { killed, call, next, nextMs: next.endedAtMs - next.sentAtMs }
}

function findCallProblem({ status, charged, error }: SeenCall): string | undefined {
  const isRight =
    (status === 200 && charged === 1) || (status === 502 && charged === 0 && error === 'conversion_failed')
  return isRight ? undefined : `answered with ${status ?? 'a broken connection'} ${error}, charged ${charged}`
}

/** The first start unpacks the browser. */
async function untilBrowser({ base }: Client): Promise<void> {
  await eventually(
    async () => {
      const { json } = await sendRequest(base, { path: '/api/health', method: 'GET' })
      return json['browser']
    },
    status => JSON.stringify(status).includes('ready'),
    BROWSER_START_MS,
  )
}
