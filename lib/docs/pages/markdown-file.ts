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

/** A page whose text is a Markdown file of the repository: its title, its first paragraph as the lead, and blocks. */
export function describeMarkdownFile(slug: keyof typeof FILES): DocsPage {
  const path = FILES[slug]
  return { slug, ...readPage(readFileSync(join(process.cwd(), path), 'utf8'), path) }
}

/**
 * The title, the lead and the blocks of a Markdown text, so that nothing of it reaches a page as HTML. `path` is where
 * the file stands, from which its links count. Throws an Error that names a construct that blocks have no place for.
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

function assertOnly(type: string, tokens: Token[], where: string): void {
  const other = tokens.find(token => token.type !== type)
  if (other) throw new Error(`A ${where} holds a ${other.type}, which a page has no place for`)
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

/** A row that begins with the name of a variable can be linked by it. */
function findAnchor([first = '']: string[]): Pick<TableRow, 'id'> {
  const name = /^`([A-Z][A-Z0-9_]+)`$/.exec(first)?.[1]
  return name === undefined ? {} : { id: name }
}

/** Behind its language, a fence says what the code is: `sh the backup`. */
function readCode({ lang = '', text }: Tokens.Code): Block {
  const [, language = '', what = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? []
  return { kind: 'code', language, text, what: what === '' ? 'the code' : what }
}

/** The text of a token on one line; its marks are those of our own sentences. */
function readText(token: Token | Tokens.ListItem | Tokens.TableCell, path: string): string {
  const text = ('text' in token ? String(token.text) : '').replace(/\s*\n\s*/g, ' ')
  return text.replace(/`[^`]+`|\[([^\]]+)\]\(([^)\s]+)\)/g, (mark, label?: string, href?: string) =>
    label === undefined || href === undefined ? mark : readLink(label, href, path),
  )
}

/** A link to a file that is a page leads there. A visitor of the site has no other file, so its path is named. */
function readLink(label: string, href: string, path: string): string {
  if (/^(https:|#)/.test(href)) return `[${label}](${href})`
  const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? []
  const file = posix.join(posix.dirname(path), target)
  const slug = SLUGS.get(file)
  if (slug !== undefined) return `[${label}](/docs/${slug}${anchor})`
  return label.includes('`') ? label : `${label} (\`${file}\`)`
}
