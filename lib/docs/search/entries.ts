import { listErrorCodes } from '../errors'
import { findEndpoint } from '../endpoints'
import { listRows, nestOptions } from '../pages/nested-options'
import { parseInline, type InlinePart } from '../pages/inline'
import { optionAnchor, type Block, type DocsPage } from '../pages/page'
import type { EntryKind } from './index-format'

/** Something that a search can find. */
export interface SearchEntry {
  kind: EntryKind
  /** The ID of an element on the page. Empty for the page itself. */
  anchor: string
  title: string
  /** The start of the text, for the list of results. */
  context: string
  /** More words that find the entry. */
  words: string
}

/** Pages whose rows with an anchor are of this kind. */
const ROW_KINDS = new Map<string, EntryKind>([
  ['warnings', 'Warning'],
  ['headers', 'Header'],
  ['api-basics', 'Page selector'],
  ['configuration', 'Variable'],
  ['limits', 'Limit'],
])
const MAX_CONTEXT_CHARACTERS = 90
/** A list of changes repeats the words of all pages, so only its dates are found. */
const CHANGES = 'changelog'

/** Lists what a search can find on a page. Texts are plain. `summary` describes the page in the list of all pages. */
export function listEntries(page: DocsPage, summary: string): SearchEntry[] {
  const { slug, title, lead, blocks } = page
  const kind = findEndpoint(slug) ? 'Endpoint' : 'Page'
  return [
    createEntry(kind, { anchor: '', title, text: lead, words: `${slug} ${summary}` }),
    ...blocks.flatMap((block, index): SearchEntry[] => {
      if (block.kind === 'heading') return [describeHeading(page, block, readSection(page, index + 1))]
      if (block.kind === 'options') return describeOptionRows(block)
      return block.kind === 'table' ? describeRows(slug, block) : []
    }),
  ]
}

function describeHeading(
  { slug }: DocsPage,
  { id, text }: Extract<Block, { kind: 'heading' }>,
  sectionTexts: string[],
): SearchEntry {
  const [start = ''] = sectionTexts
  const words = sectionTexts.join(' ')
  const isCode = slug === 'errors' && listErrorCodes().some(code => code === id)
  if (!isCode) return createEntry('Section', { anchor: id, title: text, text: start, words })
  const cause = start.replace('**Cause.** ', '')
  return createEntry('Error code', { anchor: id, title: id, text: `${text.slice(0, 3)}. ${cause}`, words })
}

/** Returns the texts between a heading and the next one. Code is left out. */
function readSection({ slug, blocks }: DocsPage, from: number): string[] {
  const end = blocks.findIndex((block, index) => index >= from && block.kind === 'heading')
  const section = blocks.slice(from, end < 0 ? undefined : end)
  return slug === CHANGES ? section.flatMap(listTexts).slice(0, 1) : section.flatMap(listTexts)
}

function listTexts(block: Block): string[] {
  if (block.kind === 'prose' || block.kind === 'note') return [block.text]
  if (block.kind === 'list') return block.items
  // Rows with an anchor are entries of their own.
  return block.kind === 'table'
    ? block.rows.flatMap(({ id, cells }) => (id === undefined ? [cells.join(' ')] : []))
    : []
}

function describeOptionRows({ anchor, rows }: Extract<Block, { kind: 'options' }>): SearchEntry[] {
  return listRows(nestOptions(rows)).map(({ name, description, values }) =>
    createEntry('Parameter', {
      anchor: optionAnchor(anchor, name),
      title: name,
      text: description,
      words: `${description} ${values.join(' ')}`,
    }),
  )
}

function describeRows(slug: string, { rows }: Extract<Block, { kind: 'table' }>): SearchEntry[] {
  const kind = ROW_KINDS.get(slug)
  if (kind === undefined) return []
  return rows.flatMap(({ id, cells: [name = '', ...others] }) => {
    if (id === undefined) return []
    // A variable has its default before its meaning.
    const text = kind === 'Variable' ? (others.at(-1) ?? '') : (others[0] ?? '')
    return [createEntry(kind, { anchor: id, title: name, text, words: `${id} ${others.join(' ')}` })]
  })
}

function createEntry(
  kind: EntryKind,
  { anchor, title, text, words }: { anchor: string; title: string; text: string; words: string },
): SearchEntry {
  return { kind, anchor, title: readPlain(title), context: shorten(readPlain(text)), words: readPlain(words) }
}

function readPlain(text: string): string {
  const read = (part: InlinePart): string => (part.kind === 'link' ? part.parts.map(read).join('') : part.text)
  return parseInline(text).map(read).join('')
}

/** Cuts a text after a word. */
function shorten(text: string): string {
  if (text.length <= MAX_CONTEXT_CHARACTERS) return text
  return `${text.slice(0, MAX_CONTEXT_CHARACTERS).replace(/[\s,.:;(]+\S*$/, '')}…`
}
