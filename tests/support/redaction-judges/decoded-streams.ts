import { constants, inflateRawSync, inflateSync } from 'node:zlib'

/** The decoded data of all streams of a file, found without trusting any /Length, object or cross-reference. */
export function decodeStreams(file: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', at - 3, at) === 'end') continue
    let start = at + 6
    if (file[start] === 13) start++
    if (file[start] === 10) start++
    const end = file.indexOf('endstream', start)
    const data = file.subarray(start, end < 0 ? file.length : end)
    const decoded = decodeChain(data, filtersBefore(file, at))
    if (decoded) found.push(decoded)
  }
  return found
}

/** The filter names in the dictionary that precedes the keyword `stream`. */
function filtersBefore(file: Buffer, at: number): string[] {
  const before = file.toString('latin1', Math.max(0, at - 2000), at)
  const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
  const filter = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/[A-Za-z0-9]+)/.exec(dictionary)?.[1] ?? ''
  return [...filter.matchAll(/\/([A-Za-z0-9]+)/g)].map(match => match[1] ?? '')
}

/** Decodes data with the filters that this judge supports. Without a filter name, Flate is tried. */
export function decodeChain(data: Buffer, filters: readonly string[]): Buffer | undefined {
  if (filters.length === 0) return inflate(data)
  let bytes: Buffer | undefined = data
  for (const filter of filters) {
    if (!bytes) return undefined
    if (filter === 'FlateDecode' || filter === 'Fl') bytes = inflate(bytes)
    else if (filter === 'ASCIIHexDecode' || filter === 'AHx') bytes = decodeHex(bytes)
    else if (filter === 'ASCII85Decode' || filter === 'A85') bytes = decode85(bytes)
    else if (filter === 'RunLengthDecode' || filter === 'RL') bytes = decodeRuns(bytes)
    else if (filter === 'LZWDecode' || filter === 'LZW') bytes = decodeLzw(bytes)
    else return bytes
  }
  return bytes
}

function inflate(data: Buffer): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH }
  for (const read of [() => inflateSync(data, options), () => inflateRawSync(data, options)]) {
    try {
      return read()
    } catch {
      // The data isn't deflated, so its raw bytes are searched.
    }
  }
  return undefined
}

function decodeHex(data: Buffer): Buffer {
  const digits =
    data
      .toString('latin1')
      .split('>')[0]
      ?.replace(/[^0-9A-Fa-f]/g, '') ?? ''
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
}

function decode85(data: Buffer): Buffer {
  const text = (data.toString('latin1').split('~>')[0] ?? '').replace(/\s+/g, '').replaceAll('z', '!!!!!')
  const out: number[] = []
  for (let at = 0; at < text.length; at += 5) {
    const part = text.slice(at, at + 5)
    const value = Array.from(part.padEnd(5, 'u')).reduce((sum, letter) => sum * 85 + letter.charCodeAt(0) - 33, 0)
    out.push(...[24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) & 255).slice(0, part.length - 1))
  }
  return Buffer.from(out)
}

function decodeRuns(data: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length;) {
    const length = data[at++] ?? 128
    if (length === 128) break
    if (length < 128) parts.push(data.subarray(at, at + length + 1))
    else parts.push(Buffer.alloc(257 - length, data[at]))
    at += length < 128 ? length + 1 : 1
  }
  return Buffer.concat(parts)
}

/** LZW as defined in ISO 32000-2, 7.4.4, with the early change of code lengths. */
function decodeLzw(data: Buffer): Buffer {
  const out: number[] = []
  let table: number[][] = []
  let [width, held, bits] = [9, 0, 0]
  let previous: number[] | undefined
  const clear = (): void => {
    table = Array.from({ length: 258 }, (_, code) => (code < 256 ? [code] : []))
    width = 9
    previous = undefined
  }
  clear()
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >> bits) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      clear()
      continue
    }
    const entry: number[] = table[code] ?? [...(previous ?? []), previous?.[0] ?? 0]
    out.push(...entry)
    if (previous) table.push([...previous, entry[0] ?? 0])
    previous = entry
    if (table.length + 1 >= 1 << width && width < 12) width++
  }
  return Buffer.from(out)
}
