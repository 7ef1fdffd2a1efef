import { readFile } from 'node:fs/promises'
import encode, { init } from '@jsquash/jpeg/encode.js'
import { findPackageFile } from '../../../installed-package'

let opened: Promise<void> | undefined

/** Default quality of lossy images of pages, at which text on white has no visible noise. */
export const PAGE_QUALITY = 85

/** Numbers of color spaces in the encoder: grayscale and YCbCr. */
const GRAY = 1
const LUMA_AND_COLOR = 3

/**
 * Encodes pixels of four bytes (red, green, blue, unused) as JPEG. With `isGray`, the file has one channel. `quality`
 * is from 1 to 100. If `progressive` is `true`, the file is smaller and takes longer to write. Otherwise, it is a
 * baseline JPEG.
 */
export async function encodeJpeg(
  { width, height, pixels }: { width: number; height: number; pixels: Uint8Array },
  isGray: boolean,
  { quality = PAGE_QUALITY, progressive = false }: { quality?: number; progressive?: boolean } = {},
): Promise<Uint8Array> {
  await (opened ??= compile())
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  // The encoder reads only these three properties. Its types require the `ImageData` class of browsers.
  const image = { width, height, data } as unknown as Parameters<typeof encode>[0]
  const options: Record<string, unknown> = {
    quality,
    progressive,
    baseline: !progressive,
    color_space: isGray ? GRAY : LUMA_AND_COLOR,
  } // The types name color spaces that don't exist at run time.
  return new Uint8Array(await encode(image, options))
}

/** Loads the WebAssembly module from its file, because the package would fetch it like a browser. */
async function compile(): Promise<void> {
  const wasm = await readFile(findPackageFile('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
  // This signature is documented. The types only have the other signature.
  const start = init as unknown as (module: WebAssembly.Module, settings: object) => Promise<void>
  // The encoder prints remarks about low qualities, but the output of this process has another purpose.
  await start(await WebAssembly.compile(wasm), { print: () => undefined, printErr: () => undefined })
}
