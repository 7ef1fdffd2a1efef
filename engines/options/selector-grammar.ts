// The grammar of page selectors. The browser resolves selectors with the same code, so this file imports nothing.

/** Maximum length of a selector. */
export const MAX_SELECTOR_LENGTH = 2000
/** Maximum number of pages that a selector selects. */
export const MAX_SELECTED = 20_000

/** Why a text selects no pages. Terms are counted from 1. */
export type SelectorFault =
  | { kind: 'syntax'; message: string }
  | { kind: 'outside'; term: string; position: number }
  | { kind: 'too-many' }

/**
 * Resolves a text to positions (from 0) in a document of `pageCount` pages. Keeps the selector's order and repeated
 * pages.
 */
export function resolveTerms(text: string, pageCount: number): { indexes: number[] } | { fault: SelectorFault } {
  const message = selectorProblem(text)
  if (message) return { fault: { kind: 'syntax', message } }
  let selected: number[] = []
  for (const [at, term] of splitTerms(text).entries()) {
    const excludes = term.startsWith('!') || term.startsWith('x')
    const termPages = resolveTerm(excludes ? term.slice(1) : term, pageCount)
    if (!termPages) return { fault: { kind: 'outside', term: clipTerm(term), position: at + 1 } }
    if (excludes) {
      // A selector that begins with an exclusion selects all other pages.
      if (at === 0) selected = range(0, pageCount - 1)
      const excluded = new Set(termPages)
      selected = selected.filter(one => !excluded.has(one))
    } else {
      selected = selected.concat(termPages)
    }
    if (selected.length > MAX_SELECTED) return { fault: { kind: 'too-many' } }
  }
  return { indexes: selected }
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
        `must be a page selector. Got "${clipTerm(term)}" (term ${index + 1}). Use for example "all", "odd", "2-5", ` +
        '"5-", "last", "r2" or "!4".'
      )
  }
  return undefined
}

/** Shortens a text for a message. */
export function clipTerm(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const PAGE = String.raw`(?:\d{1,15}|r\d{1,15}|first|last|end|z)`
const TERM = new RegExp(String.raw`^[!x]?(?:all|odd|even|${PAGE}(?:-${PAGE}?)?)(?::(?:odd|even))?$`)

function splitTerms(text: string): string[] {
  const compact = text.toLowerCase().replace(/\s+/g, '')
  return compact === '' ? [] : compact.split(',')
}

/** Returns the pages of a term. Undefined if it is outside the document. */
function resolveTerm(term: string, pageCount: number): number[] | undefined {
  const [base = '', alternate] = term.split(':')
  const pages = resolveBase(base, pageCount - 1)
  if (!alternate) return pages
  return pages?.filter((_, index) => (index % 2 === 0) === (alternate === 'odd'))
}

function resolveBase(base: string, last: number): number[] | undefined {
  if (base === 'all') return range(0, last)
  if (base === 'odd' || base === 'even') return range(0, last).filter(index => (index % 2 === 0) === (base === 'odd'))
  const [from = '', to] = base.split('-')
  const start = resolveName(from, last)
  if (start === undefined || to === undefined) return start === undefined ? undefined : [start]
  const end = to === '' ? last : resolveName(to, last)
  return end === undefined ? undefined : range(start, end)
}

function resolveName(name: string, last: number): number | undefined {
  if (name === 'first') return 0
  if (name === 'last' || name === 'end' || name === 'z') return last
  const index = name.startsWith('r') ? last + 1 - Number(name.slice(1)) : Number(name) - 1
  return index < 0 || index > last ? undefined : index
}

function range(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + step * index)
}
