/** Maps spacing accents to combining marks (U+0300 and on), because programs print spacing accents over letters. */
const ACCENTS = new Map<string, string>([
  ['`', '\u0300'],
  ['ˋ', '\u0300'],
  ['´', '\u0301'],
  ['ˊ', '\u0301'],
  ['΄', '\u0301'],
  ['^', '\u0302'],
  ['ˆ', '\u0302'],
  ['~', '\u0303'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['ˉ', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['°', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
])

/** Returns the combining mark that a spacing accent stands for. */
export function accentOf(sign: string): string | undefined {
  return ACCENTS.get(sign)
}

/** Returns the one character that a letter with a combining mark is. Undefined if Unicode has none. */
export function compose(letter: string, mark: string): string | undefined {
  const plain = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter
  if (!/^\p{L}$/u.test(plain)) return undefined
  const composed = (plain + mark).normalize('NFC')
  return Array.from(composed).length === 1 ? composed : undefined
}
