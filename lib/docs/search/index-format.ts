/**
 * The format of the search index. The server writes the index, and the browser reads it with the same settings. So this
 * file imports nothing.
 */

/** What one entry of the index leads to. */
export const ENTRY_KINDS = [
  'Page',
  'Endpoint',
  'Error code',
  'Warning',
  'Header',
  'Page selector',
  'Section',
  'Parameter',
  'Variable',
  'Limit',
] as const

/** The kind of an entry. */
export type EntryKind = (typeof ENTRY_KINDS)[number]

/**
 * Position of the kind in `ENTRY_KINDS`, position of the page, anchor, title, and a line of text. The anchor is empty for
 * a page. If it ends with a hyphen, the title continues it.
 */
export type PackedEntry = [kind: number, page: number, anchor: string, title: string, context: string]

/** The response of `/docs/search.json`. */
export interface SearchIndex {
  /** Slug and title of each page. */
  pages: [slug: string, title: string][]
  /** An entry's position is its ID. */
  entries: PackedEntry[]
  /** All terms, separated by spaces. */
  terms: string
  /**
   * For each field, the IDs of the entries that contain each term, such as `3,1;7`: the first term is in the entries 3
   * and 4, and the second in the entry 7. Each number is the difference to the one before.
   */
  ids: string[]
  /** For each field, the number of terms in each entry. */
  lengths: number[][]
}

/** Returns the address of an entry on the site. */
export function writeHref([, page, anchor, title]: PackedEntry, pages: SearchIndex['pages']): string {
  const slug = pages[page]?.[0] ?? ''
  const path = slug === '' ? '/docs' : `/docs/${slug}`
  if (anchor === '') return path
  return `${path}#${anchor}${anchor.endsWith('-') ? title.replaceAll('[]', '') : ''}`
}

/** Words that most sentences have. Searches ignore them. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by can do does for from has have how i if in into is it its my not of on or so than ' +
    'that the their then there these they this to was what when which with you your'
  ).split(' '),
)

/** Settings of MiniSearch. */
export const INDEX_OPTIONS = {
  fields: ['title', 'words', 'page', 'text'],
  tokenize: (text: string) => joinStandards(text).split(/[^\p{L}\p{N}]+/u),
  processTerm: listTerms,
}

/** Writes names such as PDF/A and PDF/UA as one word. */
function joinStandards(text: string): string {
  return text.replace(/\bpdf\/(a|e|ua|vt|x)(?![a-z])/gi, (_, standard: string) => `pdf${standard.toLowerCase()}`)
}

/** Spellings of one word. The index has only the second one. */
const SPELLINGS = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
])

/** Numbers of measurements. A status has three digits. */
const OTHER_NUMBER = /^(\d{1,2}|\d{4,})$/

/**
 * Returns the terms of a word: the word in small letters and, for a name such as `fontSize`, also its parts. A single
 * letter is no term, because too many names have one.
 */
function listTerms(word: string): string[] | null {
  const lower = word.toLowerCase()
  if (lower.length < 2 || STOP_WORDS.has(lower) || OTHER_NUMBER.test(lower)) return null
  if (!/^\p{Ll}+\p{Lu}/u.test(word)) return [SPELLINGS.get(lower) ?? lower]
  const parts = word.split(/(?=\p{Lu})/u).filter(part => part.length > 1)
  return [lower, ...parts.map(part => part.toLowerCase())]
}

/** An index as MiniSearch writes and reads it, in version 2 of its format. */
interface WrittenIndex {
  documentCount: number
  nextId: number
  documentIds: Record<string, number>
  fieldIds: Record<string, number>
  fieldLength: Record<string, number[]>
  averageFieldLength: number[]
  storedFields: Record<string, Record<string, unknown>>
  dirtCount: number
  index: [string, Record<string, Record<string, number>>][]
  serializationVersion: number
}

/**
 * Returns the terms of an index that MiniSearch wrote, in a quarter of its size. How often an entry contains a term is
 * lost.
 */
export function packTerms({
  index,
  fieldLength,
}: Pick<WrittenIndex, 'index' | 'fieldLength'>): Pick<SearchIndex, 'terms' | 'ids' | 'lengths'> {
  return {
    terms: index.map(([term]) => term).join(' '),
    ids: INDEX_OPTIONS.fields.map((_, field) =>
      index.map(([, fields]) => writeIds(Object.keys(fields[field] ?? {}).map(Number))).join(';'),
    ),
    lengths: INDEX_OPTIONS.fields.map((_, field) => Object.values(fieldLength).map(lengths => lengths[field] ?? 0)),
  }
}

/** Returns an index that MiniSearch reads. */
export function unpackTerms({ entries, terms, ids, lengths }: SearchIndex): WrittenIndex {
  const idsByField = ids.map(field => field.split(';'))
  return {
    documentCount: entries.length,
    nextId: entries.length,
    documentIds: Object.fromEntries(entries.map((_, id) => [id, id])),
    fieldIds: Object.fromEntries(INDEX_OPTIONS.fields.map((field, id) => [field, id])),
    fieldLength: Object.fromEntries(entries.map((_, id) => [id, lengths.map(values => values[id] ?? 0)])),
    averageFieldLength: lengths.map(values => values.reduce((sum, value) => sum + value, 0) / entries.length),
    storedFields: {},
    dirtCount: 0,
    index: terms
      .split(' ')
      .map((term, position) => [
        term,
        Object.fromEntries(idsByField.map((field, id) => [id, readIds(field[position] ?? '')])),
      ]),
    serializationVersion: 2,
  }
}

function writeIds(ids: number[]): string {
  return ids.map((id, position) => id - (ids[position - 1] ?? 0)).join(',')
}

/** Returns a frequency of 1 for each ID. */
function readIds(differences: string): Record<string, number> {
  let id = 0
  return Object.fromEntries(differences === '' ? [] : differences.split(',').map(each => [(id += Number(each)), 1]))
}
