import type { PixelBox } from './ink'

/** How far a drawn part extends beyond the expected edge of the ink, in pixels. */
const REACH = 4

/** Growth factor of the parts on one side. */
const GROWTH = 4

/** What is known about the ink on a page before it is drawn. */
interface Expected {
  /** If set, only edges outside of this box matter, and whether there is any ink. */
  inside?: PixelBox | undefined
  /** The likely edges. A wrong guess costs time but doesn't change the result. */
  likely?: PixelBox | undefined
}

/** The order in which the sides are searched. `inwards` is the direction of coordinates toward the center. */
const SIDES = [
  { near: 'top', far: 'bottom', inwards: 1 },
  { near: 'bottom', far: 'top', inwards: -1 },
  { near: 'left', far: 'right', inwards: 1 },
  { near: 'right', far: 'left', inwards: -1 },
] as const

/**
 * Finds the box around all ink on a page of this size. Searches from the edges inward, so that most of a page is never
 * drawn. `boxInk` draws a part and returns the box around its ink. With `inside`, only edges outside of that box are
 * exact. Undefined if the page has no ink.
 */
export function searchInk(
  { width, height }: { width: number; height: number },
  boxInk: (part: PixelBox) => PixelBox | undefined,
  { inside, likely }: Expected,
): PixelBox | undefined {
  // The part that hasn't been drawn yet.
  const undrawn = { left: 0, top: 0, right: width, bottom: height }
  let inkBox: PixelBox | undefined
  let knownBox = inside
  for (const { near, far, inwards } of SIDES) {
    const drawTo = (place: number): void => {
      const end = inwards * Math.max(inwards * undrawn[near], Math.min(inwards * undrawn[far], inwards * place))
      const part = { ...undrawn, [far]: end }
      const ink = isEmpty(part) ? undefined : boxInk(part)
      undrawn[near] = end
      if (!ink) return
      inkBox = inkBox ? unite(inkBox, ink) : ink
      knownBox = knownBox ? unite(knownBox, ink) : ink
    }
    const guess = likely && likely[near] + inwards * REACH
    // The first side must also find out if there is any ink, so it draws farther than the edge alone requires.
    if (inside && near === 'top' && guess !== undefined) drawTo(Math.max(inside.top, guess))
    else drawTo(inside?.[near] ?? guess ?? undrawn[near])
    for (let reach = REACH; !isEmpty(undrawn); reach *= GROWTH) {
      if (inkBox && knownBox && inwards * (knownBox[near] - undrawn[near]) <= 0) break
      drawTo(undrawn[near] + inwards * reach)
    }
  }
  return inkBox
}

function isEmpty({ left, top, right, bottom }: PixelBox): boolean {
  return left >= right || top >= bottom
}

/** The smallest box around two boxes. */
function unite(one: PixelBox, other: PixelBox): PixelBox {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  }
}
