import { asBuffer } from '../../../pdf/syntax'

/** A color specification box (ISO/IEC 15444-1, I.5.3.3). */
export interface ColorBox {
  method: number
  approximation: number
  /** The enumerated color space, if the method is 1. */
  enumerated: number | undefined
  /** The ICC profile, if the method is 2. */
  profile: Uint8Array | undefined
}

/** What the header of a JPEG 2000 file says about color. */
export interface Jp2Header {
  /** Number of components. 0 if there is no image header box. */
  channels: number
  /** Bits per component, or 256 if components differ. 0 if there is no image header box. */
  bitDepth: number
  hasBitDepths: boolean
  colors: ColorBox[]
}

interface Box {
  kind: string
  data: Buffer
}

const SIGNATURE = Buffer.from([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])

const IMAGE_HEADER_BYTES = 14

/** Maximum number of boxes that are read. Files have about ten. */
const MAX_BOXES = 1000

/** Reads the header boxes of a JPEG 2000 file. Bare codestreams have none. */
export function readJp2Header(bytes: Uint8Array): Jp2Header {
  const header: Jp2Header = { channels: 0, bitDepth: 0, hasBitDepths: false, colors: [] }
  const file = asBuffer(bytes)
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return header
  const outer = readBoxes(file, SIGNATURE.length, 'jp2h').find(({ kind }) => kind === 'jp2h')
  for (const { kind, data } of outer ? readBoxes(outer.data, 0) : []) {
    if (kind === 'ihdr' && data.length === IMAGE_HEADER_BYTES) {
      header.channels = data.readUInt16BE(8)
      // The highest bit says that samples are signed. 255 says that components differ.
      const depth = data.readUInt8(10)
      header.bitDepth = depth === 255 ? 0 : (depth & 0x7f) + 1
    } else if (kind === 'bpcc') header.hasBitDepths = true
    else if (kind === 'colr' && data.length >= 3) header.colors.push(readColor(data))
  }
  return header
}

/** The color box that readers of PDF/A use: the one with the best approximation, or the only one. */
export function chosenColor({ colors }: Jp2Header): ColorBox | undefined {
  return colors.find(({ approximation }) => approximation === 1) ?? (colors.length === 1 ? colors[0] : undefined)
}

function readColor(data: Buffer): ColorBox {
  const method = data.readUInt8(0)
  return {
    method,
    approximation: data.readUInt8(2),
    enumerated: method === 1 && data.length >= 7 ? data.readUInt32BE(3) : undefined,
    profile: method === 2 ? data.subarray(3) : undefined,
  }
}

/** Reads boxes up to the first one of the kind `last`. */
function readBoxes(data: Buffer, from: number, last?: string): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= data.length && boxes.length < MAX_BOXES;) {
    const stated = data.readUInt32BE(at)
    if (stated === 1 && at + 16 > data.length) break
    const head = stated === 1 ? 16 : 8
    // Length 0 means that the box extends to the end.
    const length = stated === 1 ? Number(data.readBigUInt64BE(at + 8)) : stated === 0 ? data.length - at : stated
    if (length < head || at + length > data.length) break
    const kind = data.toString('latin1', at + 4, at + 8)
    boxes.push({ kind, data: data.subarray(at + head, at + length) })
    if (kind === last) break
    at += length
  }
  return boxes
}
