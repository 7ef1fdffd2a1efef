import { openCff } from '../fonts/programs/cff/cff'
import { DictKey } from '../fonts/programs/cff/cff-dict'
import { readIndex } from '../fonts/programs/cff/cff-index'
import { STANDARD_STRINGS } from '../fonts/programs/cff/standard-strings'
import { FontData, readUnlessDamaged } from '../fonts/programs/font-data'

const [SPACE, LINE_FEED, ZERO, LETTER] = [0x20, 0x0a, 0x30, 0x41]

/** The first words of a Type 1 program, by which readers know it. */
const HEAD = /^\s*%![A-Za-z]+(?:-[A-Za-z]+)?-?[\d.]*/

/** The last word of a Type 1 program. */
const LAST_WORD = 'cleartomark'

/** Names in the clear part of a Type 1 program (Adobe Type 1 Font Format, 2.2 and 5), and of its glyph `.notdef`. */
const KNOWN_NAMES = new Set(
  (
    'FontInfo FontName Encoding PaintType FontType FontMatrix FontBBox StrokeWidth Metrics UniqueID XUID Notice FullName ' +
    'FamilyName Weight version Copyright ItalicAngle isFixedPitch UnderlinePosition UnderlineThickness FSType Private ' +
    'CharStrings WeightVector BlendDesignPositions BlendDesignMap BlendAxisTypes Blend DesignVector NormDesignVector ' +
    'NormalizeDesignVector ConvertDesignVector BaseFontName .notdef'
  ).split(' '),
)

/**
 * Overwrites the notices and names of a CFF program, which no glyph uses, with blanks of the same length. Changes the
 * bytes in place.
 */
export function blankCffTexts(bytes: Uint8Array): void {
  const program = openCff(bytes)
  if (!program) return
  const { top, charset } = program.content
  const used = new Set<number>(program.isCid ? [] : charset)
  for (const number of top.get(DictKey.ros)?.operands ?? []) used.add(number)
  readUnlessDamaged(() => {
    const data = new FontData(bytes)
    const names = readIndex(data, data.u8(2))
    const strings = readIndex(data, readIndex(data, names.end).end)
    for (let index = 0; index < names.count; index++) names.get(index).fill(LETTER)
    for (let index = 0; index < strings.count; index++)
      if (!used.has(index + STANDARD_STRINGS.length)) strings.get(index).fill(SPACE)
  })
}

/**
 * Overwrites the comments, notices and unknown names in the clear part of a Type 1 program with blanks of the same length, and what
 * follows its last word. Changes the bytes in place.
 */
export function blankType1Texts(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  const end = text.search(/\beexec\b/)
  const head = HEAD.exec(text)?.[0].length
  if (end < 0 || head === undefined) return
  const words = new Set(text.slice(0, end).split(/[\s()<>[\]{}]+/))
  for (const [start, stop] of listTexts(text, end)) {
    const first = text[start]
    if (first === '%') bytes.fill(SPACE, Math.max(head, start), stop)
    else if (first === '(') bytes.fill(SPACE, start + 1, stop - 1)
    else if (first === '<') bytes.fill(ZERO, start + 1, stop - 1)
    // A name that the program also uses without its slash stays.
    else if (!words.has(text.slice(start + 1, stop))) bytes.fill(LETTER, start + 1, stop)
  }
  const last = text.lastIndexOf(LAST_WORD)
  if (last > end) bytes.fill(LINE_FEED, last + LAST_WORD.length)
}

const LINE = /[\r\n]/g
const NAME_END = /[\s()<>[\]{}/%]/g
/** The code of a glyph before its name. */
const CODE = /\bdup\s{1,4}\d{1,5}\s{0,4}$/
const LONGEST_CODE = 20

/** Lists where comments, strings and unknown names are in PostScript, up to `end`. Names of glyphs with codes stay. */
function listTexts(text: string, end: number): [start: number, stop: number][] {
  const found: [number, number][] = []
  const firstAfter = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from
    return Math.min(end, pattern.exec(text)?.index ?? end)
  }
  for (let at = 0; at < end;) {
    const first = text[at]
    let stop = at + 1
    if (first === '%') found.push([at, (stop = firstAfter(LINE, at))])
    else if (first === '(') found.push([at, (stop = endOfString(text, at, end))])
    else if (first === '<' && text[at + 1] === '<') stop = at + 2
    else if (first === '<') found.push([at, (stop = Math.min(end, text.indexOf('>', at) + 1 || end))])
    else if (first === '/') {
      stop = firstAfter(NAME_END, at + 1)
      const isKnown =
        KNOWN_NAMES.has(text.slice(at + 1, stop)) || CODE.test(text.slice(Math.max(0, at - LONGEST_CODE), at))
      if (!isKnown) found.push([at, stop])
    }
    at = stop
  }
  return found
}

/** The offset after a string, which may contain others. */
function endOfString(text: string, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return end
}
