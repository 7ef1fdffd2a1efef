import { readString } from '../../../pdf/fonts'
import { ARRAY, ContentReader, HEX, LITERAL, NAME, NUMBER, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import type { Operands } from '../../../pdf/syntax'

/** Names are skipped, because a search term may equal a standard name by chance. */
const NAMES = /\/[^\s()<>[\]{}/%]*/g

/** Numbers with so many digits are searched. No drawing needs them. */
export const LONG_NUMBER = /^[-+]?\d{7,}$/

/** Minimum gap between two words of an operation, in thousandths of an em. */
const WORD_GAP = 200

/** Operators after which text begins at another place. */
const MOVES = new Set(['BT', 'ET', 'Td', 'TD', 'Tm', 'T*', "'", '"'])

/** Returns the strings, comments and property lists (without names) of a content stream, shown or not. */
export function readContentStrings(bytes: Uint8Array): Buffer[] {
  const reader = new ContentReader(bytes)
  const strings: Buffer[] = []
  let previousEnd = 0
  let shown: number | undefined
  const show = (string: Buffer): void => {
    const before = shown === undefined ? undefined : strings[shown]
    // Text that goes on directly is part of the same word.
    const [tail, head] = [before?.subarray(-1), string.subarray(0, 1)]
    if (shown !== undefined && before && isInWord(tail) && isInWord(head)) {
      strings[shown] = Buffer.concat([before, head])
      shown = strings.push(Buffer.concat([before.subarray(-1), string])) - 1
    } else shown = strings.push(string) - 1
  }
  const record = (end: number, isShown = false): void => {
    let at = previousEnd
    for (let index = 0; index < reader.operands.count; index++) {
      const [kind, start, stop] = [
        reader.operands.kinds[index],
        reader.operands.starts[index] ?? 0,
        reader.operands.ends[index] ?? 0,
      ]
      if (start > at) strings.push(Buffer.from(bytes.subarray(at, start)))
      at = Math.max(at, stop)
      if (kind === LITERAL || kind === HEX) {
        const string = Buffer.from(readString(bytes, kind, start, stop))
        if (isShown && index === reader.operands.count - 1) show(string)
        else strings.push(string)
      } else if (kind === ARRAY && isShown && index === reader.operands.count - 1) {
        strings.push(...gapsIn(bytes, reader.items, start, stop))
        const joined = joinStrings(bytes, reader.items, '')
        const spaced = joinStrings(bytes, reader.items, ' ')
        if (spaced.length > joined.length) strings.push(joined)
        show(spaced)
      } else if (kind === NUMBER) {
        const digits = Buffer.from(bytes.subarray(start, stop))
        if (LONG_NUMBER.test(digits.toString('latin1'))) strings.push(digits)
      } else if (kind !== NAME)
        strings.push(
          Buffer.from(Buffer.from(bytes.subarray(start, stop)).toString('latin1').replace(NAMES, '/'), 'latin1'),
        )
    }
    if (end > at) strings.push(Buffer.from(bytes.subarray(at, end)))
    previousEnd = end
  }
  while (reader.next()) {
    // The data of an inline image are pixels.
    if (reader.operator === 'BI') previousEnd = reader.end
    else {
      if (MOVES.has(reader.operator)) shown = undefined
      const isShown = TEXT_SHOWING_OPERATORS.has(reader.operator)
      record(isShown ? reader.end - reader.operator.length : reader.end, isShown)
    }
    previousEnd = reader.end
  }
  record(bytes.length)
  return strings.filter(({ length }) => length > 0)
}

function isInWord(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && /^[A-Za-z0-9]$/.test(String.fromCharCode(...bytes))
}

/** Returns the bytes between the items of an array, which may be comments. */
function gapsIn(bytes: Uint8Array, { count, starts, ends }: Operands, start: number, end: number): Buffer[] {
  const gaps = Array.from({ length: count + 1 }, (_, index) =>
    Buffer.from(bytes.subarray(ends[index - 1] ?? start, index < count ? starts[index] : end)),
  )
  return gaps.filter(gap => gap.includes('%'))
}

/** Returns the strings of an array in a row, with `space` at gaps between words. */
function joinStrings(bytes: Uint8Array, items: Operands, space: string): Buffer {
  return Buffer.concat(
    Array.from({ length: items.count }, (_, index) => {
      const kind = items.kinds[index] ?? 0
      if (kind === LITERAL || kind === HEX)
        return Buffer.from(readString(bytes, kind, items.starts[index] ?? 0, items.ends[index] ?? 0))
      const isGap = kind === NUMBER && (items.values[index] ?? 0) <= -WORD_GAP
      return Buffer.from(isGap ? space : '')
    }),
  )
}

/** Returns the comments and hexadecimal strings of a CMap. */
export function readCMapStrings(bytes: Uint8Array): Buffer[] {
  const text = Buffer.from(bytes).toString('latin1')
  return (text.match(/%[^\r\n]*|<[0-9a-fA-F\s]+>/g) ?? []).map(part => Buffer.from(part.replace(/\s+/g, ''), 'latin1'))
}
