import type { Browser, Page } from 'puppeteer'
import { EngineError, isEngineError, type Problem } from '../../errors'
import type { Warning } from '../../types'
import { NetworkActivity } from './network-activity'
import { awaitConditions } from './wait-conditions'
import { openArchive } from '../archive/open-archive'
import type { EgressProxy, Reachable } from '../egress/egress-proxy'
import type { BlankPage } from './blank-page'
import { BrowserLost, PageGuard, notRendered } from './page-guard'
import { resolveTimeout, type PageOptions } from '../request/options'
import { openUrl, preparePage, styleForPrint } from './prepare-page'
import { printPage, type Print } from './print-page'
import type { EgressPolicy } from '../egress/egress-policy'
import { waitUntilSettled } from './wait-until-settled'
import { createPageSite, nameSite, type PageSite } from '../egress/page-site'
import type { PageSource } from '../request/page-source'
import { readConformance } from '../../options/conformance'

/** A page to print. */
export interface PageJob {
  source: PageSource
  options: PageOptions
}

/** A printed page with its warnings and timings. */
export interface RenderedPage extends Print {
  /** The file on disk that has the bytes in place of `chunks`. */
  path?: string
  warnings: Warning[]
  /** Milliseconds by phase. */
  timings: Record<string, number>
}

export interface RenderSettings {
  policy: EgressPolicy
  signal: AbortSignal
  mostMs: number
}

/** A browser, and its blank page for one request. */
export interface ReservedPage {
  browser: Browser
  blank: Promise<BlankPage>
}

/**
 * Prints a page in a blank page, which the caller closes. Throws EngineError `not_rendered`, with the same message for
 * all failures behind the URL, and `canceled`. Throws BrowserLost if the browser ended.
 */
export async function renderPage(
  { browser, blank }: ReservedPage,
  job: PageJob,
  { policy, signal, mostMs }: RenderSettings,
): Promise<RenderedPage> {
  const { url, site } = locatePage(job.source)
  const guard = new PageGuard({ browser, signal, timeoutMs: Math.min(mostMs, resolveTimeout(job.options) * 1000) })
  try {
    const opened = await guard.race(blank)
    opened.egress.allow({ policy, site })
    return await printIn(opened, { job, url, guard })
  } catch (error) {
    throw translate(error, browser)
  } finally {
    guard.release()
  }
}

/** Returns the URL of a page, and the site that the proxy serves under this URL if the caller sent the page. */
function locatePage(source: PageSource): { url: string; site: Reachable['site'] } {
  if (source.kind === 'url') return { url: source.url, site: undefined }
  const site = openSite(source)
  const host = nameSite(site)
  return { url: `http://${host}${site.entry}`, site: { host, site } }
}

interface Work {
  job: PageJob
  url: string
  guard: PageGuard
}

async function printIn(
  { page, client, egress, credentials, userAgent }: BlankPage,
  { job: { options, source }, url, guard }: Work,
): Promise<RenderedPage> {
  const marks: [string, number][] = []
  const mark = (phase: string) => marks.push([phase, guard.elapsedMs])
  guard.watch(page)
  const activity = new NetworkActivity(page)
  await preparePage(page, guard, { client, url, options, credentials, userAgent })
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
      'not_rendered',
      'failOnResourceError is true, and an image, style sheet, script or font of the page could not be loaded.',
      { param: 'failOnResourceError' },
    )
  await assertAccessible(page, guard, { options, source })
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

/** Converts errors of the page and of puppeteer to `not_rendered` or BrowserLost. */
function translate(error: unknown, browser: Browser): unknown {
  if (isEngineError(error) || error instanceof BrowserLost) return error
  if (!browser.connected) return new BrowserLost('the browser was lost', { cause: error })
  return notRendered(error)
}

function describePhases(marks: [string, number][]): Record<string, number> {
  return Object.fromEntries(marks.map(([phase, at], index) => [phase, at - (marks[index - 1]?.[1] ?? 0)]))
}

/** Returns the site of a page that the caller sent. */
function openSite(source: Exclude<PageSource, { kind: 'url' }>): PageSite {
  const site =
    source.kind === 'archive' ? openArchive(source.zip, source.index) : createPageSite(source.path, source.bytes)
  return { ...site, baseUrl: source.baseUrl }
}

/** Maximum number of images that an error names. */
const MOST_IMAGES = 20

/**
 * Checks that a page has what PDF/UA needs and only its author can add: a title, a language, and alternative texts.
 * Throws EngineError with a problem for each: `not-rendered` for a page behind a URL, otherwise `bad-options`.
 */
async function assertAccessible(
  page: Page,
  guard: PageGuard,
  { options, source }: { options: PageOptions; source: PageSource },
): Promise<void> {
  if (!readConformance(options.conformance)?.includes('pdfua-1')) return
  const facts = await guard.race(page.evaluate(readFacts, MOST_IMAGES))
  const problems: Problem[] = []
  if (!facts.hasTitle && !options.metadata?.title)
    problems.push({ message: 'The page has no title. Add a title element, or send metadata.title.' })
  if (!facts.hasLanguage)
    problems.push({ message: 'The page has no language. Add lang to its html element, such as lang="en".' })
  for (const image of facts.images)
    problems.push({ message: `The image ${image} has no alternative text. Add alt, or alt="" for decoration.` })
  if (problems.length > 0) throw inaccessible(source, problems)
}

/** The error for a page that can't conform to a standard that the request names. */
function inaccessible(source: PageSource, problems: Problem[]): EngineError {
  return new EngineError(
    source.kind === 'url' ? 'not_rendered' : 'not_conforming',
    "The page doesn't conform to the standards in conformance. The problems name what is missing.",
    { problems },
  )
}

/** Runs in the page. */
function readFacts(mostImages: number): { hasTitle: boolean; hasLanguage: boolean; images: string[] } {
  const lacksText = (element: Element): boolean =>
    !element.hasAttribute('alt') &&
    !element.getAttribute('aria-label') &&
    !element.getAttribute('aria-labelledby') &&
    element.getAttribute('role') !== 'presentation' &&
    element.getAttribute('aria-hidden') !== 'true'
  const images = [...document.querySelectorAll('img, input[type=image], area[href]')].filter(lacksText)
  return {
    hasTitle: document.title.trim() !== '',
    hasLanguage: (document.documentElement.lang ?? '').trim() !== '',
    images: images.slice(0, mostImages).map(image => JSON.stringify((image.getAttribute('src') ?? '').slice(0, 100))),
  }
}
