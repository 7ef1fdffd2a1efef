import type { PixelBox } from './ink'

/** How far a part that is drawn reaches behind the edge where ink is expected, in pixels. */
const REACH = 4

/** How much farther each part reaches than the one before it on the same side. */
const GROWTH = 4

/** What is known of the ink on a page before it is drawn. */
interface Expected {
  /** Only edges outside of this box have to be told, and whether there is any ink at all. */
  inside?: PixelBox | undefined
  /** The edges that are likely; a wrong guess costs time, never anything else. */
  likely?: PixelBox | undefined
}

/** In the order in which they are gone in from; `inwards` is the way that pixels are counted there. */
const SIDES = [
  { near: 'top', far: 'bottom', inwards: 1 },
  { near: 'bottom', far: 'top', inwards: -1 },
  { near: 'left', far: 'right', inwards: 1 },
  { near: 'right', far: 'left', inwards: -1 },
] as const

/**
 * The box around all ink on a page of that size, found from its edges inwards: most of a page is never drawn. `boxInk`
 * draws a part and gives the box around its ink. With `inside` edges are told exactly where they lie outside of that
 * box. Undefined for a page without ink.
 */
export function searchInk(
  { width, height }: { width: number; height: number },
  boxInk: (part: PixelBox) => PixelBox | undefined,
  { inside, likely }: Expected,
): PixelBox | undefined {
  // What is left to be drawn.
  const rest = { left: 0, top: 0, right: width, bottom: height }
  let found: PixelBox | undefined
  let known = inside
  for (const { near, far, inwards } of SIDES) {
    const drawTo = (place: number): void => {
      const end = inwards * Math.max(inwards * rest[near], Math.min(inwards * rest[far], inwards * place))
      const part = { ...rest, [far]: end }
      const ink = isEmpty(part) ? undefined : boxInk(part)
      rest[near] = end
      if (!ink) return
      found = found ? unite(found, ink) : ink
      known = known ? unite(known, ink) : ink
    }
    const guess = likely && likely[near] + inwards * REACH
    // From the first side on there has to be ink somewhere, so it goes farther than the edge alone asks for.
    if (inside && near === 'top' && guess !== undefined) drawTo(Math.max(inside.top, guess))
    else drawTo(inside?.[near] ?? guess ?? rest[near])
    for (let reach = REACH; !isEmpty(rest); reach *= GROWTH) {
      if (found && known && inwards * (known[near] - rest[near]) <= 0) break
      drawTo(rest[near] + inwards * reach)
    }
  }
  return found
}

function isEmpty({ left, top, right, bottom }: PixelBox): boolean {
  return left >= right || top >= bottom
}

/** The smallest box around two. */
function unite(one: PixelBox, other: PixelBox): PixelBox {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  }
}
