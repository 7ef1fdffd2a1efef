/** Segments that say nothing about how the picture looks: APP1 (EXIF, XMP), APP13 (Photoshop, IPTC) and comments. */
const SILENT = new Set([0xe1, 0xed, 0xfe])

const START_OF_SCAN = 0xda

/**
 * A JPEG file without EXIF, XMP, IPTC and comments; its image data, colour profile and Adobe marker are copied as they
 * are. Undefined when nothing is to remove or the bytes are no JPEG.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const parts = [bytes.subarray(0, 2)]
  let isChanged = false
  for (let at = 2; at + 3 < bytes.length; ) {
    const marker = bytes[at + 1] as number
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    if (marker === START_OF_SCAN) return isChanged ? Buffer.concat([...parts, bytes.subarray(at)]) : undefined
    const end = at + 2 + ((bytes[at + 2] as number) << 8) + (bytes[at + 3] as number)
    if (end < at + 4 || end > bytes.length) return undefined
    if (SILENT.has(marker)) isChanged = true
    else parts.push(bytes.subarray(at, end))
    at = end
  }
  return undefined
}
