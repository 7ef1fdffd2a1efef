import type { Bitmap } from '../../../pdf/render'

/** A rectangle in pixels from the upper-left corner. `right` and `bottom` are exclusive. */
export interface PixelArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** A distance in pixels. */
export interface Distance {
  right: number
  down: number
}

const HERE: Distance = { right: 0, down: 0 }

/** When pixels count as different. */
export interface Tolerance {
  /** Difference of a color component, from 0 to 255, that still counts as equal. */
  level: number
  /** Minimum number of different pixels in an area. */
  leastPixels: number
}

/** Side in pixels of the squares in which different pixels are counted. */
const CELL = 8

/** Maximum number of areas of a page. If there are more, areas close to each other are joined. */
const MAX_AREAS = 60

/**
 * Finds the areas in which two images differ. Both have three bytes per pixel. Where one image ends, the other one is
 * compared with white. A pixel counts as different if its color is outside the color range of the other image around
 * it. Both images are slightly blurred for this test. Therefore, subpixel shifts and differences in anti-aliasing don't
 * count. `leftOut` has a byte for each pixel of the larger width and height. The byte is 1 if the pixel doesn't count.
 */
export function findChangedAreas(
  before: Bitmap,
  after: Bitmap,
  { level, leastPixels }: Tolerance,
  leftOut: Uint8Array,
): PixelArea[] {
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)]
  const [one, other] = [soften(before), soften(after)]
  const cells = new Cells(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (leftOut[y * width + x] === 1 || !differs(before, after, x, y, level)) continue
      if (!isAmong(one, other, x, y, level) || !isAmong(other, one, x, y, level)) cells.add(x, y)
    }
  }
  return joinOverlaps(cells.join(leastPixels))
}

/** Squares of an image, with the number and the extent of the different pixels in each. */
class Cells {
  private readonly columns: number
  private readonly rows: number
  private readonly counts: Uint16Array
  private readonly extents = new Map<number, PixelArea>()

  constructor(width: number, height: number) {
    this.columns = Math.ceil(width / CELL)
    this.rows = Math.ceil(height / CELL)
    this.counts = new Uint16Array(this.columns * this.rows)
  }

  add(x: number, y: number): void {
    const cell = Math.floor(y / CELL) * this.columns + Math.floor(x / CELL)
    const extent = this.extents.get(cell)
    if (extent) include(extent, { left: x, top: y, right: x + 1, bottom: y + 1 })
    else this.extents.set(cell, { left: x, top: y, right: x + 1, bottom: y + 1 })
    this.counts[cell] = (this.counts[cell] ?? 0) + 1
  }

  /** The extents of squares that touch each other, or have one square between them. */
  join(leastPixels: number): PixelArea[] {
    const { columns, rows, counts, extents } = this
    const areas: PixelArea[] = []
    const seen = new Uint8Array(counts.length)
    for (const [start, extent] of extents) {
      if (seen[start] === 1) continue
      const area = { ...extent }
      let pixelCount = 0
      const stack = [start]
      seen[start] = 1
      for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
        const [x, y] = [cell % columns, Math.floor(cell / columns)]
        pixelCount += counts[cell] ?? 0
        include(area, extents.get(cell) ?? area)
        for (let nextY = Math.max(0, y - 2); nextY <= Math.min(rows - 1, y + 2); nextY++) {
          for (let nextX = Math.max(0, x - 2); nextX <= Math.min(columns - 1, x + 2); nextX++) {
            const next = nextY * columns + nextX
            if (seen[next] === 1 || counts[next] === 0) continue
            seen[next] = 1
            stack.push(next)
          }
        }
      }
      if (pixelCount >= leastPixels) areas.push(area)
    }
    return areas
  }
}

/** Extends an area so that it includes another one. */
export function include(area: PixelArea, other: PixelArea): void {
  area.left = Math.min(area.left, other.left)
  area.top = Math.min(area.top, other.top)
  area.right = Math.max(area.right, other.right)
  area.bottom = Math.max(area.bottom, other.bottom)
}

/**
 * Blurs an image slightly. A thin line is dark if it fills a row of pixels, and gray if it lies between two rows. After
 * the blur, both look much the same.
 */
export function soften({ width, height, pixels, ...rest }: Bitmap): Bitmap {
  const across = new Uint8Array(pixels.length)
  const row = width * 3
  for (let y = 0; y < height; y++) {
    for (let at = y * row, x = 0; x < row; at++, x++) {
      const value = pixels[at] as number
      const left = x < 3 ? value : (pixels[at - 3] as number)
      const right = x >= row - 3 ? value : (pixels[at + 3] as number)
      across[at] = (left + 2 * value + right + 2) >> 2
    }
  }
  const softened = new Uint8Array(pixels.length)
  for (let at = 0; at < across.length; at++) {
    const value = across[at] as number
    const above = at < row ? value : (across[at - row] as number)
    const below = at >= across.length - row ? value : (across[at + row] as number)
    softened[at] = (above + 2 * value + below + 2) >> 2
  }
  return { ...rest, width, height, pixels: softened }
}

