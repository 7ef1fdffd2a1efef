import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch'
import {
  ENTRY_KINDS,
  type EntryKind,
  INDEX_OPTIONS,
  type PackedEntry,
  type SearchIndex,
  unpackTerms,
  writeHref,
} from '../../../lib/docs/search/index-format'

/** An entry of the index in a list of results. */
export interface Result {
  kind: EntryKind
  title: string
  /** Title of the page. */
  page: string
  context: string
  href: string
  /** Terms to highlight, in small letters. */
  terms: string[]
}

/** Returns the results for a query, the best ones first. An empty query returns frequent pages. */
export type FindResults = (query: string) => Result[]

const MAX_RESULTS = 12
/** Many endpoints have parameters and sections of the same name. */
const MAX_SAME_TITLE = 4
/** So many pages come before everything else. */
const MAX_PAGES_FIRST = 5
const FREQUENT_PAGES = ['quickstart', 'api-basics', 'errors', 'pricing', 'limits', 'merge-pdf', 'pdf-redaction']

const WEIGHTS: Record<EntryKind, number> = {
  Page: 3,
  Endpoint: 3,
  'Error code': 2,
  Warning: 1.5,
  Header: 2,
  'Page selector': 1,
  Section: 1.5,
  Parameter: 0.6,
  Variable: 0.2,
  Limit: 1,
}

/** Kinds that lead to a page, and kinds whose names are also words of sentences. */
const PAGE_KINDS = new Set<EntryKind>(['Page', 'Endpoint'])
const COMMON_NAMES = new Set<EntryKind>(['Section', 'Parameter', 'Limit', 'Variable'])

const SEARCH_OPTIONS: SearchOptions = {
  boost: { title: 4, words: 3, page: 1.5 },
  prefix: true,
  // One typo in words that are long enough.
  fuzzy: term => (term.length > 3 ? 1 : false),
  weights: { prefix: 0.6, fuzzy: 0.25 },
  combineWith: 'AND',
}

/** Opens an index that the server wrote. */
export function openIndex(index: SearchIndex): FindResults {
  const { pages, entries } = index
  const search = MiniSearch.loadJS<{ id: number }>(unpackTerms(index), INDEX_OPTIONS)
  // A section without a line of text is one that every endpoint has.
  const boostDocument = (id: number) => WEIGHTS[kindOf(entries[id])] * (entries[id]?.[4] === '' ? 0.4 : 1)

  const describe = (id: number, terms: string[]): Result[] => {
    const entry = entries[id]
    if (!entry) return []
    const [, pageAt, , title, context] = entry
    const [, page] = pages[pageAt] ?? ['', '']
    return [{ kind: kindOf(entry), title, page, context, href: writeHref(entry, pages), terms }]
  }

  // A heading with exactly the words of a question answers it.
  const headings = new Map<string, number[]>()
  for (const [id, entry] of entries.entries()) {
    const terms = listTerms(entry[3])
    if (kindOf(entry) === 'Section' && terms.length > 1)
      headings.set(terms.join(' '), [...(headings.get(terms.join(' ')) ?? []), id])
  }

  const findNamed = (query: string) =>
    query.length < 2
      ? []
      : [...entries.keys()]
          .filter(id => listNames(entries[id]).some(name => isName(name, query)))
          .toSorted((a, b) => (entries[a]?.[0] ?? 0) - (entries[b]?.[0] ?? 0))

  /**
   * Pages whose titles and words have all words of the query, whole words first. For “pdf to …”, `pdf-to-images` comes
   * first.
   */
  const findPages = (query: string) => {
    const words = listTerms(query)
    const [first = ''] = words
    const slugOf = ({ id }: SearchResult) => pages[entries[id as number]?.[1] ?? 0]?.[0] ?? ''
    const hasWords = ({ terms }: SearchResult) => words.every(word => terms.includes(word))
    const rank = (result: SearchResult) => (slugOf(result).startsWith(`${first}-to-`) ? 0 : hasWords(result) ? 1 : 2)
    return search
      .search(query, {
        ...SEARCH_OPTIONS,
        fields: ['title', 'words'],
        fuzzy: false,
        filter: ({ id }) => PAGE_KINDS.has(kindOf(entries[id as number])),
      })
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, MAX_PAGES_FIRST)
  }

  const findHeading = (query: string, fitting: SearchResult[]) => {
    const pagesOfFitting = new Set(fitting.map(({ id }) => entries[id as number]?.[1]))
    const found = headings.get(listTerms(query).join(' ')) ?? []
    return found.filter(id => pagesOfFitting.size === 0 || pagesOfFitting.has(entries[id]?.[1])).slice(0, 1)
  }

  const findSimilar = (query: string): SearchResult[] => {
    const settings = { ...SEARCH_OPTIONS, boostDocument }
    const all = search.search(query, settings)
    return all.length > 0 ? all : search.search(query, { ...settings, combineWith: 'OR' })
  }

  return text => {
    const query = normalize(text)
    if (query === '')
      return FREQUENT_PAGES.flatMap(slug => {
        const pageAt = pages.findIndex(([one]) => one === slug)
        return describe(
          entries.findIndex(([, page, anchor]) => page === pageAt && anchor === ''),
          [],
        )
      })
    const fitting = findPages(text)
    const similar = findSimilar(text)
    const terms = new Map([...fitting, ...similar].map(result => [result.id as number, result.terms]))
    const named = findNamed(query)
    const isCommon = (id: number) => COMMON_NAMES.has(kindOf(entries[id]))
    const ids = new Set([
      ...named.filter(id => !isCommon(id)),
      ...findHeading(text, fitting),
      ...fitting.map(({ id }) => id as number),
      ...named.filter(isCommon),
      ...terms.keys(),
    ])
    return limit([...ids].flatMap(id => describe(id, terms.get(id) ?? [query])))
  }
}

/** Returns the words of a text that the index has. */
function listTerms(text: string): string[] {
  return INDEX_OPTIONS.tokenize(text).flatMap(word => INDEX_OPTIONS.processTerm(word) ?? [])
}

function kindOf(entry: PackedEntry | undefined): EntryKind {
  return ENTRY_KINDS[entry?.[0] ?? 0] ?? 'Page'
}

/** Returns whether a query is a name, or the beginning of a name such as `rate_limited`. */
function isName(name: string, query: string): boolean {
  return name === query || (/\w[_.-]\w/.test(query) && name.startsWith(query))
}

/** Lists the names of an entry. A page selector can list two forms. */
function listNames(entry: PackedEntry | undefined): string[] {
  const title = normalize(entry?.[3] ?? '')
  return [title, ...title.split(', ')]
}

function normalize(text: string): string {
  return text.trim().toLowerCase()
}

function limit(results: Result[]): Result[] {
  const counts = new Map<string, number>()
  return results
    .filter(({ kind, title }) => {
      const name = `${kind} ${title}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count <= MAX_SAME_TITLE
    })
    .slice(0, MAX_RESULTS)
}
