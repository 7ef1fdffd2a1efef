import { renderPage } from './reader'

/** An area of a page as displayed, in points from its lower-left corner, and the size of the page. */
export interface SeenBox {
  left: number
  bottom: number
  right: number
  top: number
  width: number
  height: number
}

/** The area of a page in which PDFium's images of two files differ. Undefined if they look the same. */
export async function findNewInk(before: Uint8Array, after: Uint8Array, pageIndex = 0): Promise<SeenBox | undefined> {
  const [one, other] = [await renderPage(before, pageIndex), await renderPage(after, pageIndex)]
  const { width, height } = one
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity, width, height }
  for (let at = 0; at < one.pixels.length; at += 4) {
    const differs = [0, 1, 2].some(part => Math.abs((one.pixels[at + part] ?? 0) - (other.pixels[at + part] ?? 0)) > 40)
    if (!differs) continue
    const [x, y] = [(at / 4) % width, height - 1 - Math.floor(at / 4 / width)]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x + 1)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y + 1)
  }
  return box.right > box.left ? box : undefined
}
