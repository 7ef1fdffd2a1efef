import { constants, inflateSync } from 'node:zlib'
import { NAME, readName } from './content-operands'
import type { Operands } from './content-operands'
import { asBuffer, isWhite } from './syntax'

// Bytes with a meaning in PDF syntax (ISO 32000-2, 7.2.3).
const PERCENT = 0x25
const SLASH = 0x2f
const LETTER_E = 0x45
const LETTER_I = 0x49
const LETTER_Q = 0x51
const CLOSE_BRACKET = 0x5d

/** A reader positioned after the dictionary of an inline image. */
interface Reading {
  bytes: Uint8Array
  /** Keys and values of the dictionary. */
  operands: Operands
  nameAt(index: number): string | undefined
}

/** The end of an inline image's data, and the position after its `EI`. */
interface InlineEnd {
  data: number
  behind: number
}

/** Number of bytes after an `EI` that must look like content. */
const LOOK_AHEAD = 24

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  G: 1,
  DeviceRGB: 3,
  RGB: 3,
  DeviceCMYK: 4,
  CMYK: 4,
  Indexed: 1,
  I: 1,
}

/**
 * Finds the end of an inline image's data (ISO 32000-2, 8.9.7). The data may contain the bytes `EI`. So the end comes
 * from the image's size if the data isn't compressed, or from the data's end marker if there is one. Otherwise, it is
 * the first `EI` with content after it. `reader` must be positioned after the image's dictionary.
 */
export function findInlineImageEnd(reader: Reading, start: number): InlineEnd {
  const { bytes } = reader
  const stated = statedEnd(reader, start)
  if (stated !== undefined) {
    const exact = markAt(bytes, stated)
    if (exact !== undefined) return { data: stated, behind: exact }
  }
  const buffer = asBuffer(bytes)
  for (let at = buffer.indexOf('EI', start); at >= 0; at = buffer.indexOf('EI', at + 1)) {
    const isApart = at === start || isWhite(bytes[at - 1])
    if (isApart && endsWord(bytes, at + 2) && looksLikeContent(bytes, at + 2))
      return { data: at === start ? at : at - 1, behind: at + 2 }
  }
  return { data: bytes.length, behind: bytes.length }
}

/** The position after an `EI` at `at`. A few white-space characters may come first. */
function markAt(bytes: Uint8Array, at: number): number | undefined {
  let position = at
  while (position < at + 8 && isWhite(bytes[position])) position++
  const isMark = bytes[position] === LETTER_E && bytes[position + 1] === LETTER_I && endsWord(bytes, position + 2)
  return isMark ? position + 2 : undefined
}

function endsWord(bytes: Uint8Array, at: number): boolean {
  return (
    at >= bytes.length || isWhite(bytes[at]) || bytes[at] === SLASH || bytes[at] === PERCENT || bytes[at] === LETTER_Q
  )
}

function looksLikeContent(bytes: Uint8Array, at: number): boolean {
  for (let position = at; position < Math.min(bytes.length, at + LOOK_AHEAD); position++) {
    const byte = bytes[position] as number
    if (byte > 126 || (byte < 32 && !isWhite(byte))) return false
  }
  return true
}

function statedEnd(reader: Reading, start: number): number | undefined {
  const { bytes } = reader
  const { kinds, starts, ends, count } = reader.operands
  const numbers = new Map<string, number>()
  const names = new Map<string, string>()
  for (let index = 0; index + 1 < count; index += 2) {
    const key = reader.nameAt(index) ?? ''
    if (kinds[index + 1] === NAME) names.set(key, reader.nameAt(index + 1) ?? '')
    else numbers.set(key, reader.operands.values[index + 1] ?? 0)
    const isList = (key === 'F' || key === 'Filter') && kinds[index + 1] !== NAME
    // The first of several filters is the outermost, so the end of its data is the end of all data.
    if (isList) names.set(key, firstName(bytes, starts[index + 1] as number, ends[index + 1] as number))
  }
  const filter = names.get('F') ?? names.get('Filter')
  if (!filter) return start + plainLength(numbers, names)
  if (filter === 'A85' || filter === 'ASCII85Decode') return behind(bytes, '~>', start)
  if (filter === 'AHx' || filter === 'ASCIIHexDecode') return behind(bytes, '>', start)
  if (filter === 'RL' || filter === 'RunLengthDecode') return runsEnd(bytes, start)
  return filter === 'Fl' || filter === 'FlateDecode' ? deflateEnd(bytes, start) : undefined
}

function firstName(bytes: Uint8Array, start: number, end: number): string {
  const slash = asBuffer(bytes).indexOf('/', start)
  if (slash < 0 || slash >= end) return ''
  let stop = slash + 1
  while (stop < end && !isWhite(bytes[stop]) && bytes[stop] !== SLASH && bytes[stop] !== CLOSE_BRACKET) stop++
  return readName(bytes, slash, stop)
}

function plainLength(numbers: ReadonlyMap<string, number>, names: ReadonlyMap<string, string>): number {
  const width = numbers.get('W') ?? numbers.get('Width') ?? 0
  const height = numbers.get('H') ?? numbers.get('Height') ?? 0
  const bits = numbers.get('BPC') ?? numbers.get('BitsPerComponent') ?? 1
  const space = names.get('CS') ?? names.get('ColorSpace')
  return Math.ceil((width * bits * (COMPONENTS[space ?? 'G'] ?? 1)) / 8) * height
}

function behind(bytes: Uint8Array, mark: string, start: number): number | undefined {
  const at = asBuffer(bytes).indexOf(mark, start)
  return at < 0 ? undefined : at + mark.length
}

function runsEnd(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start; at < bytes.length;) {
    const length = bytes[at] as number
    if (length === 128) return at + 1
    at += length < 128 ? length + 2 : 2
  }
  return undefined
}

/** Maximum inflated size. Inline images should have at most 4 KB. For larger data, `EI` is searched instead. */
const MAX_INLINE_BYTES = 16_000_000

function deflateEnd(bytes: Uint8Array, start: number): number | undefined {
  try {
    // With `info`, zlib returns the number of bytes it read. The types don't have this result.
    const response: unknown = inflateSync(bytes.subarray(start), {
      info: true,
      maxOutputLength: MAX_INLINE_BYTES,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    const { engine } = response as { engine: { bytesWritten: number } }
    return start + engine.bytesWritten
  } catch {
    return undefined // damaged or too large: search for `EI`
  }
}
