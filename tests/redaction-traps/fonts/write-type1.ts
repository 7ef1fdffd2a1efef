import { toCubic } from './letter-shapes'
import type { LetterShape } from './letter-shapes'

/** A Type 1 program in its three parts, and their lengths for /Length1, /Length2 and /Length3. */
interface Type1File {
  data: Buffer
  lengths: [number, number, number]
}

const EEXEC_KEY = 55665
const CHARSTRING_KEY = 4330

/** A Type 1 program (Adobe Type 1 Font Format) with these letters at these codes of its built-in encoding. */
export function writeType1(letters: readonly LetterShape[], codes: readonly number[]): Type1File {
  const encoding = letters.map(({ name }, index) => `dup ${codes[index] ?? 0} /${name} put`).join('\n')
  const clear = Buffer.from(
    `%!PS-AdobeFont-1.0: AAAAAA+Trap
11 dict begin
/FontInfo 1 dict dup begin /FullName (Trap) readonly def end readonly def
/FontName /AAAAAA+Trap def
/PaintType 0 def
/FontType 1 def
/FontMatrix [0.001 0 0 0.001 0 0] readonly def
/Encoding 256 array
0 1 255 {1 index exch /.notdef put} for
${encoding}
readonly def
/FontBBox {0 -300 1100 1000} readonly def
currentdict end
currentfile eexec
`,
    'latin1',
  )
  const glyphs: [string, number[]][] = [
    ['.notdef', [...number(0), ...number(500), 13, 14]],
    ...letters.map((letter): [string, number[]] => [letter.name, writeCharString(letter)]),
  ]
  const charStrings = glyphs.flatMap(([name, code]) => {
    const data = encrypt(Buffer.from([0, 0, 0, 0, ...code]), CHARSTRING_KEY)
    return [Buffer.from(`/${name} ${data.length} RD `, 'latin1'), data, Buffer.from(' ND\n', 'latin1')]
  })
  const head = `dup /Private 8 dict dup begin
/RD {string currentfile exch readstring pop} executeonly def
/ND {noaccess def} executeonly def
/NP {noaccess put} executeonly def
/BlueValues [] def
/MinFeature {16 16} def
/password 5839 def
2 index /CharStrings ${glyphs.length} dict dup begin
`
  const tail =
    'end\nend\nreadonly put\nnoaccess put\ndup /FontName get exch definefont pop\nmark currentfile closefile\n'
  const secret = encrypt(
    Buffer.concat([
      Buffer.from([1, 2, 3, 4]),
      Buffer.from(head, 'latin1'),
      ...charStrings,
      Buffer.from(tail, 'latin1'),
    ]),
    EEXEC_KEY,
  )
  const end = Buffer.from(`${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`, 'latin1')
  return { data: Buffer.concat([clear, secret, end]), lengths: [clear.length, secret.length, end.length] }
}

function encrypt(data: Buffer, key: number): Buffer {
  let state = key
  return Buffer.from(
    data.map(byte => {
      const cipher = byte ^ (state >> 8)
      state = ((cipher + state) * 52845 + 22719) & 0xffff
      return cipher
    }),
  )
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
