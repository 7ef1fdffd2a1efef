/** The first box of a JPEG 2000 file (ISO/IEC 15444-1, I.5.1). */
export const JP2_SIGNATURE = Buffer.from([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])

/** The box that holds the image. */
export const CODESTREAM_BOX = 'jp2c'

const MOST_BOXES = 10_000

/** A box of a JPEG 2000 file (ISO/IEC 15444-1, I.4). */
export interface Jp2Box {
  kind: string
  /** The length and the kind as they are in the file. */
  head: Buffer
  data: Buffer
}

/** Reads the boxes of a file, or of a box, up to the first bytes that aren't a whole box. */
export function readJp2Boxes(file: Buffer): Jp2Box[] {
  const boxes: Jp2Box[] = []
  for (let start = 0; start + 8 <= file.length && boxes.length < MOST_BOXES;) {
    const stated = file.readUInt32BE(start)
    const isLong = stated === 1
    if (isLong && start + 16 > file.length) break
    // Length 0 means that this is the last box, which extends to the end of the file.
    const length = isLong ? Number(file.readBigUInt64BE(start + 8)) : stated === 0 ? file.length - start : stated
    const data = start + (isLong ? 16 : 8)
    const end = start + length
    if (end < data || end > file.length) break
    boxes.push({
      kind: file.toString('latin1', start + 4, start + 8),
      head: file.subarray(start, data),
      data: file.subarray(data, end),
    })
    start = end
  }
  return boxes
}

/** Writes a box. */
export function writeJp2Box(kind: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length + 8, 0)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, data])
}
