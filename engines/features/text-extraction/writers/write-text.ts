import { codeLeadingOf, emptyLines } from '../lines/code-lines'
import { joinLines, joinLinked, lineText } from '../join-text'
import type { LinkedText, Vocabulary } from '../join-text'
import type { Block, PageText, TableCell, TextLine } from '../lines/model'

/** What happens to headers and footers. */
type HeadersFooters = 'keep' | 'mark' | 'remove'

/** How text is written. */
export interface WritingOptions {
  vocabulary: Vocabulary
  headersFooters: HeadersFooters
}

/** The blocks of a page, without headers and footers if they are removed. */
export function writtenBlocks({ blocks }: PageText, headersFooters: HeadersFooters): PageText['blocks'] {
  return headersFooters === 'remove' ? blocks.filter(({ role }) => role !== 'header' && role !== 'footer') : blocks
}

/** The text of a block without its mark. Code keeps its lines and indentation. */
export function blockText({ role, lines, actualText }: Block, vocabulary: Vocabulary): string {
  if (actualText !== undefined) return actualText
  return role === 'code' ? codeText(lines) : joinLines(lines, vocabulary)
}

/** The text of a cell as one paragraph. */
export function cellText({ lines, actualText }: TableCell, vocabulary: Vocabulary): string {
  return actualText ?? joinLines(lines, vocabulary)
}

/** The text of a block or a cell with its links and code. Blocks of code and text in place of the lines have none. */
export function linkedText(item: Block | TableCell, vocabulary: Vocabulary): LinkedText {
  if ('role' in item && item.role === 'code') return { text: blockText(item, vocabulary), links: [], code: [] }
  return item.actualText === undefined
    ? joinLinked(item.lines, vocabulary)
    : { text: item.actualText, links: [], code: [] }
}

/** The cells of a table as rows of texts. A cell that spans several places has its text in the first one. */
export function tableRows({ table }: Block, write: (cell: TableCell) => string): string[][] {
  if (!table) return []
  const rows = Array.from({ length: table.rowCount }, () => Array.from({ length: table.columnCount }, () => ''))
  for (const cell of table.cells) {
    const row = rows[cell.row]
    if (row) row[cell.column] = write(cell)
  }
  return rows
}

/** Writes pages as plain text, with an empty line between blocks and a form feed between pages. */
export function writePlainText(pages: readonly PageText[], options: WritingOptions): string {
  return pages
    .map(page => {
      const text = writePage(page, options)
      return text === '' ? '' : `${text}\n`
    })
    .join('\f')
}

function writePage(page: PageText, { vocabulary, headersFooters }: WritingOptions): string {
  const parts: string[] = []
  let isListed = false
  for (const block of writtenBlocks(page, headersFooters)) {
    const text = writeBlock(block, vocabulary, headersFooters)
    if (text === '') continue
    const isItem = block.role === 'list-item'
    if (parts.length > 0) parts.push(isItem && isListed ? '\n' : '\n\n')
    parts.push(text)
    isListed = isItem
  }
  return parts.join('')
}

function writeBlock(block: Block, vocabulary: Vocabulary, headersFooters: HeadersFooters): string {
  if (block.table) {
    return tableRows(block, cell => cellText(cell, vocabulary))
      .map(row => row.join('\t').trimEnd())
      .join('\n')
  }
  const text = blockText(block, vocabulary)
  if (block.role === 'list-item') return `${'  '.repeat((block.level ?? 1) - 1)}${block.marker ?? '•'} ${text}`
  if (headersFooters === 'mark' && text !== '' && block.role === 'header') return `[Header] ${text}`
  if (headersFooters === 'mark' && text !== '' && block.role === 'footer') return `[Footer] ${text}`
  return text
}

/** Lines of code. The distance from the left edge and wide gaps become spaces, and the distance of lines empty lines. */
function codeText(lines: readonly TextLine[]): string {
  const leading = codeLeadingOf(lines)
  return divideColumns(lines)
    .map(column => {
      const left = column.reduce((least, line) => Math.min(least, line.left), Infinity)
      return column
        .map((line, at) => {
          const before = column[at - 1]
          const empty = before ? (emptyLines(before, line, leading) ?? 0) : 0
          return `${'\n'.repeat(empty)}${codeLine(line, left)}`
        })
        .join('\n')
    })
    .join('\n')
}

/** Divides lines where they go on in the next column, which has its own left edge. */
function divideColumns(lines: readonly TextLine[]): TextLine[][] {
  const columns: TextLine[][] = []
  for (const line of lines) {
    const before = columns.at(-1)?.at(-1)
    if (before && line.baseline >= before.baseline) columns.at(-1)?.push(line)
    else columns.push([line])
  }
  return columns
}

function codeLine({ words, isRightToLeft, left: start }: TextLine, left: number): string {
  const count = words.reduce((sum, { text }) => sum + text.length, 0)
  const width = Math.max(1, words.reduce((sum, word) => sum + word.right - word.left, 0) / Math.max(1, count))
  const spaces = (gap: number): string => ' '.repeat(Math.min(80, Math.max(0, Math.round(gap / width))))
  const indent = spaces(start - left)
  if (isRightToLeft) return indent + lineText({ words })
  return words.reduce((text, word, at) => {
    const before = words[at - 1]
    const gap = before ? spaces(word.left - before.right) : ''
    // Narrower gaps follow the rules of other text.
    return gap.length > 1
      ? text + gap + lineText({ words: [word] })
      : text + lineText({ words: before ? [before, word] : [word] }).slice(before?.text.length ?? 0)
  }, indent)
}
