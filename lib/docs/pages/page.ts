import type { Config } from '../../config'
import type { OptionRow } from '../describe'
import type { Sample } from '../samples'

/**
 * A page of the documentation, from which both HTML and Markdown are generated. Texts use the markup of `inline.ts`:
 * code in backticks, `[text](/address)` and `**strong**`. Everything else is literal.
 */
export interface DocsPage {
  /** The URL is `/docs/<slug>`. Empty for the first page. */
  slug: string
  title: string
  /** One or two sentences. */
  lead: string
  blocks: Block[]
}

/** A block of a page. */
export type Block =
  | { kind: 'heading'; level: 2 | 3; id: string; text: string }
  | { kind: 'prose'; text: string }
  /** An important note. */
  | { kind: 'note'; text: string }
  | { kind: 'list'; items: string[]; isOrdered?: boolean }
  | { kind: 'code'; language: string; text: string; what: string }
  | { kind: 'samples'; label: string; samples: Sample[] }
  | { kind: 'facts'; facts: { name: string; text: string }[] }
  | { kind: 'table'; columns: string[]; rows: TableRow[] }
  /** `anchor` begins the anchors of the rows, because a page can have several lists with the same names. */
  | { kind: 'options'; anchor: string; rows: OptionRow[] }
  /** Blocks between the start and the end are beside the blocks up to `after`, if the screen is wide enough. */
  | { kind: 'column'; at: 'start' | 'end' | 'after' }
  /** The first line of a request, with a link to the playground. */
  | { kind: 'endpoint'; path: string; tryAt: string }

/** A row of a table. `id` is its anchor. */
export interface TableRow {
  id?: string
  cells: string[]
}

/** Details of the server that a page may contain. */
export interface PageContext {
  /** Scheme, host and port. */
  origin: string
  config: Config
}

/** Returns a heading with an anchor made from its words. */
export function heading(text: string, level: 2 | 3 = 2): Block {
  return {
    kind: 'heading',
    level,
    id: text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    text,
  }
}

/** Returns the anchor of a row of an options block, such as `param-ranges.start` for `ranges[].start`. */
export function optionAnchor(anchor: string, name: string): string {
  return `${anchor}-${name.replaceAll('[]', '')}`
}

/** Returns a paragraph. */
export function prose(text: string): Block {
  return { kind: 'prose', text }
}

/** Returns an unordered list. */
export function list(...items: string[]): Block {
  return { kind: 'list', items }
}
