/** The scripts by which text is divided: ISO 15924 tags and the Unicode property of each script. */
const SCRIPTS: readonly (readonly [tag: string, pattern: RegExp])[] = [
  ['Latn', /\p{Script=Latin}/u],
  ['Zyyy', /\p{Script=Common}/u],
  ['Zinh', /\p{Script=Inherited}/u],
  ['Hani', /\p{Script=Han}/u],
  ['Cyrl', /\p{Script=Cyrillic}/u],
  ['Grek', /\p{Script=Greek}/u],
  ['Hira', /\p{Script=Hiragana}/u],
  ['Kana', /\p{Script=Katakana}/u],
  ['Hang', /\p{Script=Hangul}/u],
  ['Arab', /\p{Script=Arabic}/u],
  ['Hebr', /\p{Script=Hebrew}/u],
  ['Deva', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Beng', /\p{Script=Bengali}/u],
  ['Taml', /\p{Script=Tamil}/u],
  ['Geor', /\p{Script=Georgian}/u],
  ['Armn', /\p{Script=Armenian}/u],
  ['Gujr', /\p{Script=Gujarati}/u],
  ['Guru', /\p{Script=Gurmukhi}/u],
  ['Telu', /\p{Script=Telugu}/u],
  ['Knda', /\p{Script=Kannada}/u],
  ['Mlym', /\p{Script=Malayalam}/u],
  ['Sinh', /\p{Script=Sinhala}/u],
  ['Khmr', /\p{Script=Khmer}/u],
  ['Laoo', /\p{Script=Lao}/u],
  ['Mymr', /\p{Script=Myanmar}/u],
  ['Ethi', /\p{Script=Ethiopic}/u],
  ['Bopo', /\p{Script=Bopomofo}/u],
]

const known = new Map<number, string>()

/**
 * Returns the ISO 15924 tag of a code point's script. Returns `Zyyy` for characters that all scripts share, `Zinh` for
 * marks, and `Zzzz` for scripts that aren't listed.
 */
function scriptOf(codePoint: number): string {
  const found = known.get(codePoint)
  if (found) return found
  const character = String.fromCodePoint(codePoint)
  const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Zzzz'
  known.set(codePoint, script)
  return script
}

/**
 * Returns whether the surrounding characters determine the script. Digits, symbols, spaces and marks have no script.
 */
function isShared(script: string): boolean {
  return script === 'Zyyy' || script === 'Zinh'
}

/**
 * Returns the script of each cluster. Shared characters take the script of the preceding cluster. At the start of the
 * text, they take the first script that follows.
 */
export function resolveScripts(clusters: readonly string[]): string[] {
  const own = clusters.map(cluster => {
    for (const character of cluster) {
      const script = scriptOf(character.codePointAt(0) ?? 0)
      if (!isShared(script)) return script
    }
    return 'Zyyy'
  })
  let script = own.find(one => one !== 'Zyyy') ?? 'Zyyy'
  return own.map(one => (one === 'Zyyy' ? script : (script = one)))
}
