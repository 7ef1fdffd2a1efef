import { readString } from '../../content/fonts/strings'
import { ARRAY, HEX, LITERAL, NAME, NUMBER } from '../../pdf-core/syntax/content-operands'
import type { Operands } from '../../pdf-core/syntax/content-operands'
import { ContentReader } from '../../pdf-core/syntax/content-reader'

const SHOWS = new Set(['Tj', 'TJ', "'", '"'])

/** Names and keywords are what programs agreed on: a word that people search for may well be one. */
const NAMES = /\/[^\s()<>[\]{}/%]*/g

/** What content says, seen or not: codes of what it shows, strings, comments, property lists without their names. */
export function readContentStrings(bytes: Uint8Array): Buffer[] {
  const reader = new ContentReader(bytes)
  const said: Buffer[] = []
  let behind = 0
  const note = (end: number): void => {
    let at = behind
    for (let index = 0; index < reader.operands.count; index++) {
      const [kind, start, stop] = [
        reader.operands.kinds[index],
        reader.operands.starts[index] ?? 0,
        reader.operands.ends[index] ?? 0,
      ]
      if (start > at) said.push(Buffer.from(bytes.subarray(at, start)))
      at = Math.max(at, stop)
      if (kind === LITERAL || kind === HEX) said.push(Buffer.from(readString(bytes, kind, start, stop)))
      else if (kind !== NAME && kind !== NUMBER)
        said.push(
          Buffer.from(Buffer.from(bytes.subarray(start, stop)).toString('latin1').replace(NAMES, '/'), 'latin1'),
        )
    }
    if (reader.operands.kinds[reader.operands.count - 1] === ARRAY) said.push(joinStrings(bytes, reader.items))
    if (end > at) said.push(Buffer.from(bytes.subarray(at, end)))
    behind = end
  }
  while (reader.next()) {
    // Data of a picture in the midst of content are pixels.
    if (reader.operator === 'BI') behind = reader.end
    else note(SHOWS.has(reader.operator) ? reader.end - reader.operator.length : reader.end)
    behind = reader.end
  }
  note(bytes.length)
  return said.filter(({ length }) => length > 0)
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

/** What a map of codes says: the texts that codes stand for, and comments. */
export function readCMapStrings(bytes: Uint8Array): Buffer[] {
  const text = Buffer.from(bytes).toString('latin1')
  return (text.match(/%[^\r\n]*|<[0-9a-fA-F\s]+>/g) ?? []).map(part => Buffer.from(part.replace(/\s+/g, ''), 'latin1'))
}
