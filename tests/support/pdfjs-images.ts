import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** An image as PDF.js decodes it. */
export interface SeenImage {
  width: number
  height: number
  /** Bits per pixel: 1, 24 or 32. */
  pixelBits: number
  data: Uint8Array
}

const PIXEL_BITS: Readonly<Record<number, number>> = { 1: 1, 2: 24, 3: 32 }

/** The images of the first page in drawing order, as PDF.js decodes them. */
export async function readImages(file: Uint8Array): Promise<SeenImage[]> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0, isEvalSupported: false })
  const document = await task.promise
  try {
    const page = await document.getPage(1)
    const { fnArray, argsArray } = await page.getOperatorList()
    const images: SeenImage[] = []
    for (const [index, operator] of fnArray.entries()) {
      if (operator !== OPS.paintImageXObject && operator !== OPS.paintImageMaskXObject) continue
      const [argument] = argsArray[index] as [unknown]
      const name = typeof argument === 'string' ? argument : (argument as { data: unknown }).data
      const image =
        typeof name === 'string'
          ? await new Promise<Decoded>(resolve => page.objs.get(name, resolve))
          : (argument as Decoded)
      images.push({
        width: image.width,
        height: image.height,
        pixelBits: PIXEL_BITS[image.kind ?? 1] ?? 0,
        data: Uint8Array.from(image.data),
      })
    }
    return images
  } finally {
    await task.destroy()
  }
}

interface Decoded {
  width: number
  height: number
  kind?: number
  data: Uint8Array
}

/** The bits of one pixel. */
export function pixelAt({ width, pixelBits, data }: SeenImage, x: number, y: number): string {
  const rowBytes = Math.ceil((width * pixelBits) / 8)
  const at = y * rowBytes + Math.floor((x * pixelBits) / 8)
  if (pixelBits === 1) return String(((data[at] ?? 0) >> (7 - (x & 7))) & 1)
  return data.subarray(at, at + pixelBits / 8).join(' ')
}
