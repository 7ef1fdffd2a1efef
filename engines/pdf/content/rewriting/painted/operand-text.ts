import type { PdfDocument } from '../../../document/document'
import type { Matrix } from '../../../geometry/matrix'
import { ARRAY, DICTIONARY, HEX, LITERAL, MAX_OPERANDS, NAME, NUMBER } from '../../../syntax/content-operands'
import type { Operands } from '../../../syntax/content-operands'
import type { ContentReader } from '../../../syntax/content-reader'
import { writeNumber } from '../../../syntax/number-text'
import { readString, writeString } from '../../../syntax/operand-strings'
import { Parser } from '../../../syntax/parser'
import { serialize } from '../../../syntax/serialize'
import { asBuffer } from '../../../syntax/syntax'

/** A number without anything that readers skip. Longer numbers are more exact than any reader. */
const PLAIN_NUMBER = /^[-+]?(?:\d{1,10}(?:\.\d{0,10})?|\.\d{1,10})$/

/** A hexadecimal string without anything that readers skip. */
const PLAIN_HEX = /^<[0-9A-Fa-f]*>$/

/** Operations that only have numbers, as nearly all operations are. Nothing in them needs to be written anew. */
const PLAIN_OPERATIONS = Array.from(
  { length: 7 },
  (_, count) => new RegExp(`^(?:[-+]?(?:\\d{1,9}(?:\\.\\d{0,9})?|\\.\\d{1,9})\\s{1,4}){${count}}[A-Za-z]{1,2}\\*?$`),
)

/** The most significant digits of a number that is computed, and the most decimals. */
const DIGITS = 9
const MOST_DECIMALS = 15
/** Numbers below this would lose digits with the usual six decimals. */
const SMALL = 0.001

/** Writes the operands of a reader's current operation anew: without comments, and without what readers skip. */
export class OperandText {
  constructor(
    private readonly document: PdfDocument,
    private readonly reader: ContentReader,
  ) {}

  /** The last `count` operands as numbers, with the operator. An operand that isn't a number is 0. */
  numbers(count: number): string {
    const { reader } = this
    const { operands, operator } = reader
    if (operands.count === count) {
      const whole = this.slice(reader.start, reader.end)
      if (PLAIN_OPERATIONS[count]?.test(whole)) return whole
    }
    const first = Math.max(0, operands.count - count)
    const list = Array.from({ length: operands.count - first }, (_, index) => this.number(operands, first + index))
    return [...list, operator].join(' ')
  }

  /** The operand that is `fromEnd` places before the last one, as a number. */
  numberAt(fromEnd: number): string {
    return this.number(this.reader.operands, this.reader.operands.count - 1 - fromEnd)
  }

  /** The operand that is `fromEnd` places before the last one, as a name. Undefined if it isn't a name. */
  nameAt(fromEnd: number): string | undefined {
    const { operands } = this.reader
    const index = operands.count - 1 - fromEnd
    return index >= 0 && operands.kinds[index] === NAME ? this.sliceOf(operands, index) : undefined
  }

  /** The strings and numbers that the last operand shows. Undefined if it shows nothing. */
  shown(): string | undefined {
    const { operands, items } = this.reader
    const last = operands.count - 1
    const kind = operands.kinds[last]
    if (last < 0) return undefined
    if (kind === LITERAL || kind === HEX) return `${this.string(operands, last)} Tj`
    if (kind !== ARRAY) return undefined
    // The reader drops items beyond the limit.
    if (items.count === MAX_OPERANDS) return `${this.sliceOf(operands, last)} TJ`
    const list = this.list(items)
    return list.length > 0 ? `[${list.join(' ')}] TJ` : undefined
  }

  /** The operands of `d`: an array of numbers, and a number. */
  dash(): string {
    const { operands, items } = this.reader
    const at = operands.count - 2
    if (at < 0 || operands.kinds[at] !== ARRAY) return '[] 0 d'
    const list = items.count === MAX_OPERANDS ? this.sliceOf(operands, at) : `[${this.list(items).join(' ')}]`
    return `${list} ${this.numberAt(0)} d`
  }

  /** A dictionary, an array, or another operand, at an index. */
  any(index: number): string {
    const { reader, document } = this
    const { operands } = reader
    const kind = operands.kinds[index]
    if (kind === NUMBER) return this.number(operands, index)
    if (kind === LITERAL || kind === HEX) return this.string(operands, index)
    const text = this.sliceOf(operands, index)
    if ((kind !== DICTIONARY && kind !== ARRAY) || /^<<\s?\/MCID\s?\d{1,9}\s?>>$/.test(text)) return text
    const parsed = new Parser(reader.bytes, document.context, 0).parseAt(operands.starts[index] as number)
    return parsed ? serialize(parsed, () => false) : '<<>>'
  }

  private list(items: Operands): string[] {
    const list: string[] = []
    for (let index = 0; index < items.count; index++) {
      const kind = items.kinds[index]
      if (kind === NUMBER) list.push(this.number(items, index))
      else if (kind === LITERAL || kind === HEX) list.push(this.string(items, index))
    }
    return list
  }

  private number(source: Operands, index: number): string {
    if (index < 0 || source.kinds[index] !== NUMBER) return '0'
    const text = this.sliceOf(source, index)
    return PLAIN_NUMBER.test(text) ? text : writeExactly(source.values[index] as number)
  }

  private string(source: Operands, index: number): string {
    const text = this.sliceOf(source, index)
    const isWhole = source.kinds[index] === HEX ? PLAIN_HEX.test(text) : text.length > 1 && text.endsWith(')')
    if (isWhole) return text
    const [start, end] = [source.starts[index] as number, source.ends[index] as number]
    return writeString(readString(this.reader.bytes, source.kinds[index] as number, start, end))
  }

  private sliceOf(source: Operands, index: number): string {
    return this.slice(source.starts[index] as number, source.ends[index] as number)
  }

  private slice(start: number, end: number): string {
    return asBuffer(this.reader.bytes).toString('latin1', start, end)
  }
}

/** Writes a number with six decimals, or with as many as a small number needs. */
export function writeExactly(value: number): string {
  const size = Math.abs(value)
  if (!(size > 0) || size >= SMALL || !Number.isFinite(value)) return writeNumber(value)
  const decimals = Math.min(MOST_DECIMALS, DIGITS - Math.ceil(Math.log10(size)))
  return value.toFixed(decimals).replace(/\.?0+$/, '')
}

/** Writes a matrix as the operands of `cm` or `Tm`. */
export function writeMatrixOperands(matrix: Matrix): string {
  return matrix.map(writeExactly).join(' ')
}
