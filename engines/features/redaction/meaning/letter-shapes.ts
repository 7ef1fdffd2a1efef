/** The letter that a file maps a glyph to, and the vertical extent of the glyph, in ems from the baseline. */
export interface LetterShape {
  letter: string
  bottom: number
  top: number
}

/** Letters by their vertical extent in nearly all text fonts. */
const LOW = /[acemnorsuvwxz]/
const HIGH = /[bdhklA-PR-Z0-9]/
const HANGING = /[gpqy]/
const SMALL = /[a-z]/

/**
 * Limits in ems from the baseline. Low letters end below `LOW_TOP`, high letters above `HIGH_TOP`. Letters with
 * descenders reach below `HANGING_BOTTOM`. Other letters stay above `STANDING_BOTTOM`.
 */
const LOW_TOP = 0.64
const HIGH_TOP = 0.56
const HANGING_BOTTOM = -0.08
const STANDING_BOTTOM = -0.14

/** Minimum number and minimum share of wrong shapes that contradict the mapping. */
const LEAST_WRONG = 3
const WRONG_SHARE = 0.3

/**
 * Returns whether the shapes of glyphs contradict the letters that the file maps them to, such as a "g" without a
 * descender. Fonts that have capitals instead of all lowercase letters don't contradict.
 */
export function contradictsShapes(shapes: readonly LetterShape[]): boolean {
  const small = shapes.filter(({ letter }) => SMALL.test(letter) && !HANGING.test(letter))
  const isCapitals = small.length > 0 && small.every(({ top }) => top >= HIGH_TOP)
  const tested = shapes.filter(
    ({ letter }) =>
      (LOW.test(letter) || HIGH.test(letter) || HANGING.test(letter)) && !(isCapitals && SMALL.test(letter)),
  )
  const wrong = tested.filter(isWrong).length
  return wrong >= LEAST_WRONG && wrong >= WRONG_SHARE * tested.length
}

function isWrong({ letter, bottom, top }: LetterShape): boolean {
  if (HANGING.test(letter)) return bottom > HANGING_BOTTOM
  if (bottom < STANDING_BOTTOM && !/[JQ0-9]/.test(letter)) return true
  return LOW.test(letter) ? top > LOW_TOP : !/[0-9]/.test(letter) && top < HIGH_TOP
}
