import type { PlacedWord } from '../../engines/pdf/content/text-layer'
import { isBlank } from '../../engines/pdf/rendering/page-text'
import type { PageText } from '../../engines/pdf/rendering/page-text'
import type { PdfiumRenderer } from '../../engines/pdf/rendering/render'

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Characters of scripts that are also written vertically. */
const DOWNWARDS = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/** A character and the extent of its baseline, in coordinates along its writing direction. */
interface Character {
  text: string
  angle: number
  size: number
  /** Start and end along the baseline, and the distance of the baseline from the origin. */
  start: number
  end: number
  across: number
  /** Origin along the baseline according to PDFium, and the extent of the character's box there. */
  origin: number
  box: { start: number; end: number; looseEnd: number } | undefined
}

/** Characters that form a word, and whether a space follows. */
interface Run {
  characters: Character[]
  isSpaced: boolean
}

/**
 * The words of the page at this position (from 0) as PDFium reads them, in default user space. In lines with a
 * right-to-left script, the words are in visual order.
 */
export function readPdfiumWords(renderer: PdfiumRenderer, pageIndex: number): PlacedWord[] {
  return renderer.readCharacters(pageIndex, text => orderLines(joinColumns(splitRuns(text))).map(placeWord))
}

function splitRuns(text: PageText): Run[] {
  const runs: Run[] = []
  let isOpen = false
  // The second half of a surrogate pair has no text of its own.
  for (let index = 0; index < text.texts.length; index += text.texts[index]?.length || 1) {
    const character = text.texts[index] ?? ''
    if (isBlank(character)) {
      const last = runs.at(-1)
      if (last && character === ' ') last.isSpaced = true
      isOpen = false
      continue
    }
    const position = placeCharacter(text, index, character === '\u00ad' ? '-' : character)
    if (!position) continue
    const placed = tellApart(runs.at(-1)?.characters.at(-1), position)
    const last = isOpen ? runs.at(-1) : undefined
    if (last && follows(last.characters.at(-1), placed)) last.characters.push(placed)
    else runs.push({ characters: [placed], isSpaced: false })
    isOpen = true
  }
  return runs
}

/** Undefined if PDFium doesn't know the position of the character. */
function placeCharacter(text: PageText, index: number, character: string): Character | undefined {
  const baseline = text.baselineOf(index)
  if (!baseline) return undefined
  const { x, y, angle, size } = baseline
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const origin = x * cos + y * sin
  // The box of a rotated character doesn't tell its width.
  const box = Math.abs(cos * sin) < 0.01 ? measureBox(text, index, { cos, sin }) : undefined
  const placed = {
    text: character,
    angle,
    size,
    start: origin,
    end: Math.max(origin, box?.looseEnd ?? origin + size / 2),
    across: y * cos - x * sin,
    origin,
    box,
  }
  return [origin, placed.end, size, angle].every(number => Number.isFinite(number)) && size > 0 ? placed : undefined
}

/** The extent of an upright character, with and without side bearings. */
function measureBox(text: PageText, index: number, { cos, sin }: { cos: number; sin: number }): Character['box'] {
  const [loose, glyph] = [text.looseBoxOf(index), text.glyphBoxOf(index)]
  if (!loose || !glyph) return undefined
  const [one, other] = [glyph.left * cos + glyph.bottom * sin, glyph.right * cos + glyph.top * sin]
  return {
    looseEnd: Math.max(loose.left * cos + loose.bottom * sin, loose.right * cos + loose.top * sin),
    start: Math.min(one, other),
    end: Math.max(one, other),
  }
}

/** Separates characters of /ActualText. They all have the origin of the replaced text, but different boxes. */
function tellApart(before: Character | undefined, next: Character): Character {
  const isSame = before && next.box && Math.abs(before.origin - next.origin) < 0.001 && before.across === next.across
  return isSame && next.box && next.box.end > next.box.start
    ? { ...next, start: next.box.start, end: next.box.end }
    : next
}

/** Returns whether a character is next to the character before it, on the same line. */
function follows(before: Character | undefined, next: Character): boolean {
  if (!before || !isOnLine(before, next)) return false
  const gap = RIGHT_TO_LEFT.test(next.text) ? before.start - next.end : next.start - before.end
  return Math.abs(gap) < Math.max(before.size, next.size)
}

/** Joins characters below each other into one vertical run, in scripts that are written vertically. */
function joinColumns(runs: Run[]): Run[] {
  const joined: Run[] = []
  let above: Character | undefined
  for (const run of runs) {
    const [only, second] = run.characters
    const single = only && !second && DOWNWARDS.test(only.text) ? only : undefined
    const column = above && single && isBelow(above, single) ? joined.at(-1) : undefined
    if (column && above && single) {
      if (column.characters.length === 1) column.characters = [turnDown(above)]
      column.characters.push(turnDown(single))
      column.isSpaced = run.isSpaced
    } else {
      joined.push({ ...run, characters: [...run.characters] })
    }
    above = run.isSpaced ? undefined : single
  }
  return joined
}

function isBelow(above: Character, next: Character): boolean {
  const step = (above.across - next.across) / above.size
  return (
    Math.abs(above.angle - next.angle) < 0.02 &&
    above.size === next.size &&
    step > 0.7 &&
    step < 1.3 &&
    Math.abs(above.start - next.start) < 0.2 * above.size
  )
}

/** Converts a character's position to a vertical line on its left. */
function turnDown(character: Character): Character {
  const start = -character.across - 0.9 * character.size
  return {
    ...character,
    angle: character.angle - Math.PI / 2,
    start,
    end: start + character.size,
    across: character.start,
  }
}

function isOnLine(one: Character, other: Character): boolean {
  return (
    Math.abs(one.angle - other.angle) < 0.02 &&
    Math.abs(one.across - other.across) < 0.3 * Math.max(one.size, other.size)
  )
}

/** Puts the runs of right-to-left lines into visual order, as in the content. Other lines don't change. */
function orderLines(runs: Run[]): Run[] {
  const lines: Run[][] = []
  for (const run of runs) {
    const before = lines.at(-1)?.at(-1)?.characters[0]
    const first = run.characters[0]
    if (before && first && isOnLine(before, first)) lines.at(-1)?.push(run)
    else lines.push([run])
  }
  return lines.flatMap(line => {
    if (!line.some(run => run.characters.some(({ text }) => RIGHT_TO_LEFT.test(text)))) return line
    const visualOrder = line.map(run => ({
      ...run,
      characters: [...run.characters].sort((one, other) => one.start - other.start),
    }))
    visualOrder.sort((one, other) => (one.characters[0]?.start ?? 0) - (other.characters[0]?.start ?? 0))
    return visualOrder.map((run, index) => ({ ...run, isSpaced: index + 1 < visualOrder.length }))
  })
}

function placeWord({ characters, isSpaced }: Run): PlacedWord {
  const [first] = characters as [Character, ...Character[]] // a run begins with its first character
  let { start, end, size } = first
  for (const character of characters) {
    start = Math.min(start, character.start)
    end = Math.max(end, character.end)
    size = Math.max(size, character.size)
  }
  const [cos, sin] = [Math.cos(first.angle), Math.sin(first.angle)]
  return {
    text: characters.map(character => character.text).join(''),
    x: start * cos - first.across * sin,
    y: start * sin + first.across * cos,
    // If all boxes are empty, the word still needs a length.
    length: end > start ? end - start : (characters.length * size) / 2,
    size,
    angleDeg: (first.angle * 180) / Math.PI,
    isSpaced,
  }
}