function component({ width, height, pixels }: Bitmap, x: number, y: number, channel: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 255 : (pixels[(y * width + x) * 3 + channel] as number)
}

function differs(one: Bitmap, other: Bitmap, x: number, y: number, level: number): boolean {
  if (one.width === other.width && y < one.height && y < other.height) {
    const at = (y * one.width + x) * 3
    // Both images have this pixel. Most pixels are compared here, so this path calls nothing.
    for (let channel = at; channel < at + 3; channel++) {
      const difference = (one.pixels[channel] as number) - (other.pixels[channel] as number)
      if (difference > level || difference < -level) return true
    }
    return false
  }
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs(component(one, x, y, channel) - component(other, x, y, channel)) > level) return true
  return false
}

/**
 * Returns whether the color of a pixel is in the color range of the other image around this pixel, or around the pixel
 * at a distance from it.
 */
export function isAmong(
  one: Bitmap,
  other: Bitmap,
  x: number,
  y: number,
  level: number,
  { right, down }: Distance = HERE,
): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const value = component(one, x, y, channel)
    let [low, high] = [255, 0]
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const near = component(other, x + right + dx, y + down + dy, channel)
        if (near < low) low = near
        if (near > high) high = near
      }
    }
    if (value < low - level || value > high + level) return false
  }
  return true
}

/** From this number of areas on, areas are first joined by tiles, because each is compared with all others. */
const TILED_FROM = 1500
const TILE = 128

/** Joins areas that overlap. If too many are left, joins areas at growing distances. */
function joinOverlaps(areas: readonly PixelArea[]): PixelArea[] {
  let joined = areas.length < TILED_FROM ? [...areas] : joinTiles(areas)
  for (let distance = 0; ; distance = distance * 2 + CELL) {
    joined = joinNear(joined, distance)
    if (joined.length <= MAX_AREAS) return joined
  }
}

/** Joins areas that begin in the same tile. */
function joinTiles(areas: readonly PixelArea[]): PixelArea[] {
  const tiles = new Map<string, PixelArea>()
  for (const area of areas) {
    const key = `${Math.floor(area.left / TILE)} ${Math.floor(area.top / TILE)}`
    const tile = tiles.get(key)
    if (tile) include(tile, area)
    else tiles.set(key, { ...area })
  }
  return [...tiles.values()]
}

function joinNear(areas: readonly PixelArea[], distance: number): PixelArea[] {
  let joined: PixelArea[] = []
  let isStable = false
  let list = [...areas]
  while (!isStable) {
    isStable = true
    joined = []
    for (const area of list) {
      const near = joined.find(
        other =>
          area.left < other.right + distance &&
          other.left < area.right + distance &&
          area.top < other.bottom + distance &&
          other.top < area.bottom + distance,
      )
      if (!near) {
        joined.push({ ...area })
        continue
      }
      isStable = false
      include(near, area)
    }
    list = joined
  }
  return joined
}

/** Returns the pixels of an area inside an image. */
export function cutBitmap(bitmap: Bitmap, { left, top, right, bottom }: PixelArea): Bitmap {
  const { width, channels, pixels } = bitmap
  const rowBytes = (right - left) * channels
  const cut = Buffer.alloc(rowBytes * (bottom - top))
  for (let row = top; row < bottom; row++) {
    const from = (row * width + left) * channels
    cut.set(pixels.subarray(from, from + rowBytes), (row - top) * rowBytes)
  }
  return { ...bitmap, width: right - left, height: bottom - top, pixels: cut }
}

/** Rotates an image clockwise by a number of quarter turns. */
export function turnBitmap(bitmap: Bitmap, quarterTurns: number): Bitmap {
  const { width, height, channels, pixels } = bitmap
  const turns = ((quarterTurns % 4) + 4) % 4
  if (turns === 0) return bitmap
  const [newWidth, newHeight] = turns % 2 === 0 ? [width, height] : [height, width]
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [newX, newY] =
        turns === 1 ? [height - 1 - y, x] : turns === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
      const [from, to] = [(y * width + x) * channels, (newY * newWidth + newX) * channels]
      for (let channel = 0; channel < channels; channel++) turned[to + channel] = pixels[from + channel] as number
    }
  }
  return { ...bitmap, width: newWidth, height: newHeight, pixels: turned }
}
