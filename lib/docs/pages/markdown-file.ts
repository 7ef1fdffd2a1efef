import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { heading, type Block, type DocsPage, type TableRow } from './page'

/** The files of the repository that are pages of the documentation, by slug. */
const FILES = {
  'self-hosting': 'docs/self-hosting.md',
  configuration: 'docs/configuration.md',
  changelog: 'CHANGELOG.md',
} as const

const SLUGS = new Map<string, string>(Object.entries(FILES).map(([slug, path]) => [path, slug]))

/** Returns a page from a Markdown file of the repository: its title, its first paragraph as the lead, and blocks. */
export function describeMarkdownFile(slug: keyof typeof FILES): DocsPage {
  const path = FILES[slug]
  return { slug, ...readPage(readFileSync(join(process.cwd(), path), 'utf8'), path) }
}

/**
 * Parses Markdown into title, lead and blocks, so that no Markdown reaches a page as HTML. `path` is the file's path,
 * to which its links are relative. Throws an Error that names an unsupported construct.
 */
export function readPage(markdown: string, path: string): Omit<DocsPage, 'slug'> {
  const [title, lead, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space')
  if (title?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`${path} must begin with a title and a paragraph`)
  return {
    title: readText(title, path),
    lead: readText(lead, path),
    blocks: rest.map(token => readBlock(token as Tokens.Generic, path)),
  }
}

function readBlock(token: Tokens.Generic, path: string): Block {
  switch (token.type) {
    case 'heading':
      return heading(readText(token, path), token['depth'] === 2 ? 2 : 3)
    case 'paragraph':
      return { kind: 'prose', text: readText(token, path) }
    case 'blockquote':
      assertOnly('paragraph', token.tokens ?? [], `${token.type} of ${path}`)
      return { kind: 'note', text: readText(token, path) }
    case 'list':
      return readList(token as Tokens.List, path)
    case 'table':
      return readTable(token as Tokens.Table, path)
    case 'code':
      return readCode(token as Tokens.Code)
    default:
      throw new Error(`${path} holds a ${token.type}, which a page has no place for`)
  }
}

function readList({ items, ordered }: Tokens.List, path: string): Block {
  return {
    kind: 'list',
    items: items.map(item => {
      assertOnly('text', item.tokens, `list of ${path}`)
      return readText(item, path)
    }),
    isOrdered: ordered,
  }
}

function assertOnly(type: string, tokens: Token[], location: string): void {
  const unsupported = tokens.find(token => token.type !== type)
  if (unsupported) throw new Error(`A ${location} holds a ${unsupported.type}, which a page has no place for`)
}

function readTable({ header, rows }: Tokens.Table, path: string): Block {
  return {
    kind: 'table',
    columns: header.map(cell => readText(cell, path)),
    rows: rows.map(row => {
      const cells = row.map(cell => readText(cell, path))
      return { ...findAnchor(cells), cells }
    }),
  }
}

/** A row that begins with the name of a variable gets an anchor. */
function findAnchor([first = '']: string[]): Pick<TableRow, 'id'> {
  const name = /^`([A-Z][A-Z0-9_]+)`$/.exec(first)?.[1]
  return name === undefined ? {} : { id: name }
}

/** After its language, a fence can describe the code: `sh the backup`. */
function readCode({ lang = '', text }: Tokens.Code): Block {
  const [, language = '', what = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? []
  return { kind: 'code', language, text, what: what === '' ? 'the code' : what }
}

/** Returns the text of a token on one line, in the markup of `inline.ts`. */
function readText(token: Token | Tokens.ListItem | Tokens.TableCell, path: string): string {
  const text = ('text' in token ? String(token.text) : '').replace(/\s*\n\s*/g, ' ')
  return text.replace(/`[^`]+`|\[([^\]]+)\]\(([^)\s]+)\)/g, (mark, label?: string, href?: string) =>
    label === undefined || href === undefined ? mark : readLink(label, href, path),
  )
}

/**
 * Rewrites a link to a file that is also a page. For other files, which the site doesn't have, the text names the path.
 */
function readLink(label: string, href: string, path: string): string {
  if (/^(https:|#)/.test(href)) return `[${label}](${href})`
  const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? []
  const file = posix.join(posix.dirname(path), target)
  const slug = SLUGS.get(file)
  if (slug !== undefined) return `[${label}](/docs/${slug}${anchor})`
  return label.includes('`') ? label : `${label} (\`${file}\`)`
}
