import type { LinkedText, TextSpan } from '../join-text'
import type { Block, PageText } from '../lines/model'
import { numberOf } from '../list-marks'
import { linkedText, tableRows, writtenBlocks } from './write-text'
import type { WritingOptions } from './write-text'

/** Writes pages as Markdown (GitHub Flavored Markdown). A comment begins each page after the first one. */
export function writeMarkdown(pages: readonly PageText[], options: WritingOptions): string {
  const texts = pages.map((page, at) => {
    const text = writePage(page, options)
    return at === 0 ? text : `<!-- Page ${page.pageNumber} -->${text === '' ? '' : `\n\n${text}`}`
  })
  return `${texts.join('\n\n').trim()}\n`
}

function writePage(page: PageText, options: WritingOptions): string {
  const parts: string[] = []
  let before: Block | undefined
  // Nested items are indented by the width of the marks above them.
  let indents: number[] = []
  for (const block of writtenBlocks(page, options.headersFooters)) {
    if (block.role !== 'list-item') indents = []
    const text = writeBlock(block, options, indents)
    if (text === '') continue
    const isListed = block.role === 'list-item' && before?.role === 'list-item'
    if (parts.length > 0) parts.push(isListed ? '\n' : '\n\n')
    parts.push(text)
    before = block
  }
  return parts.join('')
}

function writeBlock(block: Block, options: WritingOptions, indents: number[]): string {
  const { vocabulary, headersFooters } = options
  if (block.table) return writeTable(block, options)
  const linked = linkedText(block, vocabulary)
  const raw = linked.text.trim()
  if (block.role === 'code') return raw === '' ? '' : writeCode(linked.text)
  const text = writeLinked(linked)
  if (block.role === 'figure') return writeFigure(block, text)
  if (raw === '') return ''
  if (block.role === 'heading') return `${'#'.repeat(block.level ?? 1)} ${text}`
  if (block.role === 'quote') return `> ${escapeStart(text)}`
  if (block.role === 'list-item') return writeItem(block, text, indents)
  const isEdge = block.role === 'header' || block.role === 'footer'
  if (isEdge && headersFooters === 'mark')
    return `<!-- ${block.role === 'header' ? 'Header' : 'Footer'}: ${raw.replace(/\s+/g, ' ').replaceAll('--', '- -').replaceAll('>', '&gt;')} -->`
  return escapeStart(text)
}

function writeItem({ marker = '•', level = 1 }: Block, text: string, indents: number[]): string {
  const number = numberOf(marker)
  // Markdown has numbers only. Other marks stay as text.
  const isNumber = /^\(?\d+[.)]$/.test(marker) && number !== undefined
  const mark = isNumber ? `${number}.` : '-'
  const label = isNumber || number === undefined ? '' : `${escapeText(marker)} `
  const indent = indents.slice(0, level - 1).reduce((sum, width) => sum + width, 0)
  indents.length = Math.min(indents.length, level - 1)
  indents.push(mark.length + 1)
  return `${' '.repeat(indent)}${mark} ${label}${escapeStart(text)}`
}

function writeTable(block: Block, { vocabulary }: WritingOptions): string {
  const rows = tableRows(block, cell => writeLinked(linkedText(cell, vocabulary)).replaceAll('|', '\\|'))
  const [head, ...body] = rows
  if (!head) return ''
  const write = (row: string[]): string => `| ${row.join(' | ')} |`
  return [write(head), write(head.map(() => '---')), ...body.map(write)].join('\n')
}

function writeCode(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

function writeFigure({ alternativeText }: Block, text: string): string {
  const image = alternativeText ? `![${escapeText(alternativeText.replace(/\s+/g, ' ').trim())}]()` : ''
  return [image, text === '' ? '' : escapeStart(text)].filter(Boolean).join('\n\n')
}

/** Writes a text in one line, with its links and code. */
function writeLinked({ text, links, code }: LinkedText): string {
  let written = ''
  let at = 0
  for (const { start, end, link } of links) {
    // A link after an exclamation mark would be an image.
    written += writeSpans(text, code, at, start).replace(/!$/, '\\!')
    written += `[${writeSpans(text, code, start, end)}](${writeUrl(link.url)})`
    at = end
  }
  return `${written}${writeSpans(text, code, at, text.length)}`.trim()
}

/** Writes a part of a text with its code. */
function writeSpans(text: string, code: readonly TextSpan[], start: number, end: number): string {
  const oneLine = (from: number, to: number): string => text.slice(from, to).replace(/\s+/g, ' ')
  let written = ''
  let at = start
  for (const span of code) {
    const [from, to] = [Math.max(at, span.start), Math.min(end, span.end)]
    const own = oneLine(from, to)
    // Numbers are often set in such a font.
    if (from >= to || !/[^\p{N}\p{Sc}\s.,:;%()+\u2010-\u2015\u2212-]/u.test(own)) continue
    written += escapeText(oneLine(at, from)) + writeInlineCode(own)
    at = to
  }
  return written + escapeText(oneLine(at, end))
}

/** A span of code. Its marks have another length than those in it (CommonMark 0.31, 6.1). */
function writeInlineCode(code: string): string {
  const lengths = new Set([...code.matchAll(/`+/g)].map(([marks]) => marks.length))
  let length = 1
  while (lengths.has(length)) length++
  const marks = '`'.repeat(length)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${marks}${pad}${code}${pad}${marks}`
}

/** Writes the URL of a link. Escapes characters that end it, that have a meaning before it, or that URLs don't have. */
function writeUrl(url: string): string {
  const escaped = url.replace(/[\p{Cc}\s<>\\`|"]/gu, encodeURIComponent).replace(/&(?=#?\w+;)/g, '&amp;')
  return /[()]/.test(escaped) ? `<${escaped}>` : escaped
}

/** Escapes characters with a meaning in Markdown. An underscore in a word has none. */
function escapeText(text: string): string {
  return text
    .replace(/[\\`*<[\]]/g, '\\$&')
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '&amp;')
}

/** Escapes the start of a paragraph that would be a heading, a list, a quote or a rule. */
function escapeStart(text: string): string {
  return text.replace(/^([#>+\-=~|])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
