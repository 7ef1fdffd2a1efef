import type { PixelBox } from './ink'
import type { Pdfium } from './pdfium/pdfium'

/** Maximum number of page objects whose bounds are joined. */
const MAX_BOUNDED = 1000

/** The bounds of an object in the space in which it is drawn. `place` is the address of 16 free bytes. */
export function boundsOf(
  pdfium: Pdfium,
  object: number,
  address: number,
): [left: number, bottom: number, right: number, top: number] | undefined {
  if (!pdfium.FPDFPageObj_GetBounds(object, address, address + 4, address + 8, address + 12)) return undefined
  const numberAt = (at: number): number => pdfium.pdfium.getValue(address + at, 'float')
  return [numberAt(0), numberAt(4), numberAt(8), numberAt(12)]
}

interface Size {
  width: number
  height: number
}

/**
 * The bounds of a page's objects, in pixels of a page drawn at this size. This is an estimate, because objects may be
 * clipped, white or larger than their stated bounds. Undefined if the page has no objects.
 */
export function boundObjects(pdfium: Pdfium, page: number, { width, height }: Size): PixelBox | undefined {
  const { wasmExports, getValue } = pdfium.pdfium
  const count = Math.min(MAX_BOUNDED, pdfium.FPDFPage_CountObjects(page))
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  const address = wasmExports.malloc(16)
  try {
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFPage_GetObject(page, index)
      const bounds = object === 0 ? undefined : boundsOf(pdfium, object, address)
      if (!bounds) continue
      left = Math.min(left, bounds[0])
      bottom = Math.min(bottom, bounds[1])
      right = Math.max(right, bounds[2])
      top = Math.max(top, bounds[3])
    }
    const toPixel = (x: number, y: number): [number, number] | undefined => {
      const isDone = pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, address, address + 4)
      return isDone ? [getValue(address, 'i32'), getValue(address + 4, 'i32')] : undefined
    }
    const [one, other] = left <= right && bottom <= top ? [toPixel(left, bottom), toPixel(right, top)] : []
    if (!one || !other) return undefined
    return {
      left: Math.min(one[0], other[0]),
      right: Math.max(one[0], other[0]),
      top: Math.min(one[1], other[1]),
      bottom: Math.max(one[1], other[1]),
    }
  } finally {
    wasmExports.free(address)
  }
}
