import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Config } from '../../config'
import { findPage, listPages } from '../pages/all'
import { listEntries, type SearchEntry } from './entries'
import { ENTRY_KINDS, type EntryKind, INDEX_OPTIONS, packTerms, type SearchIndex } from './index-format'
import { PAGE_WORDS } from './page-words'

const MAX_REPEATS = 3

let writing: Promise<string> | undefined

/** Returns the search index of the documentation as JSON. It is built once per process, unless that fails. */
export function writeSearchIndex(config: Config): Promise<string> {
  writing ??= createSearchIndex(config)
    .then(index => JSON.stringify(index))
    .catch((error: unknown) => {
      writing = undefined
      throw error
    })
  return writing
}

/**
 * Builds the search index from the pages of the documentation. All of it takes a large part of a second, so other
 * requests are served between the pages.
 */
export async function createSearchIndex(config: Config): Promise<SearchIndex> {
  const found = await listFound(config)
  const search = new MiniSearch<Found>(INDEX_OPTIONS)
  const entries: SearchIndex['entries'] = []
  for (const [pageAt, { slug, title: page, entries: ofPage }] of found.entries()) {
    await setImmediate()
    for (const { kind, anchor, title, context, words } of ofPage) {
      const id = entries.push([ENTRY_KINDS.indexOf(kind), pageAt, packAnchor(kind, anchor), title, context]) - 1
      const pageWords = anchor === '' ? `${slug} ${PAGE_WORDS[slug] ?? ''}` : ''
      search.add({ id, title, words: pageWords, page, text: listNewWords(`${context} ${words}`, `${title} ${page}`) })
    }
  }
  return { pages: found.map(({ slug, title }) => [slug, title]), entries, ...packTerms(search.toJSON()) }
}

/** Returns the words of a text that a title doesn't have, because a title counts more anyway. */
function listNewWords(text: string, title: string): string {
  const known = new Set(INDEX_OPTIONS.tokenize(title))
  return INDEX_OPTIONS.tokenize(text)
    .filter(word => !known.has(word))
    .join(' ')
}

/** The anchor of a parameter is a word, a hyphen and its name. */
function packAnchor(kind: EntryKind, anchor: string): string {
  return kind === 'Parameter' ? anchor.replace(/-.*/, '-') : anchor
}

/** An entry as MiniSearch reads it. Only pages have `words`. */
interface Found {
  id: number
  title: string
  words: string
  page: string
  text: string
}

interface FoundPage {
  slug: string
  title: string
  entries: SearchEntry[]
}

async function listFound(config: Config): Promise<FoundPage[]> {
  // The origin is only part of code, which the index leaves out.
  const context = { origin: 'https://localhost', config }
  const pages: FoundPage[] = []
  for (const { slug, title, summary } of listPages().flatMap(group => group.pages)) {
    await setImmediate()
    const page = findPage(slug, context)
    if (page) pages.push({ slug, title, entries: listEntries(page, summary) })
  }
  const sections = pages
    .flatMap(({ entries }) => entries)
    .flatMap(({ kind, title }) => (kind === 'Section' ? [title] : []))
  const counts = new Map<string, number>()
  for (const title of sections) counts.set(title, (counts.get(title) ?? 0) + 1)
  // Every endpoint has sections such as “Errors”. Their text says the same on each page.
  const isRepeated = ({ kind, title }: SearchEntry) => kind === 'Section' && (counts.get(title) ?? 0) > MAX_REPEATS
  return pages.map(page => ({
    ...page,
    entries: page.entries.map(entry => (isRepeated(entry) ? { ...entry, context: '', words: '' } : entry)),
  }))
}
