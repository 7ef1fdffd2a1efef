import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { DICTIONARY, NAME } from '../../../syntax/content-operands'
import type { ContentReader } from '../../../syntax/content-reader'
import * as Name from '../../../syntax/names'
import { Parser } from '../../../syntax/parser'
import { describesContent, writeWithoutTexts } from '../marked-content/marked-content'
import type { OperandText } from './operand-text'

/** The tag for a sequence without a tag. */
const NO_TAG = '/Span'

/**
 * What to write for `BMC` or `BDC`: for a sequence in which something is painted, and for one in which nothing is. The
 * latter is undefined unless tags may refer to the sequence.
 */
export function writeMark(
  document: PdfDocument,
  reader: ContentReader,
  { operands, find }: { operands: OperandText; find: (name: string | undefined) => PDFObject | undefined },
): { text: string; emptyText: string | undefined } {
  const { kinds, starts, count } = reader.operands
  const last = count - 1
  if (reader.operator === 'BMC') return { text: `${operands.nameAt(0) ?? NO_TAG} BMC`, emptyText: undefined }
  const tag = operands.nameAt(1) ?? NO_TAG
  const isNamed = kinds[last] === NAME
  const value = isNamed
    ? find(reader.name)
    : kinds[last] === DICTIONARY
      ? new Parser(reader.bytes, document.context, 0).parseAt(starts[last] ?? 0)
      : undefined
  const properties = document.peekDict(value)
  if (!properties) return { text: `${tag} BMC`, emptyText: undefined }
  const text = `${tag} ${operands.any(last)} BDC`
  if (!properties.has(Name.MCID)) return { text, emptyText: undefined }
  const emptyText = describesContent(properties) ? `${tag} ${writeWithoutTexts(document, properties)} BDC` : text
  return { text, emptyText }
}
