import { BitReader, readHuffmanCodes } from '../content/rewriting/erasing/jpeg-bits'
import { isRestart } from '../images/jpeg-segments'

/** Maximum number of blocks that are read in one file, over all scans. A scan of 50 million pixels has 2 million. */
const MOST_BLOCKS = 30_000_000

/** A component of a frame, and its size in blocks of 8 × 8 samples. */
interface Component {
  id: number
  across: number
  down: number
  columns: number
  rows: number
  /** Blocks in a row with those that only complete units. */
  stride: number
  /** One bit for each coefficient of each block that isn't 0. Only progressive files need it. */
  known: Uint8Array | undefined
}

/** A component in a scan with its codes. */
interface Channel {
  component: Component
  dc: Uint16Array | undefined
  ac: Uint16Array | undefined
}

/** The range of coefficients of a scan, and whether it adds a bit to known ones (ITU-T T.81, G.1.1.1). */
interface Band {
  first: number
  last: number
  refines: boolean
}

const NO_CODES: Uint16Array = new Uint16Array(65_536)

/**
 * Follows the coded data of a JPEG file scan by scan, to find where the data of the last block ends. Knows baseline,
 * extended and progressive files with Huffman codes.
 */
export class JpegScans {
  private readonly components: Component[]
  private readonly unitColumns: number
  private readonly unitRows: number
  private readonly codes = new Map<number, Uint16Array>()
  private read = 0
  /** The number of following blocks without further coefficients. */
  private ended = 0

  private constructor(
    frame: Uint8Array,
    private readonly isProgressive: boolean,
  ) {
    const [, h1 = 0, h2 = 0, w1 = 0, w2 = 0, count = 0] = frame
    const [height, width] = [(h1 << 8) | h2, (w1 << 8) | w2]
    const sizes = Array.from({ length: count }, (_, index) => {
      const [id = 0, sampling = 0] = frame.subarray(6 + index * 3)
      return { id, across: sampling >> 4, down: sampling & 15 }
    })
    const across = Math.max(...sizes.map(size => size.across))
    const down = Math.max(...sizes.map(size => size.down))
    this.unitColumns = Math.ceil(width / (8 * across))
    this.unitRows = Math.ceil(height / (8 * down))
    this.components = sizes.map(size => ({
      ...size,
      columns: Math.ceil(Math.ceil((width * size.across) / across) / 8),
      rows: Math.ceil(Math.ceil((height * size.down) / down) / 8),
      stride: this.unitColumns * size.across,
      known: undefined,
    }))
  }

  /** Undefined if the frame header (ITU-T T.81, B.2.2) isn't valid, of another type, or too large. */
  static of(marker: number, frame: Uint8Array): JpegScans | undefined {
    if (marker < 0xc0 || marker > 0xc2 || frame.length < 9) return undefined
    const scans = new JpegScans(frame, marker === 0xc2)
    const isValid = scans.components.every(({ across, down }) => across > 0 && across < 5 && down > 0 && down < 5)
    const blocks = scans.unitColumns * scans.unitRows
    return isValid && scans.components.length <= 4 && blocks > 0 && blocks < MOST_BLOCKS ? scans : undefined
  }

  /** Sets a Huffman table: its class and number, the numbers of its codes, and their symbols (ITU-T T.81, B.2.4.2). */
  setTable(table: Uint8Array): void {
    this.codes.set(table[0] as number, readHuffmanCodes({ counts: table.subarray(1, 17), symbols: table.subarray(17) }))
  }

  /**
   * Returns the coded data of a scan without bytes after its last block, and after the last block of each restart
   * interval. Undefined if the data can't be followed.
   */
  cut(header: Uint8Array, coded: Buffer, interval: number): Buffer | undefined {
    const channels = this.openChannels(header)
    const [first = 0, last = 0, bits = 0] = header.subarray(1 + 2 * (header[0] ?? 0))
    const band = this.isProgressive ? { first, last, refines: bits >> 4 > 0 } : { first: 0, last: 63, refines: false }
    if (!channels || band.last > 63 || (band.first > 0 && channels.length > 1)) return undefined
    const [only] = channels
    const units =
      channels.length === 1 && only ? only.component.columns * only.component.rows : this.unitColumns * this.unitRows
    const parts: Buffer[] = []
    let start = 0
    for (let unit = 0; unit < units;) {
      const end = interval > 0 ? Math.min(units, unit + interval) : units
      const stop = findRestart(coded, start)
      const part = coded.subarray(start, stop)
      const length = this.readUnits(part, channels, band, unit, end)
      if (length === undefined) return undefined
      parts.push(part.subarray(0, length))
      unit = end
      if (unit >= units) break
      // Readers show what there is of data that was cut off.
      if (stop >= coded.length) break
      if ((coded[stop + 1] as number) !== 0xd0 + ((unit / interval - 1) & 7)) return undefined
      parts.push(coded.subarray(stop, stop + 2))
      start = stop + 2
    }
    return Buffer.concat(parts)
  }

