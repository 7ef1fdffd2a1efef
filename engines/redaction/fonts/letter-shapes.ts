/** A letter that a file says a glyph is, and how far the glyph reaches, in ems from the baseline. */
export interface LetterShape {
  letter: string
  bottom: number
  top: number
}

/** Letters by where their shapes reach in practically every text font. */
const LOW = /[acemnorsuvwxz]/
const HIGH = /[bdhklA-PR-Z0-9]/
const HANGING = /[gpqy]/
const SMALL = /[a-z]/

/** Ems: what low letters end below, and high ones above; what hanging ones go below, and others do not. */
const LOW_TOP = 0.64
const HIGH_TOP = 0.56
const HANGING_BOTTOM = -0.08
const STANDING_BOTTOM = -0.14

/** Letters that do not fit from which on they are not what is said, in number and as a share. */
const LEAST_WRONG = 3
const WRONG_SHARE = 0.3

/**
 * Whether shapes can't be the letters that they are said to be: low ones are high, hanging ones stand on the line, and
 * so on. Fonts that have capitals in place of all small letters fit.
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
