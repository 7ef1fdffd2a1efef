import { PDFArray, PDFDict, PDFHexString, PDFNumber, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readString } from '../../../pdf/fonts'
import type { PdfDocument } from '../../../pdf/document'
import {
  ARRAY,
  CONTENT_OPERATORS,
  ContentReader,
  DICTIONARY,
  HEX,
  LITERAL,
  MAX_OPERANDS,
  NAME,
  NUMBER,
  Parser,
  serialize,
  TEXT_SHOWING_OPERATORS,
  writeNumber,
} from '../../../pdf/syntax'
import type { Operands } from '../../../pdf/syntax'
import { LONG_NUMBER } from './content-strings'
import type { RemovedTerms } from './removed-terms'
import { readWithoutLanguages } from '../strings/special-strings'

/** Marked-content operators, whose tags are names that authors may choose (ISO 32000-2, 14.6). */
const MARKS = new Set(['BMC', 'BDC', 'MP', 'DP'])

/** Which shown text stays: all text, only text whose codes contain no removed term (`other`), or none. */
export type ShownText = 'all' | 'other' | 'none'

/**
 * Returns the content stream without text that it doesn't show: comments, misplaced strings, and text in property lists
 * of marked content. Everything that is drawn stays, except for the text that `shown` excludes. `writePainted` removes
 * such text from whole content, whatever it says. A single stream may end inside an operation, so here only removed terms
 * decide about operands at its end, unknown operators and texts of marked content.
 */
export function cleanContent(
  document: PdfDocument,
  bytes: Uint8Array,
  { words, shown }: { words: RemovedTerms; shown: ShownText },
): Buffer {
  const reader = new ContentReader(bytes)
  const cleaner = new Cleaner(document, reader, words)
  const parts: string[] = []
  while (reader.next()) {
    const { operator } = reader
    if (operator === 'BI') parts.push(Buffer.from(bytes.subarray(reader.start, reader.end)).toString('latin1'))
    else if (TEXT_SHOWING_OPERATORS.has(operator))
      parts.push(
        shown === 'none' || (shown === 'other' && words.isIn(cleaner.codes()))
          ? sideEffectOf(operator)
          : cleaner.show(),
      )
    else if (CONTENT_OPERATORS.has(operator) || !cleaner.containsTerm()) parts.push(cleaner.write())
  }
  // The operator for trailing operands may be in the page's next content stream.
  const rest = cleaner.rest()
  return Buffer.from(`${[...parts, ...(rest === '' ? [] : [rest])].join('\n')}\n`, 'latin1')
}

/** Returns the operator that keeps the side effect of a removed text-showing operator. */
function sideEffectOf(operator: string): string {
  return operator === "'" || operator === '"' ? 'T*' : ''
}

class Cleaner {
  constructor(
    private readonly document: PdfDocument,
    private readonly reader: ContentReader,
    private readonly words: RemovedTerms,
  ) {}

  /** Returns the codes that an operation shows, one character per byte. */
  codes(): string {
    const { operands, items } = this.reader
    const source = operands.kinds[operands.count - 1] === ARRAY ? items : operands
    return Array.from({ length: source.count }, (_, index) => this.codesAt(source, index)).join('')
  }

  /** Writes a text-showing operation, without superfluous operands. */
  show(): string {
    const { operands, items, operator } = this.reader
    const last = operands.count - 1
    if (last < 0) return sideEffectOf(operator)
    const isArray = operands.kinds[last] === ARRAY && items.count < MAX_OPERANDS
    const string = isArray
      ? `[${Array.from({ length: items.count }, (_, index) => this.slice(items, index)).join(' ')}]`
      : this.slice(operands, last)
    const before =
      operator === '"' && last >= 2 ? `${this.slice(operands, last - 2)} ${this.slice(operands, last - 1)} ` : ''
    return `${before}${string} ${operator}`
  }

  /** Writes any other operation, without operands that contain a removed term. */
  write(): string {
    const { operands, operator } = this.reader
    const written = Array.from({ length: operands.count }, (_, index) => this.operand(index))
    return [...written.filter(text => text !== ''), operator].join(' ')
  }

  /** Writes the operands after the last operator. */
  rest(): string {
    const { operands } = this.reader
    return this.words.isIn(this.codes())
      ? ''
      : Array.from({ length: operands.count }, (_, index) => this.slice(operands, index))
          .filter(text => !this.words.isInBytes(Buffer.from(text, 'latin1')))
          .join(' ')
  }

  /** Returns whether an unknown operator or one of its operands contains a removed term. */
  containsTerm(): boolean {
    const { reader, words } = this
    return words.isInBytes(reader.bytes.subarray(reader.start, reader.end)) || words.isIn(this.codes())
  }

  private operand(index: number): string {
    const { operands, operator } = this.reader
    const kind = operands.kinds[index]
    if (kind === LITERAL || kind === HEX) return ''
    if (kind === NUMBER) return this.number(index)
    if (kind === DICTIONARY) return this.dictionary(operands.starts[index] ?? 0)
    if (kind === ARRAY)
      return this.words.isInBytes(this.reader.bytes.subarray(operands.starts[index], operands.ends[index]))
        ? '[]'
        : this.slice(operands, index)
    if (kind === NAME && MARKS.has(operator) && index === 0 && this.words.isIn(this.reader.nameAt(0) ?? ''))
      return '/Span'
    return this.slice(operands, index)
  }

  /** Writes a number, or 0 for a removed term. */
  private number(index: number): string {
    const text = this.slice(this.reader.operands, index)
    return LONG_NUMBER.test(text) && this.words.isIn(text) ? '0' : text
  }

  private dictionary(start: number): string {
    const { document, reader } = this
    const parsed = new Parser(reader.bytes, document.context, 0).parseAt(start)
    if (!(parsed instanceof PDFDict)) return '<<>>'
    const stack: PDFObject[] = [parsed]
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (value instanceof PDFArray) stack.push(...value.asArray())
      if (!(value instanceof PDFDict)) continue
      for (const [key, entry] of value.entries()) {
        if (this.repeatsTerm(entry)) value.delete(key)
        else if (entry instanceof PDFArray && entry.asArray().some(item => this.repeatsTerm(item))) value.delete(key)
        else stack.push(entry)
      }
    }
    return serialize(parsed, () => false)
  }

  private repeatsTerm(value: PDFObject): boolean {
    if (value instanceof PDFNumber) return this.words.isIn(String(value))
    return (value instanceof PDFString || value instanceof PDFHexString) && this.words.isIn(readWithoutLanguages(value))
  }

  private codesAt(source: Operands, index: number): string {
    const kind = source.kinds[index] ?? 0
    return kind === LITERAL || kind === HEX
      ? Buffer.from(readString(this.reader.bytes, kind, source.starts[index] ?? 0, source.ends[index] ?? 0)).toString(
          'latin1',
        )
      : ''
  }

  private slice(source: Operands, index: number): string {
    const text = Buffer.from(this.reader.bytes.subarray(source.starts[index], source.ends[index])).toString('latin1')
    // Readers ignore characters that directly follow the digits of a number.
    return source.kinds[index] === NUMBER && !/^[-+.\d]+$/.test(text) ? writeNumber(source.values[index] ?? 0) : text
  }
}
