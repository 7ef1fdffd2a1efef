import { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { ARRAY, DICTIONARY, HEX, LITERAL, MAX_OPERANDS, NAME } from '../../syntax/content-operands'
import type { Operands } from '../../syntax/content-operands'
import { CONTENT_OPERATORS, PATH_PAINTING_OPERATORS, TEXT_SHOWING_OPERATORS } from '../../syntax/content-operators'
import { ContentReader } from '../../syntax/content-reader'
import { Parser } from '../../syntax/parser'
import { characterClass, WHITE } from '../../syntax/syntax'
import { StreamEdits } from './stream-edits'
import { findResource } from '../walk/content-stream'
import type { ResourcesOfStream } from '../walk/content-stream'
import { describesContent, writeWithoutTexts } from './marked-content/marked-content'

/** The operators that draw, or may draw. */
const DRAWING = new Set([...PATH_PAINTING_OPERATORS, ...TEXT_SHOWING_OPERATORS, 'Do', 'BI', 'sh'])

/** The operators with a property list (ISO 32000-2, 14.6.2). */
const DESCRIBING = new Set(['BDC', 'DP'])

/** The shortest unknown operator that may be text. */
const LEAST_LETTERS = 4

/** Maximum number of nested marked-content sequences. */
const MAX_OPEN = 10_000

/** A marked-content sequence, or a marked point. */
interface Described {
  /** Range of the property list. Undefined if it has no texts. */
  range: { start: number; end: number; text: string } | undefined
  drawnBefore: number
}

/**
 * Removes what content has beside its drawing, because it may repeat content that was removed: comments, strings of
 * operators that don't show text, unknown operators, and texts of marked points and of sequences that draw nothing.
 */
export function stripUndrawn(document: PdfDocument, bytes: Uint8Array, stream: ResourcesOfStream): Uint8Array {
  const stripper = new Stripper(document, new ContentReader(bytes), stream)
  return stripper.run()
}

class Stripper {
  private readonly edits = new StreamEdits()
  private readonly open: Described[] = []
  private unfollowed = 0
  private drawn = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly reader: ContentReader,
    private readonly stream: ResourcesOfStream,
  ) {}

  run(): Uint8Array {
    const { reader, edits } = this
    const { bytes } = reader
    let end = 0
    while (reader.next()) {
      this.clear(end, reader.start)
      end = reader.end
      if (this.mayBeText()) edits.replace(reader.start, reader.end, '')
      else this.strip()
    }
    // No operator follows.
    this.clear(end, bytes.length)
    while (this.open.length > 0) this.close()
    return edits.count > 0 ? edits.apply(bytes) : bytes
  }

  /** Removes everything but white space: comments and invalid tokens. */
  private clear(start: number, end: number): void {
    const { bytes } = this.reader
    for (let at = start; at < end; at++) {
      if (characterClass[bytes[at] as number] === WHITE) continue
      this.edits.replace(start, end, '')
      return
    }
  }

  /** Returns whether the operator is unknown and has text, or may be text. */
  private mayBeText(): boolean {
    const { operator, operands } = this.reader
    if (CONTENT_OPERATORS.has(operator)) return false
    return (
      operator.replace(/[^A-Za-z]/g, '').length >= LEAST_LETTERS ||
      operands.kinds.slice(0, operands.count).some(hasText)
    )
  }

  private strip(): void {
    const { reader } = this
    const { operator, operands } = reader
    if (DRAWING.has(operator)) this.drawn++
    // The reader drops operands beyond the limit, so their place isn't known.
    if (operator === 'BI' || operands.count === MAX_OPERANDS) return
    const shown = operator === '"' ? 3 : TEXT_SHOWING_OPERATORS.has(operator) ? 1 : 0
    let at = reader.start
    for (let index = 0; index < operands.count; index++) {
      const [kind, start, end] = [
        operands.kinds[index],
        operands.starts[index] as number,
        operands.ends[index] as number,
      ]
      this.clear(at, start)
      at = end
      const isExtra = shown > 0 && index < operands.count - shown
      if (isExtra || ((kind === LITERAL || kind === HEX) && shown === 0)) this.edits.replace(start, end, '')
      else if (kind === ARRAY && index === operands.count - 1) this.clearItems(start, end, reader.items)
    }
    this.clear(at, reader.end - operator.length)
    if (operator === 'BDC' || operator === 'BMC') this.begin()
    else if (operator === 'EMC') this.close()
    else if (operator === 'DP') this.removeTexts(this.describe())
  }

  /** Removes comments between the items of an array. */
  private clearItems(start: number, end: number, items: Operands): void {
    if (items.count === MAX_OPERANDS) return
    let at = start + 1
    for (let index = 0; index < items.count; index++) {
      // Nested arrays follow their items.
      if ((items.starts[index] as number) < at) return
      this.clear(at, items.starts[index] as number)
      at = items.ends[index] as number
    }
    if (items.count > 0) this.clear(at, end - 1)
  }

  private begin(): void {
    if (this.open.length >= MAX_OPEN) this.unfollowed++
    else this.open.push({ range: this.describe(), drawnBefore: this.drawn })
  }

  private close(): void {
    if (this.unfollowed > 0) {
      this.unfollowed--
      return
    }
    const sequence = this.open.pop()
    if (sequence && sequence.drawnBefore === this.drawn) this.removeTexts(sequence.range)
  }

  private removeTexts(range: Described['range']): void {
    if (range) this.edits.replace(range.start, range.end, range.text)
  }

  /** The property list of an operation, and what to write instead. Undefined if it has no texts. */
  private describe(): Described['range'] {
    const { document, reader, stream } = this
    const { kinds, starts, ends, count } = reader.operands
    const last = count - 1
    if (!DESCRIBING.has(reader.operator) || last < 1) return undefined
    const [start, end] = [starts[last] as number, ends[last] as number]
    const value =
      kinds[last] === NAME
        ? document.peekDict(findResource(document, stream, 'Properties', reader.name))
        : kinds[last] === DICTIONARY
          ? new Parser(reader.bytes, document.context, 0).parseAt(start)
          : undefined
    if (!(value instanceof PDFDict) || !describesContent(value)) return undefined
    return { start, end, text: writeWithoutTexts(document, value) }
  }
}

function hasText(kind: number): boolean {
  return kind === LITERAL || kind === HEX || kind === NAME || kind === ARRAY || kind === DICTIONARY
}
