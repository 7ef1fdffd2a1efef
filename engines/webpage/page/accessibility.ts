import type { Page } from 'puppeteer'
import { EngineError } from '../../errors'
import type { Problem } from '../../errors'
import { readConformance } from '../../options/conformance'
import type { PageOptions } from '../request/options'
import type { PageSource } from '../request/page-source'
import type { PageGuard } from './page-guard'

/** Maximum number of images that an error names. */
const MOST_IMAGES = 20

/**
 * Checks that a page has what PDF/UA needs and only its author can add: a title, a language, and alternative texts.
 * Throws EngineError with a problem for each: `not_rendered` for a page behind a URL, otherwise `not_conforming`.
 */
export async function assertAccessible(
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
