import { FontWriter } from '../font-data'

/** Consecutive numbers: the first one, and how many follow it. */
interface Range {
  first: number
  more: number
}

/** Writes a charset with these string numbers in its shortest format (Adobe Technical Note 5176, 13). */
export function writeTightCharset(strings: readonly number[]): Uint8Array {
  const single = new FontWriter().u8(0)
  for (const string of strings) single.u16(string)
  const short = new FontWriter().u8(1)
  for (const { first, more } of listRanges(strings, 0xff)) short.u16(first).u8(more)
  const long = new FontWriter().u8(2)
  for (const { first, more } of listRanges(strings, 0xffff)) long.u16(first).u16(more)
  const [shortest = single] = [single, short, long].sort((one, other) => one.length - other.length)
  return shortest.finish()
}

/** Writes the codes of the first glyphs in the shortest format of an encoding (12), without its supplements. */
export function writeTightCodes(codes: readonly number[], hasSupplements: boolean): Uint8Array {
  const flag = hasSupplements ? 0x80 : 0
  const ranges = listRanges(codes, 0xff)
  if (ranges.length * 2 >= codes.length) {
    return new FontWriter().u8(flag).u8(codes.length).bytes(Uint8Array.from(codes)).finish()
  }
  const table = new FontWriter().u8(flag | 1).u8(ranges.length)
  for (const { first, more } of ranges) table.u8(first).u8(more)
  return table.finish()
}

function listRanges(numbers: readonly number[], most: number): Range[] {
  const ranges: Range[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last.more < most && number === last.first + last.more + 1) last.more++
    else ranges.push({ first: number, more: 0 })
  }
  return ranges
}
