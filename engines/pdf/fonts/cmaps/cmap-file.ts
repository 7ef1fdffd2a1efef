import { keyOfCode } from '../../content/code-keys'
import { ARRAY, HEX, LITERAL, NAME, NUMBER, readName } from '../../syntax/content-operands'
import { ContentReader } from '../../syntax/content-reader'
import { CodeRanges } from './code-ranges'
import { readTextOfName } from '../programs/glyph-names'
import { readString } from '../../syntax/operand-strings'

/** The codes of one length: those whose every byte lies between the bytes of `low` and `high`. */
export interface CodeSpace {
  low: Uint8Array
  high: Uint8Array
}

/** The mappings of one CMap, without the CMap that it is based on (ISO 32000-2, 9.7.5.4). */
export interface CMapFile {
  spaces: CodeSpace[]
  /** The glyph (CID) of each code. Within a range, glyphs count up. */
  cids: CodeRanges<number>
  /** The text of each code. Within a range, texts count up. */
  texts: CodeRanges<string>
  /** 0 for horizontal and 1 for vertical writing. Undefined if the CMap doesn't state it. */
  writingMode: number | undefined
  /** The name of the CMap that this one is based on. */
  baseName: string | undefined
}

/** Maximum number of operands in one block. */
const MOST_OPERANDS = 600_000

const MOST_SPACES = 1000

/** Maximum number of hexadecimal digits of a text that are read. */
const MOST_DIGITS = 1024

const LONGEST_CODE = 4

const BLOCK = /^(?:begin|end)(codespacerange|cidrange|cidchar|bfrange|bfchar)$/

/** Returns an empty CMap. */
export function emptyCMapFile(): CMapFile {
  return { spaces: [], cids: new CodeRanges(), texts: new CodeRanges(), writingMode: undefined, baseName: undefined }
}

/**
 * Reads a CMap file as viewers do. Counts before blocks don't matter, a block may lack its end, and hexadecimal strings
 * may have an odd number of digits.
 */
export function readCMapFile(bytes: Uint8Array): CMapFile {
  const reader = new ContentReader(bytes, MOST_OPERANDS)
  const file = emptyCMapFile()
  let open: string | undefined
  for (let isMore = true; isMore;) {
    isMore = reader.next()
    const word = isMore ? BLOCK.exec(reader.operator)?.[1] : undefined
    const isStart = word !== undefined && reader.operator.startsWith('begin')
    const block = open ?? (isStart ? undefined : word)
    if (block) readBlock(reader, block, file)
    open = isStart ? word : undefined
    if (!isMore) break
    if (reader.operator === 'usecmap') file.baseName = reader.name
    else if (reader.operator === 'def' && reader.nameAt(reader.operands.count - 2) === 'WMode')
      file.writingMode ??= reader.number(0)
  }
  return file
}

function readBlock(reader: ContentReader, block: string, file: CMapFile): void {
  const { operands } = reader
  const size = block.endsWith('char') || block === 'codespacerange' ? 2 : 3
  for (let index = 0; index + size <= operands.count; index += size) {
    // A missing or superfluous value must not shift all others.
    while (index + size <= operands.count && digitsAt(reader, index) === undefined) index++
    const low = digitsAt(reader, index)
    const high = size === 3 || block === 'codespacerange' ? digitsAt(reader, index + 1) : low
    if (low === undefined || high === undefined || index + size > operands.count) continue
    if (block === 'codespacerange') addSpace(file, low, high)
    else addRange(reader, file, { ...keysOf(low, high), value: index + size - 1 })
  }
}

function addSpace({ spaces }: CMapFile, low: string, high: string): void {
  const [first, last] = [Buffer.from(low, 'hex'), Buffer.from(high, 'hex')]
  const isCode = first.length > 0 && first.length === last.length && first.length <= LONGEST_CODE
  if (isCode && spaces.length < MOST_SPACES) spaces.push({ low: first, high: last })
}

/** Adds a range with the operand at index `value`. */
function addRange(
  reader: ContentReader,
  { cids, texts }: CMapFile,
  { low, high, value }: { low: number; high: number; value: number },
): void {
  const { kinds, values, starts, ends } = reader.operands
  if (kinds[value] === NUMBER) cids.add(low, high, values[value] as number)
  else if (kinds[value] === ARRAY) {
    const list = new ContentReader(reader.bytes.subarray(starts[value], ends[value]))
    list.next()
    for (let item = 0; item < list.items.count && low + item <= high; item++) {
      const text = textAt(list, list.items, item)
      if (text !== undefined) texts.add(low + item, low + item, text)
    }
  } else {
    const text = textAt(reader, reader.operands, value)
    if (text !== undefined) texts.add(low, high, text)
  }
}

/** The keys of the first and the last code of a range. */
function keysOf(low: string, high: string): { low: number; high: number } {
  const length = Math.min(LONGEST_CODE, Math.max(1, Math.ceil(Math.max(low.length, high.length) / 2)))
  const keyOf = (digits: string): number =>
    keyOfCode(Number.parseInt(digits.slice(-2 * LONGEST_CODE) || '0', 16), length)
  return { low: keyOf(low), high: keyOf(high) }
}

/** The hexadecimal digits of a string. Undefined for other operands. */
function digitsAt(reader: ContentReader, index: number, operands = reader.operands): string | undefined {
  if (index >= operands.count) return undefined
  const [kind, start, end] = [operands.kinds[index], operands.starts[index] as number, operands.ends[index] as number]
  if (kind === LITERAL)
    return Buffer.from(readString(reader.bytes, kind, start, end))
      .toString('hex')
      .slice(0, MOST_DIGITS)
  if (kind !== HEX) return undefined
  const written = Buffer.from(reader.bytes.subarray(start, Math.min(end, start + 4 * MOST_DIGITS))).toString('latin1')
  return written.replace(/[^0-9a-fA-F]/g, '').slice(0, MOST_DIGITS)
}

/** The text of a UTF-16BE string or of a glyph name. A string of fewer than four digits is one character. */
function textAt(reader: ContentReader, operands: ContentReader['operands'], index: number): string | undefined {
  if (operands.kinds[index] === NAME)
    return readTextOfName(readName(reader.bytes, operands.starts[index] as number, operands.ends[index] as number))
  const digits = digitsAt(reader, index, operands)
  if (digits === undefined) return undefined
  const units = digits.match(digits.length < 4 ? /.+/g : /.{4}/g) ?? []
  return String.fromCharCode(...units.map(unit => Number.parseInt(unit, 16)))
}
