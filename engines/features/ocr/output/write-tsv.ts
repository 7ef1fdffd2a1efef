import { pixelBox, pixelSize } from '../page-text/page-geometry'
import type { ReadPage } from '../page-text/page-geometry'
import type { TextWord } from '../page-text/page-text'

const HEAD = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext'

/** The numbers of page, block, paragraph, line and word in a row, each counted within the previous level. */
type Place = [number, number, number, number, number]

/**
 * Writes pages in the TSV format of Tesseract, in pixels of the rendered page, from its upper-left corner.
 */
export function writeTsv(pages: ReadPage[]): string {
  return `${[HEAD, ...pages.flatMap(writePage)].join('\n')}\n`
}

function writePage(page: ReadPage): string[] {
  const { pageNumber, text } = page
  const [width, height] = pixelSize(page)
  const rows = [`1\t${pageNumber}\t0\t0\t0\t0\t0\t0\t${width}\t${height}\t-1\t`]
  const add = (level: number, place: Place, words: TextWord[], last: string): void => {
    const [left, top, right, bottom] = pixelBox(
      page,
      words.map(word => word.box),
    )
    rows.push([level, ...place, left, top, right - left, bottom - top, last].join('\t'))
  }
  for (const [area, { paragraphs }] of text.blocks.entries()) {
    add(
      2,
      [pageNumber, area + 1, 0, 0, 0],
      paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words)),
      '-1\t',
    )
    for (const [paragraph, { lines }] of paragraphs.entries()) {
      add(
        3,
        [pageNumber, area + 1, paragraph + 1, 0, 0],
        lines.flatMap(({ words }) => words),
        '-1\t',
      )
      for (const [line, { words }] of lines.entries()) {
        add(4, [pageNumber, area + 1, paragraph + 1, line + 1, 0], words, '-1\t')
        for (const [index, word] of words.entries()) {
          add(
            5,
            [pageNumber, area + 1, paragraph + 1, line + 1, index + 1],
            [word],
            `${word.confidence === undefined ? 100 : Number(word.confidence.toFixed(1))}\t${word.text}`,
          )
        }
      }
    }
  }
  return rows
}
