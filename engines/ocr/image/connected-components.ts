import type { GrayImage } from './gray-image'

/** A connected part of what is dark in a picture: pixels from its upper-left corner, edges included. */
export interface ConnectedComponent {
  left: number
  top: number
  right: number
  bottom: number
  /** Dark pixels. */
  area: number
}

/** Shade below which a pixel is dark. */
export const DARK = 128

/** Parts of a picture with more than these are not looked at: it is noise. */
const MOST_PARTS = 200_000

/**
 * The connected parts of the dark pixels of a picture, diagonal neighbors included, in no order. Undefined for a
 * picture with so many that it shows noise.
 */
export function findConnectedComponents({ width, height, pixels }: GrayImage): ConnectedComponent[] | undefined {
  const parts: ConnectedComponent[] = []
  const owners: number[] = []
  let above: Runs = { starts: [], ends: [], labels: [] }
  for (let row = 0; row < height; row++) {
    const own: Runs = { starts: [], ends: [], labels: [] }
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
      own.starts.push(start)
      own.ends.push(column)
      own.labels.push(label)
    }
    above = own
  }
  return parts.filter((_, label) => owners[label] === label)
}

/** The dark stretches of a row: first pixel, the one behind the last, and the part that each belongs to. */
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

/** Makes two parts one; gives the label of that. */
function joinParts(
  { parts, owners }: { parts: ConnectedComponent[]; owners: number[] },
  one: number,
  other: number,
): number {
  const [first, second] = [findOwner(owners, one), findOwner(owners, other)]
  if (first === second) return first
  const [kept, gone] = [parts[first] as ConnectedComponent, parts[second] as ConnectedComponent]
  kept.left = Math.min(kept.left, gone.left)
  kept.top = Math.min(kept.top, gone.top)
  kept.right = Math.max(kept.right, gone.right)
  kept.bottom = Math.max(kept.bottom, gone.bottom)
  kept.area += gone.area
  owners[second] = first
  return first
}
