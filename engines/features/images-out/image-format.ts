import { setJpegDensity, writePng } from '../../pdf/images'
import type { Bitmap, RenderOptions } from '../../pdf/render'
import { encodeJpeg, encodeWebp } from '../../pdf/render'

/** The formats of images of pages. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const

export type ImageFormat = (typeof IMAGE_FORMATS)[number]

/** How images of pages look, apart from their size. */
export interface ImageStyle {
  format: ImageFormat
  color: 'rgb' | 'gray'
  background: 'white' | 'transparent'
  /** 1 to 100, for JPEG and WebP. */
  quality: number
}

/** File name extension, content type and largest side in pixels of each format. */
export const FORMAT_FACTS: Readonly<
  Record<ImageFormat, { extension: string; contentType: string; maxSide: number; label: string }>
> = {
  png: { extension: 'png', contentType: 'image/png', maxSide: 2 ** 31 - 1, label: 'PNG' },
  jpeg: { extension: 'jpg', contentType: 'image/jpeg', maxSide: 65_500, label: 'JPEG' },
  webp: { extension: 'webp', contentType: 'image/webp', maxSide: 16_383, label: 'WebP' },
}

/** The kind of bitmap that `encodeImage` needs. */
export function bitmapFor({ format, color, background }: ImageStyle): Pick<RenderOptions, 'color' | 'background'> {
  if (format !== 'png' || background === 'transparent') return { color: 'rgba', background }
  return { color, background }
}

/**
 * Writes a bitmap of `bitmapFor` as a file. JPEG and PNG have the bitmap's resolution. WebP has no field for it. The
 * bitmap may be changed.
 */
export async function encodeImage(
  bitmap: Bitmap,
  { format, color, background, quality }: ImageStyle,
): Promise<Uint8Array> {
  const { width, height, channels, pixels, dpi } = bitmap
  if (format === 'jpeg') {
    const file = await encodeJpeg(bitmap, color === 'gray', { quality })
    setJpegDensity(file, dpi)
    return file
  }
  if (color === 'gray' && channels === 4) removeColor(pixels)
  if (format === 'webp') return encodeWebp(bitmap, quality)
  if (background === 'transparent' && color === 'gray')
    return writePng({ width, height, channels: 2, pixels: toGrayWithOpacity(pixels) }, dpi)
  return writePng({ width, height, channels, pixels }, dpi)
}

/** Makes pixels of four bytes gray, in place. The weights are those of ITU-R BT.601, in 256ths. */
function removeColor(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    // The number of bytes is a multiple of four.
    const [r, g, b] = [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number]
    const gray = (77 * r + 150 * g + 29 * b) >> 8
    pixels[at] = gray
    pixels[at + 1] = gray
    pixels[at + 2] = gray
  }
}

function toGrayWithOpacity(pixels: Uint8Array): Uint8Array {
  const reduced = new Uint8Array(pixels.length / 2)
  for (let at = 0, out = 0; at < pixels.length; at += 4) {
    reduced[out++] = pixels[at] as number // the number of bytes is a multiple of four
    reduced[out++] = pixels[at + 3] as number // as above
  }
  return reduced
}