  private openChannels(header: Uint8Array): Channel[] | undefined {
    const channels: Channel[] = []
    for (let at = 1; at <= 2 * (header[0] ?? 0); at += 2) {
      const component = this.components.find(({ id }) => id === header[at])
      if (!component) return undefined
      const numbers = header[at + 1] as number
      channels.push({ component, dc: this.codes.get(numbers >> 4), ac: this.codes.get(16 + (numbers & 15)) })
    }
    return channels.length === 0 ? undefined : channels
  }

  /** Returns the number of bytes that units take. Undefined if they can't be read. */
  private readUnits(
    part: Buffer,
    channels: readonly Channel[],
    band: Band,
    from: number,
    to: number,
  ): number | undefined {
    const reader = new BitReader(part, 0)
    const [only] = channels
    this.ended = 0
    for (let unit = from; unit < to; unit++) {
      if (channels.length === 1 && only) {
        const { columns, stride } = only.component
        const block = Math.floor(unit / columns) * stride + (unit % columns)
        if (!this.readBlock(reader, only, band, block)) return undefined
      } else {
        const [row, column] = [Math.floor(unit / this.unitColumns), unit % this.unitColumns]
        for (const channel of channels) {
          const { across, down, stride } = channel.component
          for (let y = row * down; y < (row + 1) * down; y++)
            for (let x = column * across; x < (column + 1) * across; x++)
              if (!this.readBlock(reader, channel, band, y * stride + x)) return undefined
        }
      }
      // Readers show what there is of data that was cut off.
      if (reader.isOver) return part.length
    }
    return reader.end
  }

  private readBlock(reader: BitReader, channel: Channel, band: Band, block: number): boolean {
    if (++this.read > MOST_BLOCKS) return false
    if (this.isProgressive && band.first === 0) return readDc(reader, channel, band)
    if (!this.isProgressive) return readDc(reader, channel, band) && readAc(reader, channel.ac)
    const { component } = channel
    component.known ??= new Uint8Array(component.stride * this.unitRows * component.down * 8)
    return band.refines ? this.refineBand(reader, channel, band, block) : this.readBand(reader, channel, band, block)
  }

  /** Reads the first bits of coefficients (ITU-T T.81, G.1.2.2). */
  private readBand(reader: BitReader, { component, ac = NO_CODES }: Channel, band: Band, block: number): boolean {
    if (this.ended > 0) {
      this.ended--
      return true
    }
    for (let index = band.first; index <= band.last; index++) {
      const entry = takeCode(reader, ac)
      if (entry === undefined) return reader.isEnding
      const [run, size] = [(entry >> 4) & 15, entry & 15]
      if (size === 0 && run < 15) {
        this.ended = (1 << run) - 1 + reader.take(run)
        return true
      }
      index += run
      if (size === 0) continue
      reader.take(size)
      if (index > 63) return false
      mark(component, block, index)
    }
    return true
  }

  /** Reads one more bit of coefficients (ITU-T T.81, G.1.2.3). */
  private refineBand(reader: BitReader, { component, ac = NO_CODES }: Channel, band: Band, block: number): boolean {
    let index = band.first
    for (; this.ended === 0 && index <= band.last; index++) {
      const entry = takeCode(reader, ac)
      if (entry === undefined) return reader.isEnding
      let run = (entry >> 4) & 15
      const size = entry & 15
      if (size === 0 && run < 15) {
        this.ended = (1 << run) + reader.take(run)
        break
      }
      if (size > 0) reader.take(1)
      for (; index <= band.last; index++) {
        if (isMarked(component, block, index)) reader.take(1)
        else if (run-- === 0) break
      }
      if (size > 0 && index <= band.last) mark(component, block, index)
    }
    if (this.ended === 0) return true
    for (; index <= band.last; index++) if (isMarked(component, block, index)) reader.take(1)
    this.ended--
    return true
  }
}

function findRestart(coded: Buffer, from: number): number {
  for (let at = coded.indexOf(0xff, from); at >= 0; at = coded.indexOf(0xff, at + 1))
    if (isRestart(coded[at + 1] ?? 0)) return at
  return coded.length
}

/** The length and symbol of the next code. Undefined if the table has no such code. */
function takeCode(reader: BitReader, codes: Uint16Array): number | undefined {
  const entry = codes[reader.peek()] as number
  reader.skip(entry >> 8)
  return entry === 0 ? undefined : entry
}

function readDc(reader: BitReader, { dc = NO_CODES }: Channel, { refines }: Band): boolean {
  if (refines) {
    reader.take(1)
    return true
  }
  const entry = takeCode(reader, dc)
  if (entry === undefined || (entry & 255) > 16) return reader.isEnding
  reader.take(entry & 255)
  return true
}

function readAc(reader: BitReader, codes: Uint16Array = NO_CODES): boolean {
  for (let index = 1; index < 64; index++) {
    const entry = takeCode(reader, codes)
    if (entry === undefined) return reader.isEnding
    if ((entry & 255) === 0) return true
    reader.take(entry & 15)
    index += (entry >> 4) & 15
  }
  return true
}

function mark({ known }: Component, block: number, index: number): void {
  if (known) (known[block * 8 + (index >> 3)] as number) |= 1 << (index & 7)
}

function isMarked({ known }: Component, block: number, index: number): boolean {
  return (((known?.[block * 8 + (index >> 3)] ?? 0) >> (index & 7)) & 1) === 1
}
