import { isBmp } from './bmp'
import { isGif } from './gif'
import { isJpeg, isPng } from '../../pdf/images'
import { isTiff } from './tiff'
import { isWebp } from './webp-file'

/** The image formats that Sheaf reads. */
export type ImageFileFormat = 'jpeg' | 'png' | 'tiff' | 'webp' | 'gif' | 'bmp'

const FORMATS: readonly [ImageFileFormat, (bytes: Uint8Array) => boolean][] = [
  ['jpeg', isJpeg],
  ['png', isPng],
  ['tiff', isTiff],
  ['webp', isWebp],
  ['gif', isGif],
  ['bmp', isBmp],
]

/** Names of the formats for errors and descriptions. */
export const FORMAT_NAMES = 'JPEG, PNG, TIFF, WebP, GIF or BMP'

/** The format of an image by its content. Undefined if Sheaf doesn't read it. */
export function findImageFormat(bytes: Uint8Array): ImageFileFormat | undefined {
  return FORMATS.find(([, matches]) => matches(bytes))?.[0]
}

/** Brands of files that are boxes with a type (ISO/IEC 14496-12, 4.3). The brand follows the type `ftyp`. */
const BRANDS: readonly [RegExp, string][] = [
  [/^(?:avif|avis)$/, 'an AVIF image'],
  [/^(?:hei[cxms]|hev[cx]|mif1|msf1)$/, 'a HEIC image'],
  [/^(?:jp2 |jpx )$/, 'a JPEG 2000 image'],
]

/** Other formats by their first bytes, as hexadecimal digits. */
const SIGNATURES: readonly [string, string][] = [
  ['0000000c6a502020', 'a JPEG 2000 image'],
  ['ff4fff51', 'a JPEG 2000 image'],
  ['0000000c4a584c20', 'a JPEG XL image'],
  ['ff0a', 'a JPEG XL image'],
  ['38425053', 'a Photoshop file'],
  ['00000100', 'an ICO file'],
  ['504b0304', 'a ZIP file'],
  ['25215053', 'a PostScript file'],
]

/** Text formats by their first kilobyte. */
const TEXTS: readonly [RegExp, string][] = [
  [/%PDF-/, 'a PDF'],
  [/<svg[\s>]/i, 'an SVG image'],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i, 'an HTML page'],
  [/^(?:\xef\xbb\xbf)?\s*<\?xml/i, 'an XML file'],
]

const READ_BYTES = 1024

/** Describes a file in a format that Sheaf doesn't read, such as "a HEIC image". */
export function describeOtherFormat(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty file'
  const start = Buffer.from(bytes.subarray(0, READ_BYTES))
  const text = start.toString('latin1')
  const digits = start.toString('hex', 0, 16)
  const brand = text.slice(4, 8) === 'ftyp' ? text.slice(8, 12) : undefined
  if (brand !== undefined) return BRANDS.find(([pattern]) => pattern.test(brand))?.[1] ?? 'a video'
  return (
    SIGNATURES.find(([signature]) => digits.startsWith(signature))?.[1] ??
    TEXTS.find(([pattern]) => pattern.test(text))?.[1] ??
    'an unknown format'
  )
}
