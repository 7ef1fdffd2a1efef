/** The value of a 32-bit field whose real value is in a ZIP64 field (APPNOTE, 4.4.1.4). */
export const UNSET = 0xffffffff

/** Reads a 64-bit number. Throws RangeError if it isn't inside the buffer, or can't be a position in a file. */
export function readUInt64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('a 64-bit number that no position can have')
  return Number(value)
}

/** Returns the data of an extra field (APPNOTE, 4.5). Undefined if there is none with this ID. */
export function findExtra(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id && end <= extra.length) return extra.subarray(at + 4, end)
  }
  return undefined
}
