import type { SearchIndex } from '../../../lib/docs/search/index-format'
import { type FindResults, openIndex } from './find-results'

const ADDRESS = '/docs/search.json'
const LIMIT_MS = 20_000

let loading: Promise<FindResults> | undefined

/** Loads the index once per page. After a failure, the next call tries again. Throws an Error if it can't be loaded. */
export function loadIndex(): Promise<FindResults> {
  loading ??= fetchIndex().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function fetchIndex(): Promise<FindResults> {
  const response = await fetch(ADDRESS, { signal: AbortSignal.timeout(LIMIT_MS) })
  if (!response.ok) throw new Error(`The search index returned ${response.status}`)
  return openIndex((await response.json()) as SearchIndex) // Our own route writes it.
}
