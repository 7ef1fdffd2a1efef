// Flags of points and components in the `glyf` table (OpenType, `glyf`).

/** Point: x is one byte. */
export const X_SHORT = 0x02
/** Point: y is one byte. */
export const Y_SHORT = 0x04
/** Point: the next byte says how often the flags repeat. */
export const REPEAT = 0x08
/** Point: a one-byte x is positive, or any other x is omitted because it doesn't change. */
export const X_SAME = 0x10
/** Point: a one-byte y is positive, or any other y is omitted because it doesn't change. */
export const Y_SAME = 0x20

/** Component: its arguments are two words instead of two bytes. */
export const WIDE_PLACE = 0x0001
/** Component: it has one scale. */
export const SCALE = 0x0008
/** Component: another one follows. */
export const MORE = 0x0020
/** Component: it has a scale for x and one for y. */
export const TWO_SCALES = 0x0040
/** Component: it has a matrix of four numbers. */
export const FOUR_SCALES = 0x0080
/** Component: instructions follow the last one. */
export const INSTRUCTIONS = 0x0100
