import type { ClearedPart, PixelCut } from '../content-filter'
import { BitReader, BitWriter, readHuffmanCodes } from './jpeg-bits'
import { readJpegHeader } from './jpeg-header'
import type { HuffmanTable, JpegComponent, JpegHeader } from './jpeg-header'

/**
 * Huffman table for differences of DC values (ITU-T T.81, table K.3). Cutting changes the differences, and the file's
 * own table may have no codes for them.
 */
const DC_TABLE: HuffmanTable = {
  counts: Uint8Array.of(0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0),
  symbols: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
}

/**
 * Maximum width or height of the units (MCUs) of a JPEG file in pixels. The pixels of a unit stay or are overwritten
 * together. Undefined if the file can't be cut.
 */
export function measureJpegUnit(bytes: Uint8Array): number | undefined {
  const header = readJpegHeader(bytes)
  if (!header) return undefined
  const { unitWidth, unitHeight } = unitsOf(header)
  return Math.max(unitWidth, unitHeight)
}

/**
 * Makes all blocks of a JPEG file blank that lie completely outside of the cut. The size doesn't change, and the other
 * blocks keep their coefficients, so nothing is lost. Segments with metadata or copies of the image (EXIF, thumbnails,
 * comments) are removed. Undefined if the file isn't baseline with one scan, or if its data is damaged.
 */
export function eraseInJpeg(
  bytes: Uint8Array,
  size: { width: number; height: number },
  cut: PixelCut,
): Uint8Array | undefined {
  const header = readJpegHeader(bytes)
  if (!header || header.width !== size.width || header.height !== size.height) return undefined
  const data = new Transcoder(bytes, header, cut).run()
  if (!data) return undefined
  const tables = [...new Set(header.components.map(({ dcTable }) => dcTable))].map(number =>
    tableSegment(number, DC_TABLE),
  )
  const acTables = [...header.tables]
    .filter(([kind]) => kind.startsWith('1 '))
    .map(([kind, table]) => tableSegment(16 + Number(kind.slice(2)), table))
  return Buffer.concat([
    Uint8Array.of(0xff, 0xd8),
    ...header.segments,
    header.frame,
    ...tables,
    ...acTables,
    header.scan,
    data,
    Uint8Array.of(0xff, 0xd9),
  ])
}

/** Writes a segment with one Huffman table (ITU-T T.81, B.2.4.2). `kind` is its class (0 or 16) plus its number. */
function tableSegment(kind: number, { counts, symbols }: HuffmanTable): Uint8Array {
  const length = 2 + 1 + counts.length + symbols.length
  return Uint8Array.from([0xff, 0xc4, length >> 8, length & 255, kind, ...counts, ...symbols])
}

/** The largest number of bits of a DC value (ITU-T T.81, table F.1), and its value in a white block, not quantized. */
const MOST_DC_BITS = 11
const WHITE_DC = 1016
/** Number of coefficients of a block. */
const COEFFICIENTS = 64

/** Size of a unit (MCU) in pixels, and the number of units across and down. */
interface Units {
  unitWidth: number
  unitHeight: number
  columns: number
  rows: number
}

/** The units of a scan (ITU-T T.81, A.2). With only one component, a unit is one block. */
function unitsOf({ width, height, components }: JpegHeader): Units {
  const isSingle = components.length === 1
  const across = isSingle ? 1 : Math.max(...components.map(component => component.across))
  const down = isSingle ? 1 : Math.max(...components.map(component => component.down))
  const [unitWidth, unitHeight] = [across * 8, down * 8]
  return { unitWidth, unitHeight, columns: Math.ceil(width / unitWidth), rows: Math.ceil(height / unitHeight) }
}

interface Channel {
  component: JpegComponent
  blocks: number
  dcCodes: Uint16Array
  acCodes: Uint16Array
  /** The end-of-block code of the AC table, and its length in bits. */
  endCode: number
  endLength: number
  /** The DC value of a blank block. */
  blank: number
  readDc: number
  writtenDc: number
}

class Transcoder {
  private readonly reader: BitReader
  private readonly writer: BitWriter
  private readonly units: Units
  private readonly dcCodes: { code: number; length: number }[] = []

  constructor(
    bytes: Uint8Array,
    private readonly header: JpegHeader,
    private readonly cut: PixelCut,
  ) {
    this.units = unitsOf(header)
    this.reader = new BitReader(bytes, header.dataStart)
    this.writer = new BitWriter(bytes.length - header.dataStart)
    const codes = readHuffmanCodes(DC_TABLE)
    for (let at = 0; at < codes.length; at++) {
      const entry = codes[at] as number
      const length = entry >> 8
      if (length > 0) this.dcCodes[entry & 255] ??= { code: at >>> (16 - length), length }
    }
  }

