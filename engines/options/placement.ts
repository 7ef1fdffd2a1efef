/** The nine positions on a displayed page. */
export const POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'middle-left',
  'center',
  'middle-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const

export type Position = (typeof POSITIONS)[number]

/** Other names of some positions. */
export const POSITION_ALIASES: Readonly<Record<string, Position>> = {
  top: 'top-center',
  middle: 'center',
  'middle-center': 'center',
  left: 'middle-left',
  right: 'middle-right',
  bottom: 'bottom-center',
}

interface Extent {
  width: number
  height: number
}

interface PlaceOptions {
  position: Position
  /** Distance from the edge of the page, in points. */
  marginPt: number
  /** Distance to the right and up from the position, in points. */
  offset?: { x: number; y: number }
}

/**
 * The lower-left corner of an object of this size at a position, in points from the lower-left corner of the displayed
 * page.
 */
export function placeBox(
  { width, height }: Extent,
  size: Extent,
  { position, marginPt, offset = { x: 0, y: 0 } }: PlaceOptions,
): { x: number; y: number } {
  const across = position.endsWith('left')
    ? marginPt
    : position.endsWith('right')
      ? width - marginPt - size.width
      : (width - size.width) / 2
  const up = position.startsWith('top')
    ? height - marginPt - size.height
    : position.startsWith('bottom')
      ? marginPt
      : (height - size.height) / 2
  return { x: across + offset.x, y: up + offset.y }
}

/** The labels of the values of `origin` in forms. */
export const ORIGIN_CHOICES = {
  'bottom-left': 'Lower left corner',
  'top-left': 'Upper left corner',
  'user-space': 'PDF coordinates',
}
