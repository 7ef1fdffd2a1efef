/** Maps letters and symbols to letters that look alike, in most cases Latin ones. */
const ALIKE: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  І: 'I',
  Ј: 'J',
  Ѕ: 'S',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  Α: 'A',
  Β: 'B',
  Ε: 'E',
  Ζ: 'Z',
  Η: 'H',
  Ι: 'I',
  Κ: 'K',
  Μ: 'M',
  Ν: 'N',
  Ο: 'O',
  Ρ: 'P',
  Τ: 'T',
  Υ: 'Y',
  Χ: 'X',
  ο: 'o',
  ν: 'v',
  ı: 'i',
  ȷ: 'j',
  ſ: 's',
  '∆': 'Δ',
  '∑': 'Σ',
  '∏': 'Π',
  Ω: 'Ω',
  ϕ: 'φ',
  ϵ: 'ε',
  ϑ: 'θ',
  ϱ: 'ρ',
  ς: 'σ',
  Đ: 'Ð',
  ß: 'β',
  '∅': 'Ø',
}

/**
 * Returns whether the Unicode mapping of a glyph is plausible for what the glyph shows: the same letters, or letters
 * that look alike. Accents may be missing. A small capital may be mapped to either case. A capital letter may be mapped
 * to the lowercase letter, as in text that is set in capitals only.
 */
export function isEquivalentText(
  mappedText: string,
  { text, isSmallCap }: { text: string; isSmallCap: boolean },
): boolean {
  const [one, other] = [plain(mappedText), plain(text)]
  if (one === other || one.toUpperCase() === other) return true
  return isSmallCap && one.toLowerCase() === other.toLowerCase()
}

function plain(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}|\p{Cf}/gu, '')
  return Array.from(letters, letter => ALIKE[letter] ?? letter).join('')
}
