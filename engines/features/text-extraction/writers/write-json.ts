import { mapBox } from '../../../pdf/geometry'
import type { Box, Matrix } from '../../../pdf/geometry'
import { lineText } from '../join-text'
import { areaAround } from '../lines/model'
import type { Area, Link, PageText, PlacedBlock, TableCell, TextLine, Word } from '../lines/model'
import { blockText, cellText, tableRows, writtenBlocks } from './write-text'
import type { WritingOptions } from './write-text'
import { addTo } from '../../../map-entries'

/**
 * Writes pages as JSON: blocks, lines and words with boxes in points from the lower-left corner of the displayed page.
 */
export function writeJson(pages: readonly PageText[], options: WritingOptions): string {
  const written = pages.map(page => JSON.stringify(describePage(page, options)))
  return `{"pages":[\n${written.join(',\n')}\n]}\n`
}

function describePage(page: PageText, options: WritingOptions): unknown {
  const blocks = writtenBlocks(page, options.headersFooters)
  return {
    page: page.pageNumber,
    width: round(page.width),
    height: round(page.height),
    source: page.source,
    blocks: blocks.map(block => describeBlock(block, options)),
    links: describeLinks(page, blocks),
  }
}

/** The links of a page, without those of headers and footers that are left out. */
function describeLinks({ links, blocks: all }: PageText, written: readonly PlacedBlock[]): unknown[] {
  if (links.length === 0) return []
  const words = wordsByLink(written)
  const covered = written.length === all.length ? words : wordsByLink(all)
  return links
    .filter(link => words.has(link) || !covered.has(link))
    .map(link => ({ text: lineText({ words: words.get(link) ?? [] }), url: link.url, box: describeBox(link.box) }))
}

function wordsByLink(blocks: readonly PlacedBlock[]): Map<Link, Word[]> {
  const found = new Map<Link, Word[]>()
  for (const { lines, table } of blocks)
    for (const line of table ? table.cells.flatMap(cell => cell.lines) : lines)
      for (const word of line.words) {
        if (!word.link) continue
        const text = word.text.slice(word.linkStart, word.linkEnd)
        addTo(found, word.link, { ...word, text })
      }
  return found
}

function describeBlock(block: PlacedBlock, { vocabulary, headersFooters }: WritingOptions): unknown {
  const { toSeen, table, lines, area } = block
  const isEdge = block.role === 'header' || block.role === 'footer'
  return {
    type: isEdge && headersFooters === 'keep' ? 'paragraph' : block.role,
    ...(block.level !== undefined && { level: block.level }),
    ...(block.marker !== undefined && { marker: block.marker }),
    ...(block.alternativeText !== undefined && { alternativeText: block.alternativeText }),
    text: table
      ? tableRows(block, cell => cellText(cell, vocabulary))
          .map(row => row.join('\t').trimEnd())
          .join('\n')
      : blockText(block, vocabulary),
    box: area.right > area.left ? describeArea(area, toSeen) : null,
    ...(table
      ? {
          rowCount: table.rowCount,
          columnCount: table.columnCount,
          cells: table.cells.map(cell => describeCell(cell, toSeen, cellText(cell, vocabulary))),
        }
      : { lines: lines.map(line => describeLine(line, toSeen)) }),
  }
}

function describeCell({ lines, area, ...cell }: TableCell, toSeen: Matrix, text: string): unknown {
  const around = area ?? (lines.length > 0 ? areaAround(lines) : undefined)
  return {
    row: cell.row,
    column: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    isHeader: cell.isHeader,
    text,
    box: around ? describeArea(around, toSeen) : null,
    lines: lines.map(line => describeLine(line, toSeen)),
  }
}

function describeLine(line: TextLine, toSeen: Matrix): unknown {
  return {
    text: lineText(line),
    box: describeArea(line, toSeen),
    fontSize: round(line.size),
    isBold: line.isBold,
    words: line.words.map(word => describeWord(word, toSeen)),
  }
}

function describeWord(word: Word, toSeen: Matrix): unknown {
  return {
    text: word.text.replaceAll('\u00ad', '-'),
    box: describeArea(word, toSeen),
    ...(word.confidence !== undefined && { confidence: Math.round(word.confidence * 10) / 10 }),
  }
}

function describeArea({ left, top, right, bottom }: Area, toSeen: Matrix): unknown {
  return describeBox(mapBox(toSeen, { x: left, y: top, width: right - left, height: bottom - top }))
}

function describeBox({ x, y, width, height }: Box): unknown {
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
