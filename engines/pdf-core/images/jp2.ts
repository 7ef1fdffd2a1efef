import { stripCodestream } from './jp2-codestream'

/**
 * Boxes that tell of a picture and that no decoder needs (ISO/IEC 15444-1, annex I): XMP, EXIF, IPTC, places, owners.
 */
const SILENT = new Set(['xml ', 'uuid', 'uinf', 'jp2i', 'jumb', 'free', 'skip'])

/** The box that holds the image. */
const CODESTREAM = 'jp2c'

/** Boxes that say at which byte of the file something else stands (ISO/IEC 15444-2, M.11): nothing may move then. */
const POINTERS = new Set(['flst', 'ftbl', 'cref'])

const SIGNATURE = Buffer.from([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])

interface JpxBox {
  kind: string
  start: number
  /** Where its contents begin, and where it ends. */
  data: number
  end: number
}

/**
 * A JPEG 2000 file (JP2, JPX or a bare codestream) without XML and UUID boxes, comments of its codestream, and bytes
 * behind its end; image data, color profile and all other boxes are copied as they are. Undefined when nothing is to
 * remove, or when the bytes can't be read.
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
    if (!SILENT.has(kind)) return [file.subarray(start, end)]
    return mayMove ? [] : [writeEmpty(file.subarray(start, data), end - data)]
  })
  return Buffer.concat(parts)
}

/** A box with other contents; one that states no length goes on to the end of the file. */
function writeBox(head: Buffer, contents: Buffer): Buffer {
  const written = Buffer.from(head)
  const length = head.length + contents.length
  if (head.length === 16) written.writeBigUInt64BE(BigInt(length), 8)
  else if (head.readUInt32BE(0) !== 0) written.writeUInt32BE(length, 0)
  return Buffer.concat([written, contents])
}

/** A box of free space in the place of one. */
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
    // 0: the last box, which goes on to the end of the file.
    const length = isLong ? Number(file.readBigUInt64BE(start + 8)) : stated === 0 ? file.length - start : stated
    const data = start + (isLong ? 16 : 8)
    const end = start + length
    // What follows the image and is no box belongs to nothing.
    if (end < data || end > file.length) return boxes.some(({ kind }) => kind === CODESTREAM) ? boxes : undefined
    boxes.push({ kind: file.toString('latin1', start + 4, start + 8), start, data, end })
    start = end
  }
  return boxes
}
