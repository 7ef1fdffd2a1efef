import { DamagedFontError, FontWriter } from '../font-data'
import type { FontData } from '../font-data'

/** An INDEX of a CFF program (Adobe Technical Note 5176, 5): byte strings, numbered from 0. */
export interface CffIndex {
  readonly count: number
  /** Returns the bytes of an entry, not copied. Throws `DamagedFontError` if there is no such entry. */
  get(number: number): Uint8Array
  /** Offset of the first byte after the INDEX. */
  readonly end: number
}

/** An INDEX without entries. */
export const EMPTY_INDEX: CffIndex = {
  count: 0,
  end: 0,
  get() {
    throw new DamagedFontError('an INDEX has no such entry')
  },
}

/** Reads the INDEX at an offset. Throws `DamagedFontError` if its offsets don't rise or lie outside the program. */
export function readIndex(data: FontData, at: number): CffIndex {
  const count = data.u16(at)
  if (count === 0) return { ...EMPTY_INDEX, end: at + 2 }
  const size = data.u8(at + 2)
  if (size < 1 || size > 4) throw new DamagedFontError('an INDEX has offsets of an impossible size')
  const base = at + 3 + (count + 1) * size - 1
  const offset = (number: number): number => data.unsigned(at + 3 + number * size, size)
  let before = 1
  for (let number = 0; number <= count; number++) {
    const value = offset(number)
    if (value < before) throw new DamagedFontError('the offsets of an INDEX do not rise')
    before = value
  }
  const end = base + before
  data.slice(base, end)
  return {
    count,
    end,
    get(number) {
      if (!(number >= 0 && number < count)) throw new DamagedFontError('an INDEX has no such entry')
      return data.slice(base + offset(number), base + offset(number + 1))
    },
  }
}

/** Writes an INDEX of these entries. */
export function writeIndex(entries: readonly Uint8Array[]): Uint8Array {
  const table = new FontWriter().u16(entries.length)
  if (entries.length === 0) return table.finish()
  const total = entries.reduce((sum, entry) => sum + entry.length, 1)
  const size = total < 0x100 ? 1 : total < 0x10000 ? 2 : total < 0x1000000 ? 3 : 4
  table.u8(size)
  let offset = 1
  for (const entry of entries) {
    table.unsigned(offset, size)
    offset += entry.length
  }
  table.unsigned(offset, size)
  for (const entry of entries) table.bytes(entry)
  return table.finish()
}
