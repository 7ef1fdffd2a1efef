import { describe, expect, it } from 'vitest'
import { agrees, mergeTexts } from '../../../../../engines/features/ocr/page-text/join-texts'
import type { PageText } from '../../../../../engines/features/ocr/page-text/page-text'
import { writePageText } from '../../../../../engines/features/ocr/page-text/plain-text'

/** A page of one word a line, by the height of the line. Two units of the sheet are one point. */
const page = (words: Record<string, number>, scale = 1): PageText => ({
  width: 300 * scale,
  height: 300 * scale,
  toSeen: [1 / scale, 0, 0, -1 / scale, 0, 300],
  blocks: Object.entries(words).map(([text, y]) => ({
    paragraphs: [
      {
        lines: [
          {
            words: [{ text, confidence: 90, box: { x: 0, y: y * scale, width: 50 * scale, height: 10 * scale } }],
            start: { x: 0, y: y * scale },
            end: { x: 50 * scale, y: y * scale },
            size: 10 * scale,
          },
        ],
      },
    ],
  })),
})

describe('two texts of one page', () => {
  it('agree if most longer words are the same, whatever signs surround them', () => {
    expect(agrees(['The', 'keeper,', 'wrote', 'a', 'line'], ['the', 'keeper', 'wrote', 'line.'])).toBe(true)
    expect(agrees(['Tne', 'kceper', 'wrole', 'line'], ['The', 'keeper', 'wrote', 'line'])).toBe(false)
    expect(agrees(['line'], ['line', 'line', 'line', 'line'])).toBe(false)
    expect(agrees([], [])).toBe(false)
  })

  it('are joined from top to bottom, on the sheet of the first text', () => {
    const merged = mergeTexts(page({ heading: 10, footer: 250 }), page({ image: 100, caption: 260 }, 3))
    expect(writePageText(merged, { preserveLayout: false }).split('\n\n')).toEqual([
      'heading',
      'image',
      'footer',
      'caption',
    ])
    const [, image] = merged.blocks
    expect(image?.paragraphs[0]?.lines[0]).toMatchObject({
      size: 10,
      words: [{ box: { x: 0, y: 100, width: 50, height: 10 } }],
    })
  })
})
