import { isFrameMarker, JpegMarker, walkJpegSegments, writeJpegSegment } from '../images/jpeg-segments'
import type { JpegSegment } from '../images/jpeg-segments'
import { JpegScans } from './jpeg-scan'

const {
  start: SOI,
  end: EOI,
  scan: SOS,
  huffman: DHT,
  quantizers: DQT,
  restartInterval: DRI,
  app0: APP0,
  app14: APP14,
} = JpegMarker

/** Lengths of the known fields of the JFIF and Adobe segments (ITU-T T.871, 10.1; T.872, 6.5.3). */
const JFIF_BYTES = 14
const ADOBE_BYTES = 12

interface Component {
  id: number
  quantizer: number
}

/**
 * Writes a JPEG file anew with only what a decoder reads: the frame, its scans, the tables that they use, and the two
 * segments that state the coding of colors. Comments, other application data with thumbnails and profiles, unused tables,
 * bytes after the last block of a scan, and bytes around the image are gone. The coded pixels don't change. Undefined if
 * the scans can't be followed.
 */
export function cleanJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = file.indexOf(Buffer.from([0xff, SOI, 0xff]))
  return start < 0 ? undefined : new JpegCleaner().run(file.subarray(start))
}

class JpegCleaner {
  private readonly parts: Buffer[] = [Buffer.from([0xff, SOI])]
  /** Tables that no scan has used yet, by their segment's marker and their number. */
  private readonly waiting = new Map<string, Buffer>()
  private readonly components: Component[] = []
  private frame: Buffer | undefined
  private scans: JpegScans | undefined
  private interval = 0
  private isIntervalNew = false
  private hasScan = false

  run(file: Buffer): Buffer | undefined {
    for (const segment of walkJpegSegments(file)) if (!this.read(segment)) return undefined
    return this.hasScan ? Buffer.concat([...this.parts, Buffer.from([0xff, EOI])]) : undefined
  }

  /** Reads a segment. Returns `false` if a scan can't be followed. */
  private read(segment: JpegSegment): boolean {
    const { marker, data } = segment
    if (marker === SOS) return this.readScan(segment)
    if (marker === DHT) this.readTables(data, marker, at => 17 + sum(data.subarray(at + 1, at + 17)))
    else if (marker === DQT) this.readTables(data, marker, at => ((data[at] as number) >> 4 === 0 ? 65 : 129))
    else if (marker === DRI && data.length >= 2) {
      this.interval = data.readUInt16BE(0)
      this.isIntervalNew = true
    } else if (marker === APP0 && !this.hasScan) this.writeJfif(data)
    else if (marker === APP14 && !this.hasScan) this.writeAdobe(data)
    else if (isFrameMarker(marker) && !this.frame) this.readFrame(marker, data)
    return true
  }

  private readTables(data: Buffer, marker: number, lengthAt: (at: number) => number): void {
    for (let at = 0; at < data.length;) {
      const end = at + lengthAt(at)
      if (end > data.length) return
      const kind = (data[at] as number) & (marker === DQT ? 15 : 255)
      this.waiting.set(`${marker} ${kind}`, data.subarray(at, end))
      at = end
    }
  }

  private readFrame(marker: number, data: Buffer): void {
    const length = 6 + 3 * (data[5] ?? 0)
    if (data.length < length) return
    for (let at = 6; at < length; at += 3)
      this.components.push({ id: data[at] as number, quantizer: data[at + 2] as number })
    this.frame = writeJpegSegment(marker, data.subarray(0, length))
    this.scans = JpegScans.of(marker, data)
  }

  private writeJfif(data: Buffer): void {
    if (data.length < JFIF_BYTES || data.toString('latin1', 0, 5) !== 'JFIF\0') return
    // The last two bytes are the size of a thumbnail.
    this.parts.push(writeJpegSegment(APP0, Buffer.concat([data.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)])))
  }

  private writeAdobe(data: Buffer): void {
    if (data.length < ADOBE_BYTES || data.toString('latin1', 0, 5) !== 'Adobe') return
    // The version and two flags come between the name and the transform. The version is 100.
    const fields = [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, data[11] as number]
    this.parts.push(writeJpegSegment(APP14, Buffer.from(fields)))
  }

  private readScan({ data, coded }: JpegSegment): boolean {
    const { frame, scans } = this
    const count = data[0] ?? 0
    if (!frame || !scans || data.length < 4 + 2 * count) return false
    const header = data.subarray(0, 4 + 2 * count)
    const tables: string[] = []
    for (let at = 1; at <= 2 * count; at += 2) {
      const component = this.components.find(({ id }) => id === data[at])
      if (component) tables.push(`${DQT} ${component.quantizer}`)
      const numbers = data[at + 1] as number
      tables.push(`${DHT} ${numbers >> 4}`, `${DHT} ${16 + (numbers & 15)}`)
    }
    // Some readers need all tables of quantization before the first scan.
    if (!this.hasScan) tables.push(...this.components.map(({ quantizer }) => `${DQT} ${quantizer}`))
    for (const key of [...new Set(tables)].sort((one, other) => Number(isHuffman(one)) - Number(isHuffman(other)))) {
      const table = this.waiting.get(key)
      if (!table) continue
      this.parts.push(writeJpegSegment(Number(key.split(' ')[0]), table))
      if (isHuffman(key)) scans.setTable(table)
      this.waiting.delete(key)
    }
    const cut = scans.cut(header, coded, this.interval)
    if (!cut) return false
    if (!this.hasScan) this.parts.push(frame)
    if (this.isIntervalNew) this.parts.push(writeJpegSegment(DRI, writeNumber(this.interval)))
    this.isIntervalNew = false
    this.hasScan = true
    this.parts.push(writeJpegSegment(SOS, header), cut)
    return true
  }
}

function isHuffman(key: string): boolean {
  return key.startsWith(`${DHT} `)
}

function sum(values: Uint8Array): number {
  return values.reduce((total, value) => total + value, 0)
}

function writeNumber(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255])
}
