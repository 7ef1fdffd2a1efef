import { PdfName, PdfText, StrictParser } from '../pdf-syntax'
import type { PdfValue } from '../pdf-syntax'

/** The fonts of a content stream: the strings shown with each font, and other resources that the stream draws. */
export interface ContentUse {
  shown: { font: string; bytes: string }[]
}

/** Reads the strings that a content stream shows, with the resource names of their fonts. */
export function readContent(content: Buffer): ContentUse {
  const shown: ContentUse['shown'] = []
  const parser = new StrictParser(content)
  const saved: string[] = []
  let font = ''
  let operands: PdfValue[] = []
  for (;;) {
    parser.skip()
    if (parser.at >= content.length) return { shown }
    const operator = /^[A-Za-z'"*][A-Za-z0-9'"*]*/.exec(content.toString('latin1', parser.at, parser.at + 20))?.[0]
    if (operator === undefined || operator === 'true' || operator === 'false' || operator === 'null') {
      operands.push(parser.value())
      continue
    }
    parser.at += operator.length
    if (operator === 'q') saved.push(font)
    if (operator === 'Q') font = saved.pop() ?? font
    if (operator === 'Tf' && operands[0] instanceof PdfName) font = operands[0].name
    if (['Tj', 'TJ', "'", '"'].includes(operator)) {
      const texts = operands.flatMap(operand => (Array.isArray(operand) ? operand : [operand]))
      for (const text of texts) if (text instanceof PdfText) shown.push({ font, bytes: text.bytes })
    }
    if (operator === 'ID') parser.at = inlineEnd(content, parser.at)
    operands = []
  }
}

function inlineEnd(content: Buffer, at: number): number {
  const end = content.indexOf('EI', at + 1)
  return end < 0 ? content.length : end + 2
}
