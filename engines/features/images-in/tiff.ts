import { BrokenImage, LargeImage } from '../../pdf/images'

/** Tags of an image file directory (TIFF 6.0, section 8). */
const TAG = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  channels: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  xResolution: 282,
  yResolution: 283,
  planes: 284,
  faxOptions: 292,
  resolutionUnit: 296,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  profile: 34_675,
} as const

/** Bytes of a value by its type (TIFF 6.0, section 2). */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8 }
const [BYTE, SHORT, LONG, RATIONAL, UNDEFINED] = [1, 3, 4, 5, 7]

const [REDUCED, MASK] = [1, 4]
const CENTIMETERS = 3
const CENTIMETERS_PER_INCH = 2.54

/** A strip or tile: its data and the part of the image that it holds. */
export interface TiffPart {
  data: Uint8Array
  left: number
  top: number
  /** Size in pixels. Tiles may reach over the edge of the image. */
  width: number
  height: number
  /** Position of the only channel in this part, for images with a plane for each channel. Otherwise 0. */
  plane: number
}

/** A page of a TIFF file. */
export interface TiffPage {
  width: number
  height: number
  bits: number
  channels: number
  compression: number
  photometric: number
  hasPlanes: boolean
  /** Whether bits of each byte start at the lowest one. */
  isReversed: boolean
  isLittleEndian: boolean
  predictor: number
  /** T4Options: bit 0 for two-dimensional coding. */
  faxOptions: number
  /** Types of the channels after the colors: 1 and 2 are opacity, with or without colors multiplied by it. */
  extraSamples: number[]
  sampleFormat: number
  inkSet: number
  /** Three bytes per color. */
  palette: Uint8Array | undefined
  jpegTables: Uint8Array | undefined
  profile: Uint8Array | undefined
  orientation: number
  pixelsPerInch: { x: number; y: number } | undefined
  parts: TiffPart[]
}

/** Returns whether the bytes start with a TIFF signature, including that of BigTIFF. */
export function isTiff(bytes: Uint8Array): boolean {
  const [one, two, three, four] = bytes
  const isLittle = one === 0x49 && two === 0x49 && (three === TIFF || three === BIG_TIFF) && four === 0
  return isLittle || (one === 0x4d && two === 0x4d && three === 0 && (four === TIFF || four === BIG_TIFF))
}

/** The versions after the byte order. */
const TIFF = 42
const BIG_TIFF = 43

/** Size of an entry of a directory: tag, type, count, and value or offset (TIFF 6.0, section 2). */
const ENTRY_BYTES = 12

/**
 * Reads the pages of a TIFF file one after another, without thumbnails and masks. The pixels stay compressed. Throws
 * BrokenImage, also if there are more than `maxPages` pages.
 */
export function* readTiff(bytes: Uint8Array, maxPages: number): Generator<TiffPage> {
  const file = new TiffFile(bytes)
  let count = 0
  const seen = new Set<number>()
  for (let at = file.firstDirectory; at !== 0;) {
    if (seen.has(at)) throw damaged()
    seen.add(at)
    const { tags, next } = file.readDirectory(at)
    const isPage = (tags.number(TAG.subfile, 0) & (REDUCED | MASK)) === 0
    if (isPage && ++count > maxPages)
      throw new LargeImage(`must have at most ${maxPages.toLocaleString('en')} pages. Send fewer pages.`)
    if (isPage) yield readPage(tags, count)
    at = next
  }
  if (count === 0) throw new BrokenImage('is a TIFF file without pages.')
}

class TiffFile {
  readonly isLittleEndian: boolean
  readonly firstDirectory: number
  private readonly file: Buffer

  constructor(bytes: Uint8Array) {
    this.file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.isLittleEndian = bytes[0] === 0x49
    if (this.file.length < 8) throw damaged()
    if (this.short(2) === BIG_TIFF)
      throw new BrokenImage("is a BigTIFF file. Sheaf doesn't read BigTIFF. Save it as TIFF.")
    this.firstDirectory = this.long(4)
  }

  readDirectory(at: number): { tags: Tags; next: number } {
    const { file } = this
    if (at + 2 > file.length) throw damaged()
    const count = this.short(at)
    const end = at + 2 + count * ENTRY_BYTES
    if (count === 0 || end + 4 > file.length + 4) throw damaged()
    const places = new Map<number, { type: number; count: number; at: number }>()
    for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
      const [type, length] = [this.short(entry + 2), this.long(entry + 4)]
      const size = (TYPE_BYTES[type] ?? 0) * length
      const place = size <= 4 ? entry + 8 : this.long(entry + 8)
      if (size > 0) places.set(this.short(entry), { type, count: length, at: place })
    }
    return { tags: new Tags(this, places), next: end + 4 <= file.length ? this.long(end) : 0 }
  }

  value(at: number, type: number, index: number): number {
    if (type === SHORT) return this.short(at + index * 2)
    if (type === LONG) return this.long(at + index * 4)
    if (type === RATIONAL) return this.long(at + index * 8) / this.long(at + index * 8 + 4)
    if (type === BYTE || type === UNDEFINED) return this.file[at + index] ?? 0
    return 0
  }

  /** Throws BrokenImage if the file ends before. */
  slice(at: number, length: number): Uint8Array {
    if (at + length > this.file.length) throw damaged()
    return this.file.subarray(at, at + length)
  }

  private short(at: number): number {
    return this.isLittleEndian ? this.file.readUInt16LE(at) : this.file.readUInt16BE(at)
  }

  private long(at: number): number {
    return this.isLittleEndian ? this.file.readUInt32LE(at) : this.file.readUInt32BE(at)
  }
}

