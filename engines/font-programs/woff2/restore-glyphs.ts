import { DamagedFontError, FontData } from '../font-data'
import {
  FOUR_SCALES,
  INSTRUCTIONS,
  MORE,
  REPEAT,
  SCALE,
  TWO_SCALES,
  WIDE_PLACE,
  X_SAME,
  X_SHORT,
  Y_SAME,
  Y_SHORT,
} from '../true-type/glyph-flags'

const HEADER_BYTES = 36
const HAS_OVERLAP_BITS = 1

/** Further flags of a point of a simple glyph. */
const ON_CURVE = 0x01
const OVERLAPS = 0x40
const MOST_REPEATS = 255

/** The tables that WOFF2 stores as streams of numbers of the same kind. */
export interface RestoredGlyphs {
  glyf: Uint8Array
  loca: Uint8Array
  /** The smallest x coordinate of each glyph's outline. */
  leftSides: Int16Array
}

/**
 * Restores `glyf` and `loca` from their transformed form (WOFF 2.0, 5.1 to 5.3). Flags and coordinates are packed as in
 * the reference decoder, and each outline starts at a multiple of four bytes.
 */
export function restoreGlyphs(table: Uint8Array): RestoredGlyphs {
  return new GlyphStreams(new FontData(table)).restore()
}

/** Reads numbers from one of the streams. Reading beyond its end throws `DamagedFontError`. */
class Stream {
  at = 0

  constructor(private readonly data: Uint8Array) {}

  u8(): number {
    const byte = this.data[this.at++]
    if (byte === undefined) throw new DamagedFontError('a stream of a WOFF2 file is too short')
    return byte
  }

  u16(): number {
    const high = this.u8()
    return (high << 8) | this.u8()
  }

  /** A number of one to three bytes (255UInt16). */
  short(): number {
    const first = this.u8()
    if (first === 253) return this.u16()
    if (first === 254) return this.u8() + 506
    return first === 255 ? this.u8() + 253 : first
  }

  bytes(length: number): Uint8Array {
    const start = this.at
    this.at += length
    if (this.at > this.data.length) throw new DamagedFontError('a stream of a WOFF2 file is too short')
    return this.data.subarray(start, this.at)
  }
}

class GlyphStreams {
  private readonly glyphCount: number
  private readonly isLong: boolean
  private readonly contourCounts: Stream
  private readonly pointCounts: Stream
  private readonly flags: Stream
  private readonly points: Stream
  private readonly composites: Stream
  private readonly boxBits: Uint8Array
  private readonly boxes: Stream
  private readonly instructions: Stream
  private readonly overlapBits: Uint8Array | undefined
  private glyf: Buffer
  private length = 0
  /** The points of the current glyph. */
  private x = new Int32Array(256)
  private y = new Int32Array(256)
  private isOn = new Uint8Array(256)

  constructor(data: FontData) {
    this.glyphCount = data.u16(4)
    this.isLong = data.u16(6) !== 0
    let at = HEADER_BYTES
    const [contourCounts, pointCounts, flags, points, composites, boxes, instructions] = [0, 1, 2, 3, 4, 5, 6].map(
      index => {
        const size = data.u32(8 + index * 4)
        at += size
        return data.slice(at - size, at)
      },
    ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array] // One per index.
    const bitmapBytes = 4 * ((this.glyphCount + 31) >> 5)
    this.contourCounts = new Stream(contourCounts)
    this.pointCounts = new Stream(pointCounts)
    this.flags = new Stream(flags)
    this.points = new Stream(points)
    this.composites = new Stream(composites)
    this.boxBits = boxes.subarray(0, bitmapBytes)
    this.boxes = new Stream(boxes.subarray(bitmapBytes))
    this.instructions = new Stream(instructions)
    this.overlapBits = data.u16(2) & HAS_OVERLAP_BITS ? data.slice(at, at + ((this.glyphCount + 7) >> 3)) : undefined
    this.glyf = Buffer.alloc(data.length * 2)
  }

