import type { GrayImage } from './gray-image'

/** A connected component of dark pixels, in pixels from the upper-left corner of the image. All edges are inclusive. */
export interface ConnectedComponent {
  left: number
  top: number
  right: number
  bottom: number
  /** The number of dark pixels. */
  area: number
}

/** The shade below which a pixel is dark. */
export const DARK = 128

/** The maximum number of components of an image. An image with more components is noise. */
const MOST_PARTS = 200_000

/**
 * Returns the connected components of the dark pixels of an image, with diagonal neighbors, in no particular order.
 * Returns undefined if there are so many that the image is noise.
 */
export function findConnectedComponents({ width, height, pixels }: GrayImage): ConnectedComponent[] | undefined {
  const parts: ConnectedComponent[] = []
  const owners: number[] = []
  let above: Runs = { starts: [], ends: [], labels: [] }
  for (let row = 0; row < height; row++) {
    const current: Runs = { starts: [], ends: [], labels: [] }
    let next = 0
    for (let column = 0; column < width; column++) {
      if ((pixels[row * width + column] as number) >= DARK) continue
      const start = column
      while (column < width && (pixels[row * width + column] as number) < DARK) column++
      while (next < above.starts.length && (above.ends[next] as number) < start) next++
      let label = -1
      for (let other = next; other < above.starts.length && (above.starts[other] as number) <= column; other++) {
        const touched = above.labels[other] as number
        label = label < 0 ? findOwner(owners, touched) : joinParts({ parts, owners }, label, touched)
      }
      if (label < 0) {
        label = parts.push({ left: start, top: row, right: column - 1, bottom: row, area: 0 }) - 1
        owners.push(label)
        if (label >= MOST_PARTS) return undefined
      }
      grow(parts[label] as ConnectedComponent, start, column - 1, row)
      current.starts.push(start)
      current.ends.push(column)
      current.labels.push(label)
    }
    above = current
  }
  return parts.filter((_, label) => owners[label] === label)
}

/**
 * The dark runs of a row. `starts` has the first pixel of each run, `ends` the pixel after the last one, and `labels`
 * the component.
 */
interface Runs {
  starts: number[]
  ends: number[]
  labels: number[]
}

function grow(part: ConnectedComponent, left: number, right: number, row: number): void {
  part.left = Math.min(part.left, left)
  part.right = Math.max(part.right, right)
  part.bottom = row
  part.area += right - left + 1
}

function findOwner(owners: number[], label: number): number {
  let owner = label
  while (owners[owner] !== owner) owner = owners[owner] = owners[owners[owner] as number] as number
  return owner
}

/** Merges two components. Returns the label of the merged component. */
function joinParts(
  { parts, owners }: { parts: ConnectedComponent[]; owners: number[] },
  one: number,
  other: number,
): number {
  const [first, second] = [findOwner(owners, one), findOwner(owners, other)]
  if (first === second) return first
  const [merged, absorbed] = [parts[first] as ConnectedComponent, parts[second] as ConnectedComponent]
  merged.left = Math.min(merged.left, absorbed.left)
  merged.top = Math.min(merged.top, absorbed.top)
  merged.right = Math.max(merged.right, absorbed.right)
  merged.bottom = Math.max(merged.bottom, absorbed.bottom)
  merged.area += absorbed.area
  owners[second] = first
  return first
}
