/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Letters of left-to-right scripts. */
const LEFT_TO_RIGHT = /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])\p{L}/u

/** Presentation forms of Arabic letters, which stand for plain letters. */
const PRESENTATION = /[\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Returns whether a text has letters of a right-to-left script. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** Returns whether a text has letters of a left-to-right script. */
function hasLeftToRight(text: string): boolean {
  return LEFT_TO_RIGHT.test(text)
}

/**
 * Puts the characters of a right-to-left word into logical order. They come in visual order, from left to right.
 * Digits and Latin letters keep their order among each other.
 */
export function toLogicalWord(characters: readonly string[]): string {
  const logical: string[] = []
  let run: string[] = []
  const finish = (): void => {
    logical.push(...run.reverse())
    run = []
  }
  for (const character of [...characters].reverse()) {
    // From the right, a run of digits or Latin letters comes in reverse.
    if (/[\p{Nd}]/u.test(character) || hasLeftToRight(character) || (run.length > 0 && /[.,:/]/.test(character))) {
      run.push(character)
      continue
    }
    finish()
    logical.push(character)
  }
  finish()
  return logical.join('')
}

/** Replaces presentation forms of letters with plain letters. */
export function toPlainLetters(text: string): string {
  return PRESENTATION.test(text)
    ? text.replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/gu, part => part.normalize('NFKC'))
    : text
}

interface Directed {
  text: string
  isRightToLeft: boolean
}

/** Puts the words of a line into logical order. They come in visual order, from left to right. */
export function toLogicalLine<Item extends Directed>(
  words: readonly Item[],
): { words: Item[]; isRightToLeft: boolean } {
  if (!words.some(word => word.isRightToLeft)) return { words: [...words], isRightToLeft: false }
  const count = (wanted: boolean): number =>
    words.reduce(
      (sum, { text, isRightToLeft }) =>
        isRightToLeft === wanted && (wanted || hasLeftToRight(text)) ? sum + text.length : sum,
      0,
    )
  const isRightToLeft = count(true) >= count(false)
  const ordered: Item[] = []
  let run: Item[] = []
  const finish = (): void => {
    ordered.push(...run.reverse())
    run = []
  }
  if (isRightToLeft) {
    for (const word of [...words].reverse()) {
      if (!word.isRightToLeft && hasLeftToRight(word.text)) run.push(word)
      else {
        finish()
        ordered.push(word)
      }
    }
  } else {
    for (const word of words) {
      if (word.isRightToLeft) run.push(word)
      else {
        finish()
        ordered.push(word)
      }
    }
  }
  finish()
  return { words: ordered, isRightToLeft }
}
