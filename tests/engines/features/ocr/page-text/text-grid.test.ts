import { describe, expect, it } from 'vitest'
import type { PageText, TextLine } from '../../../../../engines/features/ocr/page-text/page-text'
import { joinPageTexts, writePageText } from '../../../../../engines/features/ocr/page-text/plain-text'

/** A line of words. Each has its text and the left edge of its box, with letters ten wide. */
function line(y: number, ...words: [string, number][]): TextLine {
  const placed = words.map(([text, x]) => ({
    text,
    confidence: 90,
    box: { x, y, width: 10 * text.length, height: 12 },
  }))
  return { words: placed, start: { x: 0, y: y + 12 }, end: { x: 100, y: y + 12 }, size: 14 }
}

const page = (...columns: TextLine[][]): PageText => ({
  width: 600,
  height: 800,
  toSeen: [1, 0, 0, -1, 0, 800],
  blocks: columns.map(lines => ({ paragraphs: [{ lines }] })),
})

const columns = page(
  [line(100, ['Left', 50], ['one', 100]), line(120, ['Left', 50], ['two', 100])],
  [line(101, ['Right', 300]), line(160, ['12.50', 310])],
)

describe('text of a page', () => {
  it('has one column after the other in reading order', () => {
    expect(writePageText(columns, { preserveLayout: false })).toBe('Left one\nLeft two\n\nRight\n12.50')
  })

  it('has columns side by side and keeps gaps if the layout is preserved', () => {
    expect(writePageText(columns, { preserveLayout: true })).toBe(
      ['Left one                 Right', 'Left two', '', '                          12.50'].join('\n'),
    )
  })

  it('has no spaces between signs of scripts without spaces', () => {
    expect(
      writePageText(page([line(100, ['日本', 0], ['語', 40], ['and', 80], ['more', 120])]), { preserveLayout: false }),
    ).toBe('日本語 and more')
  })

  it('separates pages by form feeds, empty ones too', () => {
    expect(joinPageTexts(['one', '', 'three'])).toBe('one\n\f\fthree\n')
  })
})
