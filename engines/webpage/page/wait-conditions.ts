import type { Page } from 'puppeteer'
import { EngineError } from '../../errors'
import type { PageGuard } from './page-guard'
import type { PageOptions } from '../request/options'
import { hasMovedOn } from './wait-until-settled'

const LOOK_EVERY_MS = 50

/**
 * Waits for the element and the expression in the options. Throws EngineError `not_rendered` that names the option if
 * its condition isn't met in time.
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
    new EngineError('not_rendered', `${option}: ${words}`, { param: option, ...(cause === undefined ? {} : { cause }) })
  for (;;) {
    const isTrue = await guard
      .race(
        Promise.race([
          evaluate(page, expression),
          guard.pause(Math.max(LOOK_EVERY_MS, until - performance.now())).then(() => false),
        ]),
      )
      .catch((error: unknown) => {
        if (isSyntaxError(error)) throw fail('must have valid syntax. The browser could not parse it.', error)
        throw error
      })
    if (isTrue) return
    if (performance.now() > until)
      throw fail(
        `must become true within ${seconds} seconds, but did not. Use a longer waitForTimeout, or test it in a ` +
          'browser.',
      )
    await guard.pause(LOOK_EVERY_MS)
  }
}

/**
 * Returns whether an expression is true. An expression that throws, for example because a variable doesn't exist yet,
 * isn't true.
 */
async function evaluate(page: Page, expression: string): Promise<boolean> {
  try {
    return Boolean(await page.evaluate(`(async () => Boolean(await (\n${expression}\n)))()`))
  } catch (error) {
    if (isSyntaxError(error) || (error instanceof Error && CLOSED_ERRORS.has(error.name) && !hasMovedOn(error)))
      throw error
    return false
  }
}

/** Names of puppeteer errors for a closed connection or page. Other errors were thrown inside of the page. */
const CLOSED_ERRORS = new Set(['ConnectionClosedError', 'ProtocolError', 'TargetCloseError'])

function isSyntaxError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'SyntaxError' || error.message.startsWith('SyntaxError'))
}
