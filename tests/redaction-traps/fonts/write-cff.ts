import { writeCffFixture } from '../../fixtures/cff-writer'
import { type LetterShape, toCubic } from './letter-shapes'
import { NAME } from './subset-parts'

/** The parts of a CFF program. Letters are glyphs 1, 2, 3 and so on, after an empty `.notdef`. */
interface CffPlan {
  letters: readonly LetterShape[]
  /** Codes of the letters in the program's own encoding. */
  codes?: readonly number[]
  /** CIDs of the letters, in a CID-keyed program. */
  cids?: readonly number[]
}

const short = (value: number): number[] => [28, (value >> 8) & 255, value & 255]

/** A bare CFF program (Adobe Technical Note 5176). */
export function writeCff({ letters, codes, cids }: CffPlan): Buffer {
  const glyphs = letters.map((letter, index) => ({
    key: cids ? (cids[index] ?? 0) : letter.name,
    charstring: Uint8Array.from(writeCharString(letter)),
  }))
  const empty = { key: cids ? 0 : '.notdef', charstring: Uint8Array.from([...short(500), 14]) }
  return Buffer.from(writeCffFixture({ name: NAME, glyphs: [empty, ...glyphs], ...(codes && { codes }) }))
}

/** A Type 2 charstring (Adobe Technical Note 5177). The nominal width is 0. */
export function writeCharString({ advance, outline }: LetterShape): number[] {
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
