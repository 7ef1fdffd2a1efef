import { readFile } from 'node:fs/promises'
import decode, { init as initDecoder } from '@jsquash/webp/decode.js'
import encode, { init as initEncoder } from '@jsquash/webp/encode.js'
import { EngineError } from '../../../errors'
import { findPackageFile } from '../../../installed-package'

/** Pixels of four bytes: red, green, blue and alpha. The colors aren't premultiplied. */
interface Pixels {
  width: number
  height: number
  pixels: Uint8Array
}

let encoder: Promise<unknown> | undefined
let decoder: Promise<unknown> | undefined

/** Encodes a lossy WebP file. `quality` is from 1 to 100. The file has an alpha channel if any pixel isn't opaque. */
export async function encodeWebp({ width, height, pixels }: Pixels, quality: number): Promise<Uint8Array> {
  await (encoder ??= compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm', initEncoder))
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  // The encoder reads only these three properties. Its types require the `ImageData` class of browsers.
  const image = { width, height, data } as unknown as Parameters<typeof encode>[0]
  return new Uint8Array(await encode(image, { quality }))
}

/**
 * Decodes a still WebP file. Check its size first, because the decoder has no limit. Undefined if the file is damaged.
 * Throws EngineError `too_large` if the decoder runs out of memory.
 */
export async function decodeWebp(bytes: Uint8Array): Promise<Pixels | undefined> {
  await (decoder ??= compile('@jsquash/webp/codec/dec/webp_dec.wasm', initDecoder))
  try {
    const { width, height, data } = await decode(bytes.slice().buffer)
    return { width, height, pixels: new Uint8Array(data.buffer, data.byteOffset, data.length) }
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      decoder = undefined
      throw new EngineError('too_large', 'The WebP image needs too much memory.', { cause: error })
    }
    return undefined // The package throws a plain error for data that it can't decode.
  }
}

/** Loads the WebAssembly module from its file, because the package would fetch it like a browser. */
async function compile(name: string, init: unknown): Promise<unknown> {
  const wasm = await readFile(findPackageFile(name))
  // This signature is documented. The types only have the other signature.
  const start = init as (module: WebAssembly.Module) => Promise<unknown>
  return start(await WebAssembly.compile(wasm))
}
