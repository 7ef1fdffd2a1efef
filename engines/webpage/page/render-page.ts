import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext } from 'puppeteer'
import { EngineError, isEngineError } from '../../errors'
import type { Warning } from '../../types'
import { NetworkActivity } from './network-activity'
import { awaitConditions } from './wait-conditions'
import { EgressProxy } from '../egress/egress-proxy'
import { BrowserLost, PageGuard, notRendered } from './page-guard'
import { resolveTimeout } from '../request/options'
import type { PageOptions } from '../request/options'
import { openUrl, preparePage, styleForPrint } from './prepare-page'
import { printPage } from './print-page'
import type { Print } from './print-page'
import type { EgressPolicy } from '../egress/egress-policy'
import { waitUntilSettled } from './wait-until-settled'
import { nameSite } from '../egress/page-site'
import type { PageSource } from '../request/page-source'

/** A page to print. */
export interface PageJob {
  source: PageSource
  options: PageOptions
}

/** A printed page with its warnings and timings. */
export interface RenderedPage extends Print {
  warnings: Warning[]
  /** Milliseconds by phase. */
  timings: Record<string, number>
}

export interface RenderSettings {
  reach: EgressPolicy
  /** Address of this machine that a remote browser can reach. Default: loopback. */
  egressHost: string | undefined
  signal: AbortSignal
  mostMs: number
  /** Keeps the browser reserved until a promise settles, for example until the page has been closed. */
  hold(ending: Promise<unknown>): void
  /** Called if a page can't be closed. */
  onStuck(browser: Browser): void
}

const LOOPBACK = '127.0.0.1'
const CLOSE_MS = 5000

/**
 * Prints a page in a separate browser context. A separate proxy is its only way to the network. Throws EngineError
 * `not-rendered`, with the same message for all failures behind the URL, and `canceled`. Throws BrowserLost if the
 * browser ended.
 */
export async function renderPage(browser: Browser, job: PageJob, settings: RenderSettings): Promise<RenderedPage> {
  const { egressHost, signal, mostMs, reach } = settings
  const { source } = job
  const site = source.kind === 'site' ? { host: nameSite(source.site), site: source.site } : undefined
  const url = source.kind === 'url' ? source.url : `http://${site?.host}${source.site.entry}`
  const credentials =
    egressHost === undefined
      ? undefined
      : { username: randomBytes(9).toString('hex'), password: randomBytes(18).toString('hex') }
  const guard = new PageGuard({ browser, signal, timeoutMs: Math.min(mostMs, resolveTimeout(job.options) * 1000) })
  const egress = await EgressProxy.open({ reach, site, listenHost: egressHost ?? LOOPBACK, credentials })
  const opening = browser.createBrowserContext({
    proxyServer: `http://${hostForUrl(egressHost ?? LOOPBACK)}:${egress.port}`,
    proxyBypassList: ['<-loopback>'],
    downloadBehavior: { policy: 'deny' },
  })
  try {
    const context = await guard.race(opening)
    return await printIn(context, { job, url, guard, egress, credentials })
  } catch (error) {
    throw translate(error, browser)
  } finally {
    guard.release()
    egress.close()
    // If the browser is lost, the context is lost too.
    settings.hold(opening.then(context => closeContext(context, settings.onStuck)).catch(() => {}))
  }
}

interface Work {
  job: PageJob
  url: string
  guard: PageGuard
  egress: EgressProxy
  credentials: { username: string; password: string } | undefined
}

async function printIn(
  context: BrowserContext,
  { job: { options }, url, guard, egress, credentials }: Work,
): Promise<RenderedPage> {
  const marks: [string, number][] = []
  const mark = (phase: string) => marks.push([phase, guard.elapsedMs])
  const page = await guard.race(context.newPage())
  guard.watch(page)
  const activity = new NetworkActivity(page)
  const [client, userAgent] = await guard.race(Promise.all([page.createCDPSession(), context.browser().userAgent()]))
  await preparePage(page, guard, {
    client,
    url,
    options,
    credentials,
    userAgent: userAgent.replace('HeadlessChrome', 'Chrome'),
  })
  mark('context')
  const assertPage = () => {
    const problem = findProblem({ activity, egress, options, address: page.url() })
    if (problem !== undefined) throw notRendered(problem)
  }
  await openUrl(client, guard, { url, options })
  const assertAlive = () => {
    const { main } = activity
    if (main?.failure !== undefined) throw notRendered(main.failure)
    if (main && egress.record.hasFailed(main.request.url())) throw notRendered('refused, unreachable or cut off')
  }
  const { isComplete } = await waitUntilSettled(page, activity, { guard, options, assertAlive })
  mark('load')
  assertPage()
  await awaitConditions(page, guard, options)
  await styleForPrint(page, guard, options)
  if (options.waitDelay > 0) await guard.pause(options.waitDelay * 1000)
  const hasFailures = !isComplete || activity.hasFailures || activity.isWaiting || egress.record.isOverLimit
  if (hasFailures && options.failOnResourceError)
    throw new EngineError(
      'not-rendered',
      'failOnResourceError is true, and an image, style sheet, script or font of the page could not be loaded.',
      { param: 'failOnResourceError' },
    )
  mark('settle') // The phase isn't called `wait`, because that is the time in the queue.
  const print = await printPage(page, guard, options)
  assertPage()
  mark('print')
  return { ...print, warnings: hasFailures ? ['resources-failed'] : [], timings: describePhases(marks) }
}

interface PageState {
  activity: NetworkActivity
  egress: EgressProxy
  options: PageOptions
  address: string
}

/**
 * Returns why a page must not be printed, undefined if it may be. The browser shows an error page of the proxy like any
 * other page, so the record of the proxy is checked too.
 */
function findProblem({ activity: { main }, egress, options, address }: PageState): string | undefined {
  if (!main?.response) return main?.failure ?? 'no answer'
  const { request, response } = main
  const headers = response.headers()
  const status = response.status()
  if (egress.record.hasFailed(request.url())) return 'refused, unreachable or cut off'
  if (main.failure !== undefined) return main.failure
  if (address.startsWith('chrome-error:')) return 'the browser shows an error'
  if (
    /^attachment/i.test(headers['content-disposition'] ?? '') ||
    /^application\/(pdf|zip|octet-stream)/i.test(headers['content-type'] ?? '')
  )
    return 'a download'
  const isFailure = options.failOnHttpStatusCodes.some(code =>
    typeof code === 'number' ? code === status : Math.floor(status / 100) === Number(code[0]),
  )
  return isFailure ? `status ${status}` : undefined
}

/** Converts errors of the page and of puppeteer to `not-rendered` or BrowserLost. */
function translate(error: unknown, browser: Browser): unknown {
  if (isEngineError(error) || error instanceof BrowserLost) return error
  if (!browser.connected) return new BrowserLost('the browser was lost', { cause: error })
  return notRendered(error)
}

async function closeContext(context: BrowserContext, onStuck: (browser: Browser) => void): Promise<void> {
  const browser = context.browser()
  const timer = setTimeout(() => onStuck(browser), CLOSE_MS)
  await context.close().finally(() => clearTimeout(timer))
}

function describePhases(marks: [string, number][]): Record<string, number> {
  return Object.fromEntries(marks.map(([phase, at], index) => [phase, at - (marks[index - 1]?.[1] ?? 0)]))
}

function hostForUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