/** The values of a directory by tag. */
class Tags {
  constructor(
    readonly file: TiffFile,
    private readonly places: ReadonlyMap<number, { type: number; count: number; at: number }>,
  ) {}

  has(tag: number): boolean {
    return this.places.has(tag)
  }

  number(tag: number, usual: number): number {
    return this.list(tag, 1)[0] ?? usual
  }

  /** The values of a tag, at most `most` of them. Empty if there is none. */
  list(tag: number, most: number): number[] {
    const place = this.places.get(tag)
    if (!place) return []
    const count = Math.min(place.count, most)
    this.file.slice(place.at, count * (TYPE_BYTES[place.type] ?? 0)) // throws if the file ends before
    return Array.from({ length: count }, (_, index) => this.file.value(place.at, place.type, index))
  }

  bytes(tag: number): Uint8Array | undefined {
    const place = this.places.get(tag)
    return place && this.file.slice(place.at, place.count * (TYPE_BYTES[place.type] ?? 0))
  }
}

const MOST_CHANNELS = 64
/** More parts than any writer makes of an image of 25 million pixels. */
const MOST_PARTS = 1_000_000

function readPage(tags: Tags, pageNumber: number): TiffPage {
  const [width, height] = [tags.number(TAG.width, 0), tags.number(TAG.height, 0)]
  const channels = tags.number(TAG.channels, 1)
  const bits = tags.list(TAG.bits, MOST_CHANNELS)
  if (width === 0 || height === 0 || channels === 0) throw damaged()
  if (channels > MOST_CHANNELS || bits.some(one => one !== bits[0]))
    throw new BrokenImage(`has an unsupported page ${pageNumber}. Its channels differ in depth. Save it as PNG.`)
  const hasPlanes = tags.number(TAG.planes, 1) === 2 && channels > 1
  return {
    width,
    height,
    channels,
    hasPlanes,
    bits: bits[0] ?? 1,
    compression: tags.number(TAG.compression, 1),
    photometric: tags.number(TAG.photometric, 0),
    isReversed: tags.number(TAG.fillOrder, 1) === 2,
    isLittleEndian: tags.file.isLittleEndian,
    predictor: tags.number(TAG.predictor, 1),
    faxOptions: tags.number(TAG.faxOptions, 0),
    extraSamples: tags.list(TAG.extraSamples, MOST_CHANNELS),
    sampleFormat: tags.number(TAG.sampleFormat, 1),
    inkSet: tags.number(TAG.inkSet, 1),
    palette: readPalette(tags),
    jpegTables: tags.bytes(TAG.jpegTables),
    profile: tags.bytes(TAG.profile),
    orientation: Math.max(1, Math.min(8, tags.number(TAG.orientation, 1))),
    pixelsPerInch: readDensity(tags),
    parts: readParts(tags, { width, height, planes: hasPlanes ? channels : 1 }),
  }
}

/** The colors of a palette have 16 bits: all reds, then all greens, then all blues. */
function readPalette(tags: Tags): Uint8Array | undefined {
  const values = tags.list(TAG.colorMap, 3 * 256)
  const count = Math.floor(values.length / 3)
  if (count === 0) return undefined
  // Some programs write values of 8 bits.
  const divisor = values.every(value => value < 256) ? 1 : 257
  return Uint8Array.from({ length: count * 3 }, (_, index) =>
    Math.round((values[(index % 3) * count + Math.floor(index / 3)] ?? 0) / divisor),
  )
}

function readDensity(tags: Tags): { x: number; y: number } | undefined {
  const unit = tags.number(TAG.resolutionUnit, 2)
  const perInch = unit === CENTIMETERS ? CENTIMETERS_PER_INCH : 1
  const [x, y] = [tags.number(TAG.xResolution, 0) * perInch, tags.number(TAG.yResolution, 0) * perInch]
  return unit !== 1 && x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined
}

function readParts(
  tags: Tags,
  { width, height, planes }: { width: number; height: number; planes: number },
): TiffPart[] {
  const isTiled = tags.has(TAG.tileOffsets)
  const partWidth = isTiled ? tags.number(TAG.tileWidth, 0) : width
  const partHeight = isTiled
    ? tags.number(TAG.tileHeight, 0)
    : Math.min(height, tags.number(TAG.rowsPerStrip, height) || height)
  if (partWidth === 0 || partHeight === 0) throw damaged()
  const [across, down] = [Math.ceil(width / partWidth), Math.ceil(height / partHeight)]
  const total = across * down * planes
  if (total > MOST_PARTS) throw damaged()
  const offsets = tags.list(isTiled ? TAG.tileOffsets : TAG.stripOffsets, total)
  const lengths = tags.list(isTiled ? TAG.tileBytes : TAG.stripBytes, total)
  if (offsets.length < total || lengths.length < total) throw damaged()
  return offsets.map((offset, index) => {
    const [plane, place] = [Math.floor(index / (across * down)), index % (across * down)]
    const [left, top] = [(place % across) * partWidth, Math.floor(place / across) * partHeight]
    return {
      data: tags.file.slice(offset, lengths[index] ?? 0),
      left,
      top,
      width: partWidth,
      height: isTiled ? partHeight : Math.min(partHeight, height - top),
      plane,
    }
  })
}

function damaged(): BrokenImage {
  return new BrokenImage('is a damaged TIFF file. It ends too early, or its directory is wrong.')
}
