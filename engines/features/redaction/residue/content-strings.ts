import { readString } from '../../../pdf/fonts'
import { ARRAY, ContentReader, HEX, LITERAL, NAME, NUMBER, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import type { Operands } from '../../../pdf/syntax'

/** Names are skipped, because a search term may equal a standard name by chance. */
const NAMES = /\/[^\s()<>[\]{}/%]*/g

/** Returns the strings, comments and property lists (without names) of a content stream, shown or not. */
export function readContentStrings(bytes: Uint8Array): Buffer[] {
  const reader = new ContentReader(bytes)
  const strings: Buffer[] = []
  let previousEnd = 0
  const record = (end: number): void => {
    let at = previousEnd
    for (let index = 0; index < reader.operands.count; index++) {
      const [kind, start, stop] = [
        reader.operands.kinds[index],
        reader.operands.starts[index] ?? 0,
        reader.operands.ends[index] ?? 0,
      ]
      if (start > at) strings.push(Buffer.from(bytes.subarray(at, start)))
      at = Math.max(at, stop)
      if (kind === LITERAL || kind === HEX) strings.push(Buffer.from(readString(bytes, kind, start, stop)))
      else if (kind !== NAME && kind !== NUMBER)
        strings.push(
          Buffer.from(Buffer.from(bytes.subarray(start, stop)).toString('latin1').replace(NAMES, '/'), 'latin1'),
        )
    }
    if (reader.operands.kinds[reader.operands.count - 1] === ARRAY) strings.push(joinStrings(bytes, reader.items))
    if (end > at) strings.push(Buffer.from(bytes.subarray(at, end)))
    previousEnd = end
  }
  while (reader.next()) {
    // The data of an inline image are pixels.
    if (reader.operator === 'BI') previousEnd = reader.end
    else record(TEXT_SHOWING_OPERATORS.has(reader.operator) ? reader.end - reader.operator.length : reader.end)
    previousEnd = reader.end
  }
  record(bytes.length)
  return strings.filter(({ length }) => length > 0)
}

function joinStrings(bytes: Uint8Array, items: Operands): Buffer {
  return Buffer.concat(
    Array.from({ length: items.count }, (_, index) => {
      const kind = items.kinds[index] ?? 0
      return kind === LITERAL || kind === HEX
        ? Buffer.from(readString(bytes, kind, items.starts[index] ?? 0, items.ends[index] ?? 0))
        : Buffer.alloc(0)
    }),
  )
}

/** Returns the comments and hexadecimal strings of a CMap. */
export function readCMapStrings(bytes: Uint8Array): Buffer[] {
  const text = Buffer.from(bytes).toString('latin1')
  return (text.match(/%[^\r\n]*|<[0-9a-fA-F\s]+>/g) ?? []).map(part => Buffer.from(part.replace(/\s+/g, ''), 'latin1'))
}
