/** Markers of ITU-T T.81, table B.1. */
const [SOI, EOI, SOS, DHT, DQT, DRI, DNL] = [0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdd, 0xdc]
/** Tables of arithmetic coding. */
const DAC = 0xcc
const [APP0, APP14] = [0xe0, 0xee]

/** Markers without a length: restart markers and the markers of a temporary private use. */
const isBare = (marker: number): boolean => (marker >= 0xd0 && marker <= SOI) || marker === 0x01

/** Returns whether a marker begins a frame. C4, C8 and CC don't. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![DHT, 0xc8, DAC].includes(marker)

/** Lengths of the known fields of the JFIF and Adobe segments (ITU-T T.871, 10.1; T.872, 6.5.3). */
const JFIF_BYTES = 14
const ADOBE_BYTES = 12

/** Maximum number of segments. A progressive file has tens of scans, each with a few tables. */
const MOST_SEGMENTS = 10_000

interface Component {
  id: number
  quantizer: number
}

/**
 * Writes a JPEG file anew with only what a decoder reads: the frame, its scans, the tables that they use, and the two
 * segments that state the coding of colors. Comments, other application data with thumbnails and profiles, unused tables,
 * and bytes around the image are gone. The coded pixels don't change. Undefined if the file can't be followed to the
 * first scan.
 */
export function cleanJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = file.indexOf(Buffer.from([0xff, SOI, 0xff]))
  return start < 0 ? undefined : new JpegCleaner(file.subarray(start)).run()
}

class JpegCleaner {
  private readonly parts: Buffer[] = [Buffer.from([0xff, SOI])]
  /** Tables that no scan has used yet, by their segment's marker and their number. */
  private readonly waiting = new Map<string, Buffer>()
  private readonly components: Component[] = []
  private frame: Buffer | undefined
  private restart: Buffer | undefined
  private hasScan = false

  constructor(private readonly file: Buffer) {}

  run(): Buffer | undefined {
    const { file } = this
    let at = 2
    for (let count = 0; at + 4 <= file.length && count < MOST_SEGMENTS; count++) {
      const marker = file[at + 1] as number
      if (file[at] !== 0xff) at = nextMarker(file, at)
      else if (marker === 0xff) at++
      else if (marker === EOI) break
      else if (isBare(marker)) at += 2
      else {
        const end = at + 2 + file.readUInt16BE(at + 2)
        if (end < at + 4 || end > file.length) break
        at = this.read(marker, file.subarray(at + 4, end), end)
      }
    }
    return this.hasScan ? Buffer.concat([...this.parts, Buffer.from([0xff, EOI])]) : undefined
  }

  /** Reads a segment and returns the position after it. After a scan header, this is the end of the coded data. */
  private read(marker: number, data: Buffer, end: number): number {
    if (marker === SOS) return this.readScan(data, end)
    if (marker === DHT) this.readTables(data, marker, at => 17 + sum(data.subarray(at + 1, at + 17)))
    else if (marker === DQT) this.readTables(data, marker, at => ((data[at] as number) >> 4 === 0 ? 65 : 129))
    else if (marker === DRI && data.length >= 2) this.restart = segment(DRI, data.subarray(0, 2))
    else if (marker === DNL && data.length >= 2 && this.hasScan) this.parts.push(segment(DNL, data.subarray(0, 2)))
    else if (marker === APP0 && !this.hasScan) this.writeJfif(data)
    else if (marker === APP14 && !this.hasScan) this.writeAdobe(data)
    else if (isFrame(marker) && !this.frame) this.readFrame(marker, data)
    // Arithmetic coding conditions. PDF has no arithmetic coding, but some readers show it.
    else if (marker === DAC) this.readTables(data, marker, () => 2)
    return end
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
    this.frame = segment(marker, data.subarray(0, length))
  }

  private writeJfif(data: Buffer): void {
    if (data.length < JFIF_BYTES || data.toString('latin1', 0, 5) !== 'JFIF\0') return
    // The last two bytes are the size of a thumbnail.
    this.parts.push(segment(APP0, Buffer.concat([data.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)])))
  }

  private writeAdobe(data: Buffer): void {
    if (data.length < ADOBE_BYTES || data.toString('latin1', 0, 5) !== 'Adobe') return
    // The version and two flags come between the name and the transform. The version is 100.
    this.parts.push(segment(APP14, Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, data[11] as number])))
  }

  private readScan(data: Buffer, end: number): number {
    const { file, frame } = this
    const count = data[0] ?? 0
    const stop = nextMarker(file, end)
    if (!frame || data.length < 4 + 2 * count) return stop
    const header = data.subarray(0, 4 + 2 * count)
    const tables: string[] = []
    for (let at = 1; at <= 2 * count; at += 2) {
      const component = this.components.find(({ id }) => id === data[at])
      if (component) tables.push(`${DQT} ${component.quantizer}`)
      const numbers = data[at + 1] as number
      for (const kind of [numbers >> 4, 16 + (numbers & 15)]) tables.push(`${DHT} ${kind}`, `${DAC} ${kind}`)
    }
    // Some readers need all tables of quantization before the first scan.
    if (!this.hasScan) tables.push(...this.components.map(({ quantizer }) => `${DQT} ${quantizer}`))
    for (const key of [...new Set(tables)].sort((one, other) => Number(isHuffman(one)) - Number(isHuffman(other)))) {
      const table = this.waiting.get(key)
      if (table) this.parts.push(segment(Number(key.split(' ')[0]), table))
      this.waiting.delete(key)
    }
    if (!this.hasScan) this.parts.push(frame)
    if (this.restart) this.parts.push(this.restart)
    this.restart = undefined
    this.hasScan = true
    this.parts.push(segment(SOS, header), file.subarray(end, stop))
    return stop
  }
}

function isHuffman(key: string): boolean {
  return key.startsWith(`${DHT} `)
}

function sum(values: Uint8Array): number {
  return values.reduce((total, value) => total + value, 0)
}

function segment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Position of the next marker after coded data, except for stuffed bytes and restart markers. */
function nextMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return file.length
}
