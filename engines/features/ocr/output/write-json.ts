import { writePageText } from '../page-text/plain-text'
import { confidenceOf, seenBox } from '../page-text/page-geometry'
import type { ReadPage } from '../page-text/page-geometry'

/**
 * Writes pages as JSON: text, words with bounding boxes, and confidence from 0 to 100. Boxes are in points from the
 * lower-left corner of the page as displayed.
 */
export function writeJson(
  pages: ReadPage[],
  { languages, preserveLayout }: { languages: string[]; preserveLayout: boolean },
): string {
  const facts = {
    languages,
    confidence: round(confidenceOf(pages), 1),
    pages: pages.map(page => describePage(page, preserveLayout)),
  }
  return `${JSON.stringify(facts, null, 1)}\n`
}

function describePage(page: ReadPage, preserveLayout: boolean): unknown {
  const { pageNumber, width, height, source, text } = page
  let lineNumber = 0
  const words = text.blocks.flatMap(({ paragraphs }, block) =>
    paragraphs.flatMap(({ lines }, paragraph) =>
      lines.flatMap(line => {
        lineNumber++
        return line.words.map(word => {
          const box = seenBox(page, [word.box]) ?? word.box
          return {
            text: word.text,
            confidence: round(word.confidence, 1),
            box: { x: round(box.x, 2), y: round(box.y, 2), width: round(box.width, 2), height: round(box.height, 2) },
            block: block + 1,
            paragraph: paragraph + 1,
            line: lineNumber,
          }
        })
      }),
    ),
  )
  return {
    page: pageNumber,
    width: round(width, 2),
    height: round(height, 2),
    source,
    confidence: round(confidenceOf([page]), 1),
    text: writePageText(text, { preserveLayout }),
    words,
  }
}

/** Rounds a value. Returns null for undefined. */
function round(value: number | undefined, digits: number): number | null {
  return value === undefined ? null : Number(value.toFixed(digits))
}
