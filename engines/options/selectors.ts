import { EngineError } from '../errors'

/** A page selector in options: page numbers from 1, or text. */
export type PageSelector = number[] | string

/** Maximum length of a selector. */
export const MAX_SELECTOR_LENGTH = 2000
const MAX_ENTRIES = 20_000

/** Describes the syntax, in the documentation of every option that selects pages. */
export const SELECTOR_HELP =
  'Page numbers from 1 as an array, or a selector: `all`, `odd`, `even`, `5`, `3-7`, `first`, `last`. `5-` means page ' +
  '5 to the last page, and `7-3` means pages 7, 6, 5, 4, 3. `r2` means the second page from the end, and `!4` excludes ' +
  'page 4. Separate several terms with commas. `:odd` or `:even` after a term selects every other page of the term.'

/**
 * Resolves a selector to positions (from 0) in a document of `pageCount` pages. Keeps the selector's order and repeated
 * pages. Throws EngineError `bad-options` with the term, its position and the page count.
 */
export function resolvePages(selector: PageSelector, pageCount: number, param: string): number[] {
  const indexes =
    typeof selector === 'string' ? resolveText(selector, pageCount, param) : resolveNumbers(selector, pageCount, param)
  if (indexes.length === 0)
    throw problem(
      param,
      `${param}: must select a page of this ${pageCount}-page document. ${show(selector)} selects none.`,
    )
  return indexes
}

/** Resolves a selector to a set, for options where order and repeated pages don't matter. */
export function resolvePageSet(selector: PageSelector | undefined, pageCount: number, param: string): Set<number> {
  if (selector === undefined) return new Set(Array.from({ length: pageCount }, (_, index) => index))
  return new Set(resolvePages(selector, pageCount, param))
}

/** Resolves one page number to a position. Throws EngineError `bad-options` if the document has no such page. */
export function resolvePage(pageNumber: number, pageCount: number, param: string): number {
  if (pageNumber < 1 || pageNumber > pageCount) {
    throw problem(
      param,
      `${param}: page ${pageNumber} is not in this ${pageCount}-page document. Use 1 to ${pageCount}.`,
    )
  }
  return pageNumber - 1
}

/**
 * The problem with the text form, regardless of the document. Undefined if there is none. The schema checks it before
 * any file is read.
 */
export function selectorProblem(text: string): string | undefined {
  if (text.length > MAX_SELECTOR_LENGTH) return `must be at most ${MAX_SELECTOR_LENGTH} characters. Got ${text.length}.`
  const terms = splitTerms(text)
  if (terms.length === 0) return 'must not be empty. Use "all" for every page.'
  for (const [index, term] of terms.entries()) {
    if (!TERM.test(term))
      return (
        `must be a page selector. Got "${clip(term)}" (term ${index + 1}). Use for example "all", "odd", "2-5", ` +
        '"5-", "last", "r2" or "!4".'
      )
  }
  return undefined
}

const PAGE = String.raw`(?:\d{1,15}|r\d{1,15}|first|last|end|z)`
const TERM = new RegExp(String.raw`^[!x]?(?:all|odd|even|${PAGE}(?:-${PAGE}?)?)(?::(?:odd|even))?$`)

function splitTerms(text: string): string[] {
  const compact = text.toLowerCase().replace(/\s+/g, '')
  return compact === '' ? [] : compact.split(',')
}

function resolveNumbers(numbers: number[], pageCount: number, param: string): number[] {
  if (numbers.length > MAX_ENTRIES)
    throw problem(param, `${param}: must list at most ${MAX_ENTRIES.toLocaleString('en')} pages.`)
  const wrong = numbers.findIndex(number => number < 1 || number > pageCount)
  if (wrong >= 0) {
    throw problem(
      `${param}[${wrong}]`,
      `${param}[${wrong}]: page ${numbers[wrong]} is not in this ${pageCount}-page document. Use 1 to ${pageCount}.`,
    )
  }
  return numbers.map(number => number - 1)
}

function resolveText(text: string, pageCount: number, param: string): number[] {
  const syntax = selectorProblem(text)
  if (syntax) throw problem(param, `${param}: ${syntax}`)
  const terms = splitTerms(text)
  let selected: number[] = []
  for (const [index, term] of terms.entries()) {
    const excludes = term.startsWith('!') || term.startsWith('x')
    const where = { term, position: index + 1, pageCount, param }
    const termPages = resolveTerm(excludes ? term.slice(1) : term, where)
    if (excludes) {
      // A selector that begins with an exclusion selects all other pages.
      if (index === 0) selected = range(0, pageCount - 1)
      const excluded = new Set(termPages)
      selected = selected.filter(one => !excluded.has(one))
    } else {
      selected = selected.concat(termPages)
    }
    if (selected.length > MAX_ENTRIES)
      throw problem(param, `${param}: must select at most ${MAX_ENTRIES.toLocaleString('en')} pages.`)
  }
  return selected
}

interface Where {
  term: string
  position: number
  pageCount: number
  param: string
}

function resolveTerm(term: string, where: Where): number[] {
  const [base = '', alternate] = term.split(':')
  const last = where.pageCount - 1
  const pages = resolveBase(base, last, where)
  if (!alternate) return pages
  return pages.filter((_, index) => (index % 2 === 0) === (alternate === 'odd'))
}

function resolveBase(base: string, last: number, where: Where): number[] {
  if (base === 'all') return range(0, last)
  if (base === 'odd' || base === 'even') return range(0, last).filter(index => (index % 2 === 0) === (base === 'odd'))
  const [from = '', to] = base.split('-')
  const start = resolveName(from, last, where)
  if (to === undefined) return [start]
  return range(start, to === '' ? last : resolveName(to, last, where))
}

function resolveName(name: string, last: number, where: Where): number {
  if (name === 'first') return 0
  if (name === 'last' || name === 'end' || name === 'z') return last
  const index = name.startsWith('r') ? last + 1 - Number(name.slice(1)) : Number(name) - 1
  if (index < 0 || index > last) {
    const { param, term, position, pageCount } = where
    throw problem(param, `${param}: "${clip(term)}" (term ${position}) is outside this ${pageCount}-page document.`)
  }
  return index
}

function range(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + step * index)
}

function problem(param: string, message: string): EngineError {
  return new EngineError('bad-options', message, { param })
}

function show(selector: PageSelector): string {
  return typeof selector === 'string' ? `"${clip(selector)}"` : clip(JSON.stringify(selector))
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
