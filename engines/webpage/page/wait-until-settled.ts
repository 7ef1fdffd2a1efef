import type { Page } from 'puppeteer'
import type { NetworkActivity } from './network-activity'
import { notRendered } from './page-guard'
import type { PageGuard } from './page-guard'
import type { PageOptions } from '../request/options'

/** Share of the timeout after which a page is printed in its current state, if it has content. */
const SOFT_SHARE = 0.5
const LOOK_EVERY_MS = 5
const QUIET_MS = { settled: 50, networkIdle: 500 }
/** Time limits for fonts, images and frames of a page that is loaded, and of one that isn't. */
const PAINT_MS = { loaded: 3000, hanging: 300 }
const MOST_NAVIGATIONS = 3
const MOST_ROUNDS = 5
const SCROLL_STEPS = 150
const SCROLL_MS = 15_000

/** Whether the page settled by itself. Otherwise it is printed in its state after half of the timeout. */
interface Rest {
  isComplete: boolean
}

interface Waiting {
  guard: PageGuard
  options: PageOptions
  /** Throws if waiting is pointless. */
  assertAlive: () => void
}

/**
 * Waits until a page is ready according to `waitUntil`, including its lazy images. Throws EngineError `not_rendered`
 * for a page that navigates too often, and what `assertAlive` throws.
 */
export async function waitUntilSettled(page: Page, activity: NetworkActivity, waiting: Waiting): Promise<Rest> {
  const { guard, options } = waiting
  if (options.waitUntil === 'load' || options.waitUntil === 'domContentLoaded')
    return { isComplete: await until(options.waitUntil, activity, waiting) }
  if (!options.scrollPage || !options.javascript) return calm(page, activity, waiting)
  const first = await calm(page, activity, waiting)
  await evaluateAgain(activity, {
    ...waiting,
    work: () => within(guard, SCROLL_MS, page.evaluate(scrollThrough, SCROLL_STEPS)),
  })
  const second = await calm(page, activity, waiting)
  return { isComplete: first.isComplete && second.isComplete }
}

/** Waits until the page is painted and the network is quiet. Repeats this if the page sent requests in the meantime. */
async function calm(page: Page, activity: NetworkActivity, waiting: Waiting): Promise<Rest> {
  const { guard, options } = waiting
  const isLoaded = await until('load', activity, waiting)
  for (let round = 0; ; round++) {
    const before = activity.begun
    const isStill = await evaluateAgain(activity, {
      ...waiting,
      work: () =>
        within(guard, isLoaded ? PAINT_MS.loaded : PAINT_MS.hanging, page.evaluate(untilPainted, options.javascript)),
    })
    if (isStill && isLoaded && options.waitUntil === 'settled' && activity.isIdle) return { isComplete: true }
    const isQuiet = isLoaded && (await until(options.waitUntil, activity, waiting))
    if (!isQuiet || activity.begun === before || round >= MOST_ROUNDS) return { isComplete: isQuiet }
  }
}

async function until(
  goal: PageOptions['waitUntil'],
  activity: NetworkActivity,
  { guard, assertAlive }: Waiting,
): Promise<boolean> {
  const isReached = {
    settled: () => activity.isLoaded && activity.quietMs({ ignoresHanging: true }) >= QUIET_MS.settled,
    networkIdle: () => activity.isLoaded && activity.quietMs({ ignoresHanging: false }) >= QUIET_MS.networkIdle,
    load: () => activity.isLoaded,
    domContentLoaded: () => activity.isParsed,
  }[goal]
  while (!isReached()) {
    assertAlive()
    if (activity.navigations > MOST_NAVIGATIONS) throw notRendered(`the page led on ${activity.navigations} times`)
    if (guard.elapsedMs > guard.timeoutMs * SOFT_SHARE) return false
    await guard.pause(LOOK_EVERY_MS)
  }
  return true
}

/** Runs work inside of a page. Repeats it if the page navigated to another document in the meantime. */
async function evaluateAgain<T>(
  activity: NetworkActivity,
  { work, ...waiting }: Waiting & { work: () => Promise<T> },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await waiting.guard.race(work())
    } catch (error) {
      if (!hasMovedOn(error)) throw error
      if (attempt >= MOST_NAVIGATIONS) throw notRendered(error)
      await until('load', activity, waiting)
    }
  }
}

/** Returns whether work inside of a page failed because the page navigated to another document. */
export function hasMovedOn(error: unknown): boolean {
  return error instanceof Error && /context was destroyed|detached|Cannot find context/i.test(error.message)
}

/** Returns the result of the work. Returns undefined if it doesn't end in time, which isn't an error. */
function within<T>(guard: PageGuard, ms: number, work: Promise<T>): Promise<T | undefined> {
  return guard.race(Promise.race([work, guard.pause(ms).then(() => undefined)]))
}

/**
 * Loads lazy images, and waits for fonts, image decoding and two animation frames. Returns whether nothing in the
 * document can send further requests by itself. Runs inside of the page.
 */
async function untilPainted(hasScripts: boolean): Promise<boolean> {
  const lazy = document.querySelectorAll<HTMLImageElement | HTMLIFrameElement>('[loading="lazy"]')
  for (const element of lazy) element.loading = 'eager'
  document.documentElement.getBoundingClientRect() // Forces the computation of styles, so that the images in styles are requested.
  const active =
    '//script | //iframe | //frame | //object | //embed | //video | //audio | //meta[@http-equiv] | ' +
    '//@*[starts-with(name(), "on")]'
  const isStill =
    lazy.length === 0 &&
    (!hasScripts || !document.evaluate(`boolean(${active})`, document, null, XPathResult.BOOLEAN_TYPE).booleanValue)
  if (!hasScripts) return isStill // Promises don't settle in a document without scripts.
  await document.fonts.ready
  await Promise.all([...document.images].map(async image => image.complete || image.decode().catch(() => undefined)))
  if (isStill) return true
  await new Promise<void>(resolve => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
  return false
}

/** Scrolls down by one viewport at a time, and back to the top. */
async function scrollThrough(mostSteps: number): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    const before = window.scrollY
    window.scrollBy({ top: window.innerHeight, behavior: 'instant' })
    await new Promise(resolve => {
      setTimeout(resolve, 50)
    })
    if (window.scrollY === before) break
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
}
