import { toCubic } from './letter-shapes'
import type { LetterShape } from './letter-shapes'

/** The parts of a CFF program. Letters are glyphs 1, 2, 3 and so on, after an empty `.notdef`. */
interface CffPlan {
  letters: readonly LetterShape[]
  /** Codes of the letters in the program's own encoding. */
  codes?: readonly number[]
  /** CIDs of the letters, in a CID-keyed program. */
  cids?: readonly number[]
}

const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255]
/** An operand of a DICT, always of five bytes, so that offsets can be written after sizes are known. */
const wide = (value: number): number[] => [
  29,
  (value >>> 24) & 255,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
]
const short = (value: number): number[] => [28, ...u16(value)]

/** Smaller string numbers are standard strings (Adobe Technical Note 5176, Appendix A). */
const FIRST_OWN_STRING = 391

/** A bare CFF program (Adobe Technical Note 5176). */
export function writeCff({ letters, codes, cids }: CffPlan): Buffer {
  const strings = cids ? ['Adobe', 'Identity'] : []
  const charset = [0, ...letters.flatMap(({ name }, index) => u16(cids ? (cids[index] ?? 0) : stringOf(name)))]
  const encoding = codes ? [0, codes.length, ...codes] : []
  const charStrings = writeIndex([
    Buffer.from([...short(500), 14]),
    ...letters.map(letter => Buffer.from(writeCharString(letter))),
  ])
  const priv = Buffer.from([...short(0), 20, ...short(0), 21])
  const select = Buffer.from(cids ? [0, ...Array.from({ length: letters.length + 1 }, () => 0)] : [])
  const fonts = (at: number): Buffer =>
    cids ? writeIndex([Buffer.from([...wide(priv.length), ...wide(at), 18])]) : Buffer.alloc(0)
  const start = [Buffer.from([1, 0, 4, 4]), writeIndex([Buffer.from('AAAAAA+Trap', 'latin1')])]
  const rest = [writeIndex(strings.map(text => Buffer.from(text, 'latin1'))), writeIndex([])]
  const top = (at: Record<'charset' | 'encoding' | 'charStrings' | 'priv' | 'select' | 'fonts', number>): Buffer =>
    Buffer.from([
      ...(cids ? [...wide(FIRST_OWN_STRING), ...wide(FIRST_OWN_STRING + 1), ...wide(0), 12, 30] : []),
      ...wide(at.charset),
      15,
      ...(codes ? [...wide(at.encoding), 16] : []),
      ...wide(at.charStrings),
      17,
      ...(cids
        ? [...wide(at.fonts), 12, 36, ...wide(at.select), 12, 37]
        : [...wide(priv.length), ...wide(at.priv), 18]),
    ])
  const zero = { charset: 0, encoding: 0, charStrings: 0, priv: 0, select: 0, fonts: 0 }
  let at = Buffer.concat([...start, writeIndex([top(zero)]), ...rest]).length
  const place = (bytes: { length: number }): number => (at += bytes.length) - bytes.length
  const places = {
    charset: place(charset),
    encoding: place(encoding),
    charStrings: place(charStrings),
    priv: place(priv),
    select: place(select),
    fonts: at,
  }
  return Buffer.concat([
    ...start,
    writeIndex([top(places)]),
    ...rest,
    Buffer.from(charset),
    Buffer.from(encoding),
    charStrings,
    priv,
    select,
    fonts(places.priv),
  ])
}

/** The standard string of a letter or a space. */
function stringOf(name: string): number {
  const code = name.charCodeAt(0)
  return name === 'space' ? 1 : code >= 97 ? code - 97 + 66 : code - 65 + 34
}

function writeIndex(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0])
  const ends = items.reduce<number[]>((list, item) => [...list, (list.at(-1) ?? 1) + item.length], [1])
  const offsets = ends.flatMap(end => [(end >>> 24) & 255, (end >>> 16) & 255, ...u16(end)])
  return Buffer.concat([Buffer.from([...u16(items.length), 4, ...offsets]), ...items])
}

/** A Type 2 charstring (Adobe Technical Note 5177). The nominal width is 0. */
function writeCharString({ advance, outline }: LetterShape): number[] {
  const bytes: number[] = []
  let [x, y] = [0, 0]
  const step = (points: readonly number[]): number[] =>
    points.flatMap((value, index) => {
      const delta = index % 2 ? value - y : value - x
      if (index % 2) y = value
      else x = value
      return short(delta)
    })
  for (const [index, contour] of outline.entries()) {
    const first = contour[0] ?? { x: 0, y: 0 }
    bytes.push(...(index === 0 ? short(advance) : []), ...step([first.x, first.y]), 21)
    for (const points of toCubic(contour)) bytes.push(...step(points), points.length === 2 ? 5 : 8)
  }
  return outline.length === 0 ? [...short(advance), 14] : [...bytes, 14]
}
