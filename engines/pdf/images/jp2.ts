import { stripCodestream } from './jp2-codestream'

/**
 * Boxes with information about the image that no decoder needs (ISO/IEC 15444-1, annex I): XMP, EXIF, IPTC, GPS,
 * owners.
 */
const METADATA_BOXES = new Set(['xml ', 'uuid', 'uinf', 'jp2i', 'jumb', 'free', 'skip'])

/** The box that holds the image. */
const CODESTREAM = 'jp2c'

/** Boxes with absolute file offsets (ISO/IEC 15444-2, M.11). If there are any, no data may move. */
const POINTERS = new Set(['flst', 'ftbl', 'cref'])

const SIGNATURE = Buffer.from([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])

interface JpxBox {
  kind: string
  start: number
  /** Offset of the contents. */
  data: number
  end: number
}

/**
 * Removes XML and UUID boxes, comments in the codestream, and bytes after the end from a JPEG 2000 file (JP2, JPX or a
 * bare codestream). Image data, the color profile and all other boxes are copied unchanged. Undefined if there is
 * nothing to remove or if the bytes can't be parsed.
 */
export function stripJp2(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isFile = file.subarray(0, SIGNATURE.length).equals(SIGNATURE)
  const boxes = isFile ? readBoxes(file) : undefined
  if (isFile && !boxes) return undefined
  const stripped = boxes ? stripBoxes(file, boxes) : stripCodestream(file)
  return stripped.equals(file) ? undefined : stripped
}

function stripBoxes(file: Buffer, boxes: JpxBox[]): Buffer {
  const mayMove = !boxes.some(({ kind }) => POINTERS.has(kind))
  const parts = boxes.flatMap(({ kind, start, data, end }) => {
    if (kind === CODESTREAM && mayMove)
      return [writeBox(file.subarray(start, data), stripCodestream(file.subarray(data, end)))]
    if (!METADATA_BOXES.has(kind)) return [file.subarray(start, end)]
    return mayMove ? [] : [writeEmpty(file.subarray(start, data), end - data)]
  })
  return Buffer.concat(parts)
}

/** Writes a box with new contents. A box with length 0 extends to the end of the file and keeps that length. */
function writeBox(head: Buffer, contents: Buffer): Buffer {
  const written = Buffer.from(head)
  const length = head.length + contents.length
  if (head.length === 16) written.writeBigUInt64BE(BigInt(length), 8)
  else if (head.readUInt32BE(0) !== 0) written.writeUInt32BE(length, 0)
  return Buffer.concat([written, contents])
}

/** Writes a box of free space with the same length as the original box. */
function writeEmpty(head: Buffer, length: number): Buffer {
  const box = Buffer.concat([head, Buffer.alloc(length)])
  box.write('free', 4, 'latin1')
  return box
}

function readBoxes(file: Buffer): JpxBox[] | undefined {
  const boxes: JpxBox[] = []
  for (let start = 0; start < file.length;) {
    if (start + 8 > file.length) return boxes.some(({ kind }) => kind === CODESTREAM) ? boxes : undefined
    const stated = file.readUInt32BE(start)
    const isLong = stated === 1
    if (isLong && start + 16 > file.length) return undefined
    // Length 0 means that this is the last box, which extends to the end of the file.
    const length = isLong ? Number(file.readBigUInt64BE(start + 8)) : stated === 0 ? file.length - start : stated
    const data = start + (isLong ? 16 : 8)
    const end = start + length
    // Ignore bytes after the image that aren't a box.
    if (end < data || end > file.length) return boxes.some(({ kind }) => kind === CODESTREAM) ? boxes : undefined
    boxes.push({ kind: file.toString('latin1', start + 4, start + 8), start, data, end })
    start = end
  }
  return boxes
}
