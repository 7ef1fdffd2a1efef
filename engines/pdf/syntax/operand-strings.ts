import { HEX } from './content-operands'

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }

/** The bytes of a string operand between `start` and `end` (ISO 32000-2, 7.3.4). */
export function readString(bytes: Uint8Array, kind: number, start: number, end: number): Uint8Array {
  return kind === HEX ? readHex(bytes, start, end) : readLiteral(bytes, start, end)
}

/** The value of each hexadecimal digit, −1 for any other byte. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
)

function readHex(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const output = new Uint8Array((end - start) >> 1)
  let length = 0
  let high = -1
  for (let at = start + 1; at < end; at++) {
    const digit = DIGITS[bytes[at] as number] as number
    if (digit < 0) continue
    if (high < 0) high = digit
    else {
      output[length++] = high * 16 + digit
      high = -1
    }
  }
  if (high >= 0) output[length++] = high * 16
  return output.subarray(0, length)
}

function readLiteral(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const stop = bytes[end - 1] === 0x29 && end > start + 1 ? end - 1 : end
  const inside = bytes.subarray(start + 1, stop)
  if (!inside.includes(0x5c) && !inside.includes(13)) return inside
  const output = new Uint8Array(inside.length)
  let length = 0
  for (let at = 0; at < inside.length; at++) {
    let byte = inside[at] as number
    if (byte === 13) {
      // Any line end counts as a line feed.
      if (inside[at + 1] === 10) at++
      byte = 10
    } else if (byte === 0x5c) {
      const next = inside[++at]
      if (next === undefined) break
      if (next === 13 || next === 10) {
        if (next === 13 && inside[at + 1] === 10) at++
        continue
      }
      if (next >= 48 && next <= 55) {
        byte = next - 48
        for (let digits = 1; digits < 3 && isOctal(inside[at + 1]); digits++)
          byte = byte * 8 + (inside[++at] as number) - 48
      } else byte = ESCAPES[next] ?? next
    }
    output[length++] = byte
  }
  return output.subarray(0, length)
}

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 55
}

/** Writes bytes as a string operand in Latin-1: as a literal or hexadecimal string, whichever is shorter. */
export function writeString(bytes: Uint8Array): string {
  let needsHex = 0
  for (const byte of bytes) if (byte < 32 || byte > 126) needsHex++
  if (needsHex * 2 > bytes.length) return `<${Buffer.from(bytes).toString('hex')}>`
  const text = Buffer.from(bytes).toString('latin1')
  return `(${text.replace(/[\\()\r\n]/g, character => (character === '\r' ? '\\r' : character === '\n' ? '\\n' : `\\${character}`))})`
}
