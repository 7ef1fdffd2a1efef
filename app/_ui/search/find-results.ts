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
const FREQUENT_PAGES = ['quickstart', 'api-basics', 'errors', 'pricing', 'limits', 'merge-pdf', 'pdf-redaction']

const WEIGHTS: Record<EntryKind, number> = {
  Page: 3,
  Endpoint: 3,
  'Error code': 2,
  Warning: 1.5,
  Header: 2,
  'Page selector': 1,
  Section: 1.5,
  Parameter: 1,
  Variable: 0.8,
  Limit: 1,
}

const SEARCH_OPTIONS: SearchOptions = {
  boost: { title: 4, page: 1.5 },
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

  const findNamed = (query: string) =>
    [...entries.keys()]
      .filter(id => listNames(entries[id]).some(name => isName(name, query)))
      .toSorted((a, b) => (entries[a]?.[0] ?? 0) - (entries[b]?.[0] ?? 0))

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
    const similar = findSimilar(text)
    const terms = new Map(similar.map(result => [result.id as number, result.terms]))
    const ids = new Set([...findNamed(query), ...terms.keys()])
    return limit([...ids].flatMap(id => describe(id, terms.get(id) ?? [query])))
  }
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
