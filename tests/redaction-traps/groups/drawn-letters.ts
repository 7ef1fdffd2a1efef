import { fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'
import { addUnicodeFont, codes } from './unicode-text'

/** A word whose glyphs have names, without any /ToUnicode. Each item is a glyph name and its text. */
function byNames(asked: (secret: string) => string, names: (secret: string) => string[]): (secret: string) => Draft {
  return secret => {
    const glyphs = names(secret)
    return {
      parts: {
        content: `BT /N 12 Tf 20 145 Td ${codes(glyphs)} Tj ET`,
        resources: pdf =>
          '/Font<</N ' +
          `${pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]/Encoding<</Type/Encoding/Differences[1${glyphs.map(name => `/${name}`).join('')}]>>>>`)} ` +
          '0 R>>',
      },
      options: { search: [{ text: asked(secret) }] },
      gone: [asked(secret)],
      seenBy: [],
    }
  }
}

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

/** A letter with an accent drawn over it as a separate glyph, as TeX does it. */
function overprinted(accent: string, isFirst: boolean, composed: string, base: string): (secret: string) => Draft {
  return secret => {
    const [first, second] = [secret.slice(0, 6), secret.slice(6)]
    const pieces = isFirst ? [first, accent, base, second] : [first, base, accent, second]
    const characters = pieces.flatMap(piece => Array.from(piece))
    const at = [0, 6, 6, 7]
    let from = 0
    const shows = pieces.map((piece, index) => {
      const count = Array.from(piece).length
      const show = `1 0 0 1 ${20 + 7.2 * (at[index] ?? 0)} 145 Tm ${codes(characters.slice(from, from + count), from)} Tj`
      from += count
      return show
    })
    return {
      parts: {
        content: `BT /U 12 Tf ${shows.join(' ')} ET`,
        resources: pdf => `/Font<</U ${addUnicodeFont(pdf, characters)} 0 R>>`,
      },
      options: { search: [{ text: `${first}${composed}${second}` }] },
      gone: [first, second],
      seenBy: ['pdfium', 'pdfjs'],
    }
  }
}

export const DRAWN_LETTERS: TrapGroup = {
  name: 'Unusual ways to draw letters',
  cause: 'Accents as separate glyphs, and glyphs that only their names identify.',
  constructions: [
    fromDrafts('matching: accents drawn over their letters', [
      overprinted('\u00b4', true, '\u00e9', 'e'),
      overprinted('\u00b4', false, '\u00e9', 'e'),
      overprinted('\u00a8', true, '\u00fc', 'u'),
      overprinted('\u02c6', true, '\u00ea', 'e'),
      overprinted('\u0060', false, '\u00e0', 'a'),
    ]),
    fromDrafts('matching: glyph names', [
      byNames(
        secret => `${secret}fi`,
        secret => [...secret, 'f_i'],
      ),
      byNames(
        secret => `${secret.slice(0, 6)}ffi${secret.slice(6)}`,
        secret => [...secret.slice(0, 6), 'f_f_i', ...secret.slice(6)],
      ),
      byNames(
        secret => secret,
        secret => Array.from(secret, letter => `uni${hexOf(letter)}`),
      ),
      byNames(
        secret => secret,
        secret => [`uni${Array.from(secret.slice(0, 4), hexOf).join('')}`, ...secret.slice(4)],
      ),
      byNames(
        secret => secret,
        secret => Array.from(secret, letter => `u${hexOf(letter)}`),
      ),
      byNames(
        secret => secret,
        secret => Array.from(secret, letter => `${letter}.alt`),
      ),
      byNames(
        secret => `${secret}fl`,
        secret => [...secret, 'fl'],
      ),
      byNames(
        secret => `${secret}\u00e9`,
        secret => [...secret, 'eacute'],
      ),
    ]),
  ],
}
