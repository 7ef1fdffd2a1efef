import { CODESTREAM_BOX, JP2_SIGNATURE, readJp2Boxes, writeJp2Box } from './jp2-boxes'
import type { Jp2Box } from './jp2-boxes'
import { readCodestream } from './jp2-codestream'

/**
 * Boxes with information about the image that no decoder needs (ISO/IEC 15444-1, annex I): XMP, EXIF, IPTC, GPS,
 * owners.
 */
const METADATA_BOXES = new Set(['xml ', 'uuid', 'uinf', 'jp2i', 'jumb', 'free', 'skip'])

/** Boxes with absolute file offsets (ISO/IEC 15444-2, M.11). If there are any, no data may move. */
const POINTERS = new Set(['flst', 'ftbl', 'cref'])

/**
 * Removes XML and UUID boxes, comments in the codestream, and bytes after the end from a JPEG 2000 file (JP2, JPX or a
 * bare codestream). Image data, the color profile and all other boxes are copied unchanged. Undefined if there is
 * nothing to remove or if the bytes can't be parsed.
 */
export function stripJp2(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isFile = file.subarray(0, JP2_SIGNATURE.length).equals(JP2_SIGNATURE)
  const boxes = isFile ? readJp2Boxes(file) : []
  if (isFile && !boxes.some(({ kind }) => kind === CODESTREAM_BOX)) return undefined
  const stripped = isFile ? stripBoxes(boxes) : stripCodestream(file)
  return stripped.equals(file) ? undefined : stripped
}

function stripBoxes(boxes: Jp2Box[]): Buffer {
  const mayMove = !boxes.some(({ kind }) => POINTERS.has(kind))
  const parts = boxes.flatMap(({ kind, head, data }) => {
    if (kind === CODESTREAM_BOX && mayMove) return [writeLike(head, stripCodestream(data))]
    if (!METADATA_BOXES.has(kind)) return [head, data]
    return mayMove ? [] : [writeEmpty(head, data.length)]
  })
  return Buffer.concat(parts)
}

/** Writes a box with new contents. A box with length 0 extends to the end of the file and keeps that length. */
function writeLike(head: Buffer, contents: Buffer): Buffer {
  if (head.length === 8 && head.readUInt32BE(0) !== 0) return writeJp2Box(head.toString('latin1', 4), contents)
  const written = Buffer.from(head)
  if (head.length === 16) written.writeBigUInt64BE(BigInt(head.length + contents.length), 8)
  return Buffer.concat([written, contents])
}

/** Writes a box of free space with the same length as the original box. */
function writeEmpty(head: Buffer, length: number): Buffer {
  const box = Buffer.concat([head, Buffer.alloc(length)])
  box.write('free', 4, 'latin1')
  return box
}

/** The marker of a comment (ISO/IEC 15444-1, A.9.2). */
const COM = 0xff64

/**
 * Removes comments in the main header and bytes after the end of a codestream. Returns the data unchanged if it can't
 * be parsed.
 */
function stripCodestream(data: Buffer): Buffer {
  const codestream = readCodestream(data)
  if (!codestream) return data
  const { segments, tiles, end } = codestream
  const header = segments.filter(({ marker }) => marker !== COM).map(({ bytes }) => bytes)
  return Buffer.concat([data.subarray(0, 2), ...header, data.subarray(tiles[0]?.start ?? data.length, end)])
}