  restore(): RestoredGlyphs {
    const { glyphCount, isLong } = this
    const leftSides = new Int16Array(glyphCount)
    const loca = Buffer.alloc((glyphCount + 1) * (isLong ? 4 : 2))
    for (let glyph = 0; glyph <= glyphCount; glyph++) {
      if (isLong) loca.writeUInt32BE(this.length, glyph * 4)
      else loca.writeUInt16BE(this.length >> 1, glyph * 2)
      if (glyph < glyphCount) leftSides[glyph] = this.restoreGlyph(glyph)
    }
    return { glyf: this.glyf.subarray(0, this.length), loca, leftSides }
  }

  /** Appends a glyph and returns its left side. */
  private restoreGlyph(glyph: number): number {
    const contours = this.contourCounts.u16()
    if (contours === 0) return 0
    const start = this.length
    const hasBox = ((this.boxBits[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
    if (contours === 0xffff) {
      if (!hasBox) throw new DamagedFontError('a composite glyph has no box')
      this.restoreComposite()
    } else this.restoreSimple(contours, { hasBox, isOverlapping: this.isOverlapping(glyph) })
    const left = this.glyf.readInt16BE(start + 2)
    this.reserve(3)
    while (this.length % 4 !== 0) this.glyf[this.length++] = 0
    return left
  }

  private isOverlapping(glyph: number): boolean {
    return ((this.overlapBits?.[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
  }

  private restoreComposite(): void {
    const { composites } = this
    this.reserve(10)
    this.write16(0xffff)
    this.writeBytes(this.boxes.bytes(8))
    let flags = MORE
    let hasInstructions = false
    while (flags & MORE) {
      flags = composites.u16()
      hasInstructions ||= (flags & INSTRUCTIONS) !== 0
      this.reserve(2)
      this.write16(flags)
      const scaleBytes = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & FOUR_SCALES ? 8 : 0
      this.writeBytes(composites.bytes((flags & WIDE_PLACE ? 6 : 4) + scaleBytes))
    }
    if (hasInstructions) this.restoreInstructions()
  }

  private restoreSimple(
    contours: number,
    { hasBox, isOverlapping }: { hasBox: boolean; isOverlapping: boolean },
  ): void {
    this.reserve(10 + contours * 2)
    const start = this.length
    this.write16(contours)
    this.length += 8
    let pointCount = 0
    for (let contour = 0; contour < contours; contour++) {
      pointCount += this.pointCounts.short()
      this.write16(pointCount - 1)
    }
    this.readPoints(pointCount)
    this.glyf.set(hasBox ? this.boxes.bytes(8) : this.measureBox(pointCount), start + 2)
    this.restoreInstructions()
    this.writePoints(pointCount, isOverlapping)
  }

  private restoreInstructions(): void {
    const length = this.points.short()
    this.reserve(2 + length)
    this.write16(length)
    this.writeBytes(this.instructions.bytes(length))
  }

  /**
   * Reads points as steps from one to the next. The flag of a point determines their size, one to four bytes (WOFF 2.0,
   * table 6).
   */
  private readPoints(count: number): void {
    if (count > this.x.length) {
      this.x = new Int32Array(count * 2)
      this.y = new Int32Array(count * 2)
      this.isOn = new Uint8Array(count * 2)
    }
    const { points } = this
    let x = 0
    let y = 0
    for (let index = 0; index < count; index++) {
      const stated = this.flags.u8()
      const flag = stated & 0x7f
      let dx = 0
      let dy = 0
      if (flag < 10) dy = ((flag & 14) << 7) + points.u8()
      else if (flag < 20) dx = (((flag - 10) & 14) << 7) + points.u8()
      else if (flag < 84) {
        const both = points.u8()
        dx = 1 + ((flag - 20) & 0x30) + (both >> 4)
        dy = 1 + (((flag - 20) & 0x0c) << 2) + (both & 0x0f)
      } else if (flag < 120) {
        dx = 1 + (Math.floor((flag - 84) / 12) << 8) + points.u8()
        dy = 1 + ((((flag - 84) % 12) >> 2) << 8) + points.u8()
      } else if (flag < 124) {
        const first = points.u8()
        const second = points.u8()
        dx = (first << 4) + (second >> 4)
        dy = ((second & 0x0f) << 8) + points.u8()
      } else {
        dx = points.u16()
        dy = points.u16()
      }
      // Bit 0 is the sign of x and bit 1 the sign of y. In a vertical step, bit 0 is the sign of y.
      if (!(flag & 1)) dx = -dx
      if (flag < 10 ? !(flag & 1) : !(flag & 2)) dy = -dy
      this.x[index] = x += dx
      this.y[index] = y += dy
      this.isOn[index] = stated >> 7 ? 0 : 1
    }
  }

  private measureBox(count: number): Uint8Array {
    const { x, y } = this
    let [left, bottom, right, top] = count > 0 ? [Infinity, Infinity, -Infinity, -Infinity] : [0, 0, 0, 0]
    for (let index = 0; index < count; index++) {
      left = Math.min(left, x[index] as number)
      bottom = Math.min(bottom, y[index] as number)
      right = Math.max(right, x[index] as number)
      top = Math.max(top, y[index] as number)
    }
    const box = Buffer.alloc(8)
    for (const [index, value] of [left, bottom, right, top].entries()) box.writeInt16BE(value, index * 2)
    return box
  }

  private writePoints(count: number, isOverlapping: boolean): void {
    this.reserve(count * 6)
    const { glyf, x, y, isOn } = this
    let lastFlag = -1
    let repeats = 0
    let at = this.length
    for (let index = 0; index < count; index++) {
      const dx = index > 0 ? (x[index] as number) - (x[index - 1] as number) : (x[index] as number)
      const dy = index > 0 ? (y[index] as number) - (y[index - 1] as number) : (y[index] as number)
      const flag =
        (isOn[index] ? ON_CURVE : 0) |
        (isOverlapping && index === 0 ? OVERLAPS : 0) |
        packing(dx, X_SHORT, X_SAME) |
        packing(dy, Y_SHORT, Y_SAME)
      if (flag === lastFlag && repeats !== MOST_REPEATS) {
        if (repeats === 0) glyf[at++] = 0
        glyf[at - 2] = flag | REPEAT
        glyf[at - 1] = ++repeats
      } else {
        glyf[at++] = flag
        repeats = 0
      }
      lastFlag = flag
    }
    at = this.writeSteps(x, count, at)
    this.length = this.writeSteps(y, count, at)
  }

  private writeSteps(places: Int32Array, count: number, start: number): number {
    const { glyf } = this
    let at = start
    for (let index = 0; index < count; index++) {
      const step = index > 0 ? (places[index] as number) - (places[index - 1] as number) : (places[index] as number)
      if (step === 0) continue
      if (step > -256 && step < 256) glyf[at++] = Math.abs(step)
      else {
        glyf[at++] = (step >> 8) & 0xff
        glyf[at++] = step & 0xff
      }
    }
    return at
  }

  private write16(value: number): void {
    this.glyf[this.length++] = value >> 8
    this.glyf[this.length++] = value & 0xff
  }

  private writeBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.glyf.set(bytes, this.length)
    this.length += bytes.length
  }

  private reserve(count: number): void {
    if (this.length + count <= this.glyf.length) return
    const grown = Buffer.alloc(Math.max(this.glyf.length * 2, this.length + count))
    grown.set(this.glyf.subarray(0, this.length))
    this.glyf = grown
  }
}

/** Returns the flags of a step: one byte with its sign, two bytes, or no bytes if it is 0. */
function packing(step: number, short: number, same: number): number {
  if (step === 0) return same
  return step > -256 && step < 256 ? short | (step > 0 ? same : 0) : 0
}
