import { writeType1Fixture } from '../../fixtures/type1-writer'
import { type LetterShape, toCubic } from './letter-shapes'
import { NAME } from './subset-parts'

/** A Type 1 program in its three parts, and their lengths for /Length1, /Length2 and /Length3. */
interface Type1File {
  data: Buffer
  lengths: [number, number, number]
}

/** A Type 1 program (Adobe Type 1 Font Format) with these letters at these codes of its built-in encoding. */
export function writeType1(letters: readonly LetterShape[], codes: readonly number[]): Type1File {
  const data = writeType1Fixture({
    name: NAME,
    glyphs: {
      '.notdef': Uint8Array.from([...number(0), ...number(500), 13, 14]),
      ...Object.fromEntries(letters.map(letter => [letter.name, Uint8Array.from(writeCharString(letter))])),
    },
    codes: Object.fromEntries(letters.map(({ name }, index) => [codes[index] ?? 0, name])),
  })
  const clear = data.indexOf('currentfile eexec\n') + 18
  const end = 8 * 65 + 12 // Lines of zeros, and `cleartomark`.
  return { data, lengths: [clear, data.length - clear - end, end] }
}

/** A number of a charstring in five-byte form. */
function number(value: number): number[] {
  if (value >= -107 && value <= 107) return [value + 139]
  return [255, (value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function writeCharString({ advance, outline }: LetterShape): number[] {
  const bytes = [...number(0), ...number(advance), 13]
  let [x, y] = [0, 0]
  const step = (points: readonly number[]): number[] =>
    points.flatMap((value, index) => {
      const delta = index % 2 ? value - y : value - x
      if (index % 2) y = value
      else x = value
      return number(delta)
    })
  for (const contour of outline) {
    const first = contour[0] ?? { x: 0, y: 0 }
    bytes.push(...step([first.x, first.y]), 21)
    for (const points of toCubic(contour)) bytes.push(...step(points), points.length === 2 ? 5 : 8)
    bytes.push(9)
  }
  return [...bytes, 14]
}
