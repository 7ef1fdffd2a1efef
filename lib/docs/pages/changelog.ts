import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { heading, type Block, type DocsPage } from './page'

/** The changelog of the project, whose Markdown becomes blocks of ours: nothing of it reaches a page as HTML. */
export function describeChangelog(): DocsPage {
  return {
    slug: 'changelog',
    title: 'Changelog',
    lead: 'What changed for those who call the service, newest first.',
    blocks: readBlocks(readFileSync(join(process.cwd(), 'CHANGELOG.md'), 'utf8')),
  }
}

/**
 * Headings, paragraphs, lists and code of a Markdown text, without its title. Other constructs throw an Error that
 * names them.
 */
export function readBlocks(markdown: string): Block[] {
  return lexer(markdown).flatMap(readToken)
}

function readToken(token: Token): Block[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return (token as Tokens.Heading).depth === 1
        ? []
        : [heading(plain(token), (token as Tokens.Heading).depth === 2 ? 2 : 3)]
    case 'paragraph':
      return [{ kind: 'prose', text: plain(token) }]
    case 'list':
      return [
        {
          kind: 'list',
          items: (token as Tokens.List).items.map(item => plain(item)),
          isOrdered: (token as Tokens.List).ordered,
        },
      ]
    case 'code':
      return [
        {
          kind: 'code',
          language: (token as Tokens.Code).lang ?? '',
          text: (token as Tokens.Code).text,
          what: 'the code',
        },
      ]
    default:
      throw new Error(`The changelog holds a ${token.type}, which its page has no place for`)
  }
}

/** The text of a token; its marks are those of our own sentences. */
function plain(token: Token | Tokens.ListItem): string {
  return String('text' in token ? token.text : '').replace(/\s*\n\s*/g, ' ')
}
