import type { Config } from '../../config'
import type { OptionRow } from '../describe'
import type { Sample } from '../samples'

/**
 * A page of the documentation, from which both its HTML and its Markdown are written. Texts are those of `inline.ts`:
 * code in backticks, `[text](/address)` and `**strong**`; everything else stands for itself.
 */
export interface DocsPage {
  /** Its address is `/docs/<slug>`; empty for the first one. */
  slug: string
  title: string
  /** One or two sentences. */
  lead: string
  blocks: Block[]
}

/** A piece of a page. */
export type Block =
  | { kind: 'heading'; level: 2 | 3; id: string; text: string }
  | { kind: 'prose'; text: string }
  /** What nobody may overlook. */
  | { kind: 'note'; text: string }
  | { kind: 'list'; items: string[]; isOrdered?: boolean }
  | { kind: 'code'; language: string; text: string; what: string }
  | { kind: 'samples'; label: string; samples: Sample[] }
  | { kind: 'facts'; facts: { name: string; text: string }[] }
  | { kind: 'table'; columns: string[]; rows: TableRow[] }
  | { kind: 'options'; rows: OptionRow[] }
  /** The first line of a request, with the place where it can be tried. */
  | { kind: 'endpoint'; path: string; tryAt: string }

/** A row of a table; `id` is its anchor. */
export interface TableRow {
  id?: string
  cells: string[]
}

/** What a page may say of the server that shows it. */
export interface PageContext {
  /** Scheme, host and port. */
  origin: string
  config: Config
}

/** A heading whose anchor is made of its words. */
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

/** A paragraph. */
export function prose(text: string): Block {
  return { kind: 'prose', text }
}

/** A list without an order. */
export function list(...items: string[]): Block {
  return { kind: 'list', items }
}
