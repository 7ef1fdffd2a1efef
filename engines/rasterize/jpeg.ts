import { readFile } from 'node:fs/promises'
import encode, { init } from '@jsquash/jpeg/encode.js'
import { findPackageFile } from '../package-file'

let opened: Promise<void> | undefined

/** Of 100: text on white stays free of visible noise. */
const QUALITY = 85

/** Color spaces as the encoder numbers them: gray, and luma with two color differences. */
const GRAY = 1
const LUMA_AND_COLOR = 3

/**
 * A JPEG of pixels of four bytes (red, green, blue, unused); of one channel when it is gray. `quality` is from 1 to 100.
 * If `progressive` is `true`, the file is smaller and takes longer to write. Otherwise, it is a baseline JPEG.
 */
export async function encodeJpeg(
  { width, height, pixels }: { width: number; height: number; pixels: Uint8Array },
  isGray: boolean,
  { quality = QUALITY, progressive = false }: { quality?: number; progressive?: boolean } = {},
): Promise<Uint8Array> {
  await (opened ??= compile())
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  // The encoder reads these three properties only; its types ask for the picture class of browsers.
  const image = { width, height, data } as unknown as Parameters<typeof encode>[0]
  const options: Record<string, unknown> = {
    quality,
    progressive,
    baseline: !progressive,
    color_space: isGray ? GRAY : LUMA_AND_COLOR,
  } // the types name color spaces that are not there at run time
  return new Uint8Array(await encode(image, options))
}

/** By its file, because the package would fetch it as a browser does. */
async function compile(): Promise<void> {
  const wasm = await readFile(findPackageFile('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
  // As documented; the types know its other form only.
  const start = init as unknown as (module: WebAssembly.Module, settings: object) => Promise<void>
  // The encoder prints remarks about low qualities. The output of this process has another purpose.
  await start(await WebAssembly.compile(wasm), { print: () => undefined, printErr: () => undefined })
}
