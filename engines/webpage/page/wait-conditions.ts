import type { Page } from 'puppeteer'
import { EngineError } from '../../errors'
import type { PageGuard } from './page-guard'
import type { PageOptions } from '../request/options'
import { hasMovedOn } from './wait-until-settled'

const LOOK_EVERY_MS = 50

/**
 * Waits for what the caller waits for: an element, an expression.
 * Throws EngineError `not-rendered` that names the option when it does not come true in time.
 */
export async function awaitConditions(
  page: Page,
  guard: PageGuard,
  { waitForSelector, waitForExpression, waitForTimeout }: PageOptions,
): Promise<void> {
  if (waitForSelector !== undefined) {
    const expression = `document.querySelector(${JSON.stringify(waitForSelector)}) !== null`
    await untilTrue(page, guard, { expression, option: 'waitForSelector', seconds: waitForTimeout })
  }
  if (waitForExpression !== undefined)
    await untilTrue(page, guard, {
      expression: waitForExpression,
      option: 'waitForExpression',
      seconds: waitForTimeout,
    })
}

async function untilTrue(
  page: Page,
  guard: PageGuard,
  { expression, option, seconds }: { expression: string; option: string; seconds: number },
): Promise<void> {
  const until = performance.now() + seconds * 1000
  const fail = (words: string, cause?: unknown) =>
    new EngineError('not-rendered', `${option}: ${words}`, { param: option, ...(cause === undefined ? {} : { cause }) })
  for (;;) {
    const isTrue = await guard
      .race(
        Promise.race([
          evaluate(page, expression),
          guard.pause(Math.max(LOOK_EVERY_MS, until - performance.now())).then(() => false),
        ]),
      )
      .catch((error: unknown) => {
        if (isSyntaxError(error))
          throw fail('is not written as the language asks for; the page could not understand it', error)
        throw error
      })
    if (isTrue) return
    if (performance.now() > until)
      throw fail(`did not come true within ${seconds} s; use a longer waitForTimeout, or check it in a browser`)
    await guard.pause(LOOK_EVERY_MS)
  }
}

/** Whether an expression is true; one that can't be told yet, because something it names is not there, is not. */
async function evaluate(page: Page, expression: string): Promise<boolean> {
  try {
    return Boolean(await page.evaluate(`(async () => Boolean(await (\n${expression}\n)))()`))
  } catch (error) {
    if (isSyntaxError(error) || (error instanceof Error && BROKEN.has(error.name) && !hasMovedOn(error))) throw error
    return false
  }
}

/**
 * Names of errors that puppeteer makes of a connection or a page that is gone; others were thrown inside of the page.
 */
const BROKEN = new Set(['ConnectionClosedError', 'ProtocolError', 'TargetCloseError'])

function isSyntaxError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'SyntaxError' || error.message.startsWith('SyntaxError'))
}
