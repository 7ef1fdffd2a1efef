import { readJpegSegments } from '../../../images/jpeg-segments'

/** A component of a frame, in the order of the frame header. */
export interface JpegComponent {
  id: number
  /** Sampling factors. */
  across: number
  down: number
  quantizer: number
  dcTable: number
  acTable: number
}

/** A Huffman table as in its segment (ITU-T T.81, B.2.4.2): number of codes of each length, then the symbols. */
export interface HuffmanTable {
  counts: Uint8Array
  symbols: Uint8Array
}

/** Header of a sequential JPEG file with one scan. */
export interface JpegHeader {
  width: number
  height: number
  components: JpegComponent[]
  /** Tables by class and number: `0 n` for DC, `1 n` for AC. */
  tables: Map<string, HuffmanTable>
  /** The first value of each quantization table. */
  quantizers: Map<number, number>
  restartInterval: number
  /** The transform in the Adobe segment: 0 for RGB or CMYK, 1 for YCC, 2 for YCCK. */
  transform: number | undefined
  /** Segments that a copy needs unchanged: quantization tables, ICC profile, Adobe marker. */
  segments: Uint8Array[]
  frame: Uint8Array
  scan: Uint8Array
  /** Offset of the entropy-coded data. */
  dataStart: number
}

/** Bytes of a Huffman table before its symbols: its kind, and counts for the lengths 1 to 16. */
const HUFFMAN_HEAD_BYTES = 17
/** Values of a quantization table. */
const QUANTIZERS = 64

const SOF0 = 0xc0
const SOF1 = 0xc1
const DHT = 0xc4
const DQT = 0xdb
const DRI = 0xdd
const APP2 = 0xe2
const APP14 = 0xee

/** Reads the header of a baseline file with one scan for all components. Undefined for other files. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const read = readJpegSegments(bytes)
  if (!read) return undefined
  const { segments, scan } = read
  const header: JpegHeader = {
    width: 0,
    height: 0,
    components: [],
    tables: new Map(),
    quantizers: new Map(),
    restartInterval: 0,
    transform: undefined,
    segments: [],
    frame: bytes,
    scan: scan.bytes,
    dataStart: scan.start + scan.bytes.length,
  }
  for (const { marker, data, bytes: segment } of segments) {
    if (marker === SOF0 || marker === SOF1) {
      if (!readFrame(header, data)) return undefined
      header.frame = segment
    } else if (marker === DHT) readTables(header, data)
    else if (marker === DQT) {
      readQuantizers(header, data)
      header.segments.push(segment)
    } else if (marker === DRI) header.restartInterval = ((data[0] ?? 0) << 8) | (data[1] ?? 0)
    else if (marker > SOF1 && marker < 0xd0) return undefined
    else if (marker === APP2 || marker === APP14) {
      if (marker === APP14 && data.toString('latin1', 0, 5) === 'Adobe') header.transform = data[11]
      header.segments.push(segment)
    }
  }
  return readScan(header, scan.data) ? header : undefined
}

/**
 * Reads a frame header (ITU-T T.81, B.2.2) with 8 bits per sample. Returns `false` if the values aren't usable, or if
 * the height is only known at the end of the scan.
 */
function readFrame(header: JpegHeader, body: Uint8Array): boolean {
  const [precision = 0, h1 = 0, h2 = 0, w1 = 0, w2 = 0, count = 0] = body
  if (precision !== 8 || count < 1 || count > 4 || body.length < 6 + count * 3) return false
  header.height = (h1 << 8) | h2
  header.width = (w1 << 8) | w2
  header.components = Array.from({ length: count }, (_, index) => {
    const [id = 0, sampling = 0, quantizer = 0] = body.subarray(6 + index * 3)
    return { id, across: sampling >> 4, down: sampling & 15, quantizer, dcTable: 0, acTable: 0 }
  })
  return (
    header.width > 0 &&
    header.height > 0 &&
    header.components.every(({ across, down }) => across > 0 && across < 5 && down > 0 && down < 5)
  )
}

/** Reads the Huffman tables of a segment (ITU-T T.81, B.2.4.2). A later table replaces one with the same number. */
function readTables(header: JpegHeader, body: Uint8Array): void {
  for (let at = 0; at + HUFFMAN_HEAD_BYTES <= body.length;) {
    const kind = body[at] as number
    const symbolsAt = at + HUFFMAN_HEAD_BYTES
    const counts = body.subarray(at + 1, symbolsAt)
    const end = symbolsAt + counts.reduce((sum, count) => sum + count, 0)
    header.tables.set(`${kind >> 4} ${kind & 15}`, { counts, symbols: body.subarray(symbolsAt, end) })
    at = end
  }
}

/** Reads the first value of each quantization table of a segment (ITU-T T.81, B.2.4.1), of one or two bytes. */
function readQuantizers(header: JpegHeader, body: Uint8Array): void {
  for (let at = 0; at < body.length;) {
    const kind = body[at] as number
    const isWide = kind >> 4 !== 0
    header.quantizers.set(kind & 15, isWide ? ((body[at + 1] ?? 0) << 8) | (body[at + 2] ?? 0) : (body[at + 1] ?? 0))
    at += 1 + QUANTIZERS * (isWide ? 2 : 1)
  }
}

/**
 * Reads a scan header (ITU-T T.81, B.2.3): a count of components, then for each its ID and one byte with the numbers of
 * its two Huffman tables. Sets the tables of the components. Returns `false` unless the scan has all components of the
 * frame, in the same order.
 */
function readScan(header: JpegHeader, body: Uint8Array): boolean {
  const count = body[0] ?? 0
  if (count !== header.components.length) return false
  for (const [index, component] of header.components.entries()) {
    if (body[1 + index * 2] !== component.id) return false
    const tableNumbers = body[2 + index * 2] ?? 0
    component.dcTable = tableNumbers >> 4
    component.acTable = tableNumbers & 15
  }
  return true
}
