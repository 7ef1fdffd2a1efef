import type { OptionRow } from '../describe'
import { parseInline, type InlinePart } from './inline'
import type { Block, DocsPage, TableRow } from './page'

/** Settings for the conversion of a page to Markdown. */
export interface MarkdownSettings {
  /** The origin for links that begin with a slash. */
  origin: string
  /** IDs of the sample languages to include. All if undefined. */
  languages?: string[]
}

/** Returns a page as Markdown (CommonMark with tables). Its links lead to the Markdown versions of other pages. */
export function writeMarkdown({ title, lead, blocks }: DocsPage, settings: MarkdownSettings): string {
  const pieces = [
    `# ${writeInline(title, settings)}`,
    writeInline(lead, settings),
    ...blocks.map(block => writeBlock(block, settings)),
  ]
  return `${pieces.filter(piece => piece !== '').join('\n\n')}\n`
}

function writeBlock(block: Block, settings: MarkdownSettings): string {
  const inline = (text: string) => writeInline(text, settings)
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${inline(block.text)}`
    case 'prose':
      return inline(block.text)
    case 'note':
      return `> ${inline(block.text)}`
    case 'list':
      return block.items.map((item, index) => `${block.isOrdered ? `${index + 1}.` : '-'} ${inline(item)}`).join('\n')
    case 'code':
      return writeFence(block.language, block.text)
    case 'samples':
      return block.samples
        .filter(({ id }) => settings.languages?.includes(id) ?? true)
        .map(({ id, name, text }) => `${name}:\n\n${writeFence(FENCES[id] ?? id, text)}`)
        .join('\n\n')
    case 'facts':
      return block.facts.map(({ name, text }) => `- **${name}**: ${inline(text)}`).join('\n')
    case 'table':
      return writeTable(block.columns, block.rows, settings)
    case 'options':
      return writeTable(
        ['Name', 'Type', 'Default', 'Meaning'],
        block.rows.map(row => ({ cells: describeOption(row) })),
        settings,
      )
    case 'column':
      return ''
    case 'endpoint':
      return `${writeFence('http', `POST ${block.path}`)}\n\n[Try it](${settings.origin}${block.tryAt})`
  }
}

const FENCES: Record<string, string> = { curl: 'sh', node: 'js' }

function describeOption({
  name,
  type,
  values,
  bounds,
  default: fallback,
  isRequired,
  description,
}: OptionRow): string[] {
  const allowedValues =
    values.length === 0
      ? []
      : [`${values.length === 1 ? 'Only' : 'One of'} ${values.map(value => `\`${value}\``).join(', ')}.`]
  const limits = bounds === undefined ? [] : [`${bounds.charAt(0).toUpperCase()}${bounds.slice(1)}.`]
  return [
    `\`${name}\`${isRequired ? ', required' : ''}`,
    type,
    fallback === undefined ? '' : `\`${fallback}\``,
    [description, ...allowedValues, ...limits].join(' '),
  ]
}

function writeTable(columns: string[], rows: TableRow[], settings: MarkdownSettings): string {
  const writeRow = (cells: string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [
    writeRow(columns),
    writeRow(columns.map(() => '---')),
    ...rows.map(({ cells }) => writeRow(cells.map(cell => writeInline(cell, settings)))),
  ].join('\n')
}

function writeFence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function writeInline(text: string, settings: MarkdownSettings): string {
  return parseInline(text)
    .map(part => {
      if (part.kind === 'code') return `\`${part.text}\``
      if (part.kind === 'strong') return `**${escape(part.text)}**`
      if (part.kind === 'link')
        return `[${part.parts.map(writeLinkPart).join('')}](${writeAddress(part.href, settings.origin)})`
      return escape(part.text)
    })
    .join('')
}

/** Links contain only text and code. */
function writeLinkPart(part: InlinePart): string {
  if (part.kind === 'code') return `\`${part.text}\``
  return part.kind === 'text' ? escape(part.text) : ''
}

/** Links to pages of the documentation get their Markdown versions. */
function writeAddress(href: string, origin: string): string {
  const page = /^(\/docs(?:\/[a-z0-9-]+)?)(#.*)?$/.exec(href)
  if (page) return `${origin}${page[1]}.md${page[2] ?? ''}`
  return href.startsWith('/') ? `${origin}${href}` : href
}

/** Escapes Markdown characters. An underscore inside a word needs no escape. */
function escape(text: string): string {
  return text.replace(/[\\*<]|(?<!\w)_|_(?!\w)/g, '\\$&')
}
