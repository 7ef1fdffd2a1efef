/** Names of the operators of Type 2 charstrings that the writer under test may use. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'hstem',
  3: 'vstem',
  4: 'vmoveto',
  5: 'rlineto',
  6: 'hlineto',
  7: 'vlineto',
  8: 'rrcurveto',
  14: 'endchar',
  18: 'hstemhm',
  19: 'hintmask',
  21: 'rmoveto',
  22: 'hmoveto',
  23: 'vstemhm',
  24: 'rcurveline',
  25: 'rlinecurve',
  26: 'vvcurveto',
  27: 'hhcurveto',
  30: 'vhcurveto',
  31: 'hvcurveto',
  1234: 'hflex',
  1235: 'flex',
  1236: 'hflex1',
  1237: 'flex1',
}
const STEMS: ReadonlySet<string> = new Set(['hstem', 'vstem', 'hstemhm', 'vstemhm', 'hintmask'])

/** A Type 2 charstring without subroutines as text: numbers and names of operators, and masks as binary digits. */
export function readType2(bytes: Uint8Array): string {
  const words: string[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let [count, stems] = [0, 0]
  for (let at = 0; at < bytes.length;) {
    const first = view.getUint8(at++)
    if (first === 28 || first >= 32) {
      count++
      if (first === 28) words.push(String(view.getInt16((at += 2) - 2)))
      else if (first === 255) words.push(String(view.getInt32((at += 4) - 4) / 65_536))
      else if (first <= 246) words.push(String(first - 139))
      else if (first <= 250) words.push(String((first - 247) * 256 + view.getUint8(at++) + 108))
      else words.push(String(-(first - 251) * 256 - view.getUint8(at++) - 108))
      continue
    }
    const name = NAMES[first === 12 ? 1200 + view.getUint8(at++) : first] ?? 'unknown'
    if (STEMS.has(name)) stems += count >> 1
    count = 0
    words.push(name)
    if (name !== 'hintmask') continue
    let mask = ''
    for (let byte = 0; byte < Math.ceil(stems / 8); byte++) mask += view.getUint8(at++).toString(2).padStart(8, '0')
    words.push(mask.slice(0, stems))
  }
  return words.join(' ')
}
