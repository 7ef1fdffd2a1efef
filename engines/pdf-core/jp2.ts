/** Boxes that tell of a picture and that no decoder needs (ISO/IEC 15444-1, annex I): XMP, EXIF, IPTC, places, owners. */
const SILENT = new Set(['xml ', 'uuid', 'uinf', 'jp2i'])

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
 * A JPEG 2000 file (JP2 or JPX) without XML and UUID boxes; its codestream, colour profile and all other boxes are copied
 * as they are. Undefined when nothing is to remove, when the bytes are a bare codestream, or when they can't be read.
 */
export function stripJp2(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const boxes = file.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? readBoxes(file) : undefined
  if (!boxes?.some(({ kind }) => SILENT.has(kind))) return undefined
  const mayMove = !boxes.some(({ kind }) => POINTERS.has(kind))
  const parts = boxes.flatMap(({ kind, start, data, end }) => {
    if (!SILENT.has(kind)) return [file.subarray(start, end)]
    return mayMove ? [] : [writeEmpty(file.subarray(start, data), end - data)]
  })
  return Buffer.concat(parts)
}

/** A box of free space in the place of one. */
function writeEmpty(head: Buffer, length: number): Buffer {
  const box = Buffer.concat([head, Buffer.alloc(length)])
  box.write('free', 4, 'latin1')
  return box
}

function readBoxes(file: Buffer): JpxBox[] | undefined {
  const boxes: JpxBox[] = []
  for (let start = 0; start < file.length; ) {
    if (start + 8 > file.length) return undefined
    const stated = file.readUInt32BE(start)
    const isLong = stated === 1
    if (isLong && start + 16 > file.length) return undefined
    // 0: the last box, which goes on to the end of the file.
    const length = isLong ? Number(file.readBigUInt64BE(start + 8)) : stated === 0 ? file.length - start : stated
    const data = start + (isLong ? 16 : 8)
    const end = start + length
    if (end < data || end > file.length) return undefined
    boxes.push({ kind: file.toString('latin1', start + 4, start + 8), start, data, end })
    start = end
  }
  return boxes
}