  run(): Uint8Array | undefined {
    const channels = this.openChannels()
    if (!channels) return undefined
    const { columns, rows } = this.units
    const { restartInterval } = this.header
    for (let unit = 0; unit < columns * rows; unit++) {
      if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
        if (!this.reader.restart()) return undefined
        for (const channel of channels) channel.readDc = 0
      }
      const isBlank = !this.stays(unit % columns, Math.floor(unit / columns))
      for (const channel of channels)
        for (let block = 0; block < channel.blocks; block++) if (!this.copyBlock(channel, { isBlank })) return undefined
      if (this.reader.isOver) return undefined
    }
    return this.writer.finish()
  }

  private openChannels(): Channel[] | undefined {
    const { header } = this
    const channels: Channel[] = []
    for (const [index, component] of header.components.entries()) {
      const dc = header.tables.get(`0 ${component.dcTable}`)
      const ac = header.tables.get(`1 ${component.acTable}`)
      if (!dc || !ac) return undefined
      const acCodes = readHuffmanCodes(ac)
      const end = acCodes.findIndex(entry => entry > 0 && (entry & 255) === 0)
      if (end < 0) return undefined
      const endLength = (acCodes[end] as number) >> 8
      const blocks = header.components.length === 1 ? 1 : component.across * component.down
      const quantizer = header.quantizers.get(component.quantizer) || 1
      const blank = isBright(header, index) ? Math.round(WHITE_DC / quantizer) : 0
      channels.push({
        component,
        blocks,
        dcCodes: readHuffmanCodes(dc),
        acCodes,
        endCode: end >>> (16 - endLength),
        endLength,
        blank,
        readDc: 0,
        writtenDc: 0,
      })
    }
    return channels
  }

  /** Returns whether any pixel of a unit stays. */
  private stays(column: number, row: number): boolean {
    const { unitWidth, unitHeight } = this.units
    const { left, top, width, height, cleared } = this.cut
    const [firstX, lastX] = [Math.max(left, column * unitWidth), Math.min(left + width, (column + 1) * unitWidth)]
    const [firstY, lastY] = [Math.max(top, row * unitHeight), Math.min(top + height, (row + 1) * unitHeight)]
    if (firstX >= lastX || firstY >= lastY) return false
    if (cleared.length === 0) return true
    for (let y = firstY; y < lastY; y++)
      for (let x = firstX; x < lastX; x++) if (!isClearedIn(cleared, x, y)) return true
    return false
  }

  /**
   * Copies a block, or writes a blank one instead. A code stands for a length in bits, whose bits follow. Below the
   * middle of its range, the value is negative (ITU-T T.81, F.1.2). Returns false if the data is damaged.
   */
  private copyBlock(channel: Channel, { isBlank }: { isBlank: boolean }): boolean {
    const { reader, writer } = this
    const entry = channel.dcCodes[reader.peek()] as number
    const dcLength = entry & 255
    if (entry === 0 || dcLength > MOST_DC_BITS) return false
    reader.skip(entry >> 8)
    const bits = reader.take(dcLength)
    channel.readDc += dcLength > 0 && bits < 1 << (dcLength - 1) ? bits - (1 << dcLength) + 1 : bits
    if (!this.putDc(channel, isBlank ? channel.blank : channel.readDc)) return false
    for (let index = 1; index < COEFFICIENTS; index++) {
      const code = reader.peek()
      const acEntry = channel.acCodes[code] as number
      if (acEntry === 0) return false
      const length = acEntry >> 8
      const size = acEntry & 15
      reader.skip(length)
      const value = reader.take(size)
      if (!isBlank) {
        writer.put(code >>> (16 - length), length)
        if (size > 0) writer.put(value, size)
      }
      if ((acEntry & 255) === 0) break // the end of the block
      index += (acEntry >> 4) & 15 // zeros
    }
    if (isBlank) writer.put(channel.endCode, channel.endLength)
    return true
  }

  /** Writes a DC value as its difference from the last one. Returns false if the table has no code for it. */
  private putDc(channel: Channel, value: number): boolean {
    const difference = value - channel.writtenDc
    const category = 32 - Math.clz32(Math.abs(difference))
    const code = this.dcCodes[category]
    if (!code) return false
    channel.writtenDc = value
    this.writer.put(code.code, code.length)
    if (category > 0) this.writer.put(difference < 0 ? difference + (1 << category) - 1 : difference, category)
    return true
  }
}

function isClearedIn(parts: readonly ClearedPart[], x: number, y: number): boolean {
  return parts.some(
    part => x >= part.left && x < part.right && y >= part.top && y < part.bottom && part.isCleared(x, y),
  )
}

/**
 * Returns whether the largest value of a component is white: for gray, for luminance, and for all components of RGB.
 */
function isBright({ components, transform }: JpegHeader, index: number): boolean {
  if (components.length === 1) return true
  if (components.length !== 3) return false
  const isRgb = transform === 0 || components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  return isRgb || index === 0
}
