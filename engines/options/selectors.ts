import { EngineError } from '../errors'
import { clipTerm, MAX_SELECTED, resolveTerms } from './selector-grammar'

/** A page selector in options: page numbers from 1, or text. */
export type PageSelector = number[] | string

/** Describes the syntax, in the documentation of every option that selects pages. */
export const SELECTOR_HELP =
  'Page numbers from 1 as an array, or a selector: `all`, `odd`, `even`, `5`, `3-7`, `first`, `last`. `5-` means page ' +
  '5 to the last page, and `7-3` means pages 7, 6, 5, 4, 3. `r2` means the second page from the end, and `!4` excludes ' +
  'page 4. Separate several terms with commas. `:odd` or `:even` after a term selects every other page of the term.'

/**
 * Resolves a selector to positions (from 0) in a document of `pageCount` pages. Keeps the selector's order and repeated
 * pages. Throws EngineError `options_invalid` with the term, its position and the page count.
 */
export function resolvePages(selector: PageSelector, pageCount: number, param: string): number[] {
  const indexes =
    typeof selector === 'string' ? resolveText(selector, pageCount, param) : resolveNumbers(selector, pageCount, param)
  if (indexes.length === 0)
    throw problem(
      param,
      `${param}: must select a page of this ${pageCount}-page document. ${quoteSelector(selector)} selects none.`,
    )
  return indexes
}

/** Resolves a selector to a set, for options where order and repeated pages don't matter. */
export function resolvePageSet(selector: PageSelector | undefined, pageCount: number, param: string): Set<number> {
  if (selector === undefined) return new Set(Array.from({ length: pageCount }, (_, index) => index))
  return new Set(resolvePages(selector, pageCount, param))
}

/** Resolves a selector to positions in the order of the document, each one once. */
export function listPages(selector: PageSelector | undefined, pageCount: number, param: string): number[] {
  return [...resolvePageSet(selector, pageCount, param)].sort((one, other) => one - other)
}

/** Throws EngineError `too_large` if `options.pages` selects more than `most` pages. */
export function assertFewPages(indexes: readonly number[], most: number, what = 'pages'): void {
  if (indexes.length <= most) return
  throw new EngineError(
    'too_large',
    `options.pages: must select at most ${most} ${what}. Got ${indexes.length.toLocaleString('en')}. ` +
      `Select fewer with "pages", such as "1-${most}".`,
    { param: 'options.pages' },
  )
}

/** Resolves one page number to a position. Throws EngineError `page_missing` if the document has no such page. */
export function resolvePage(pageNumber: number, pageCount: number, param: string): number {
  if (pageNumber < 1 || pageNumber > pageCount) {
    throw missingPage(
      param,
      `${param}: page ${pageNumber} is not in this ${pageCount}-page document. Use 1 to ${pageCount}.`,
    )
  }
  return pageNumber - 1
}

function resolveNumbers(numbers: number[], pageCount: number, param: string): number[] {
  if (numbers.length > MAX_SELECTED)
    throw problem(param, `${param}: must list at most ${MAX_SELECTED.toLocaleString('en')} pages.`)
  const wrong = numbers.findIndex(number => number < 1 || number > pageCount)
  if (wrong >= 0) {
    throw missingPage(
      `${param}[${wrong}]`,
      `${param}[${wrong}]: page ${numbers[wrong]} is not in this ${pageCount}-page document. Use 1 to ${pageCount}.`,
    )
  }
  return numbers.map(number => number - 1)
}

function resolveText(text: string, pageCount: number, param: string): number[] {
  const resolved = resolveTerms(text, pageCount)
  if ('indexes' in resolved) return resolved.indexes
  const { fault } = resolved
  switch (fault.kind) {
    case 'syntax':
      throw problem(param, `${param}: ${fault.message}`)
    case 'too-many':
      throw problem(param, `${param}: must select at most ${MAX_SELECTED.toLocaleString('en')} pages.`)
    case 'outside': {
      const { term, position } = fault
      throw missingPage(param, `${param}: "${term}" (term ${position}) is outside this ${pageCount}-page document.`)
    }
  }
}

function problem(param: string, message: string): EngineError {
  return new EngineError('options_invalid', message, { param })
}

function missingPage(param: string, message: string): EngineError {
  return new EngineError('page_missing', message, { param })
}

/** Writes a selector as the request has it, cut to a length that fits into a message. */
function quoteSelector(selector: PageSelector): string {
  return typeof selector === 'string' ? `"${clipTerm(selector)}"` : clipTerm(JSON.stringify(selector))
}
