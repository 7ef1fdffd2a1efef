import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Returns WCAG 2.2 A and AA violations of a page, as the rule and the elements that break the rule. `rules` names the
 * rules to run instead of all.
 */
export async function findAccessibilityProblems(page: Page, rules?: string[]): Promise<string[]> {
  // Next.js removes the old title a moment before it adds the new one (vercel/next.js#96797).
  await expect(page).toHaveTitle(/./)
  await page.evaluate(untilPainted)
  // By default axe describes every element that passes, and puts the result together in a second page. Both take longer
  // than the rules.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
}

/** Waits until a new color scheme is applied and transitions have ended. Colors in between have little contrast. */
async function untilPainted(): Promise<void> {
  const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))
  await nextFrame()
  await nextFrame()
  const ending = document
    .getAnimations()
    .filter(animation => animation.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(animation => animation.finished))
}
