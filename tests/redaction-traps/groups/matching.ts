import { fromDrafts } from '../draft'
import type { Construction, TrapGroup } from '../trap'
import { showUnicode } from './unicode-text'

/** The text in the file and the search text. Both surround the two halves of a secret. */
type Pair = (
  first: string,
  second: string,
) => { shown: string | string[]; asked: string; gone?: string[]; wholeWord?: boolean }

function listPairs(name: string, pairs: Pair[]): Construction {
  return fromDrafts(
    `matching: ${name}`,
    pairs.map(pair => secret => {
      const [first, second] = [secret.slice(0, 6), secret.slice(6)]
      const { shown, asked, gone = [first, second], wholeWord = false } = pair(first, second)
      return { ...showUnicode(shown, gone), options: { search: [{ text: asked, wholeWord }] } }
    }),
  )
}

/** Each of some characters in the file, searched by another character, and vice versa once. */
function swapped(name: string, usual: string, others: string[]): Construction {
  return listPairs(name, [
    ...others.map((other): Pair => (a, b) => ({ shown: `${a}${other}${b}`, asked: `${a}${usual}${b}` })),
    (a, b) => ({ shown: `${a}${usual}${b}`, asked: `${a}${others[0] ?? ''}${b}` }),
  ])
}

const lower = (text: string): string => text.toLowerCase()

/** Letters of another script in place of A to Z. */
const toScript =
  (alphabet: string) =>
  (text: string): string =>
    Array.from(
      text,
      letter => Array.from(alphabet)[(letter.charCodeAt(0) - 65) % Array.from(alphabet).length] ?? '',
    ).join('')
const toGreek = toScript('ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΤΥΦΧΨΩ')
const toCyrillic = toScript('АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ')
const toHebrew = toScript('אבגדהוזחטיכלמנסעפצקרשת')
const toArabic = toScript('بتثجحخسشصضطظعغفقكلمنهي')

/** The order of right-to-left text in a content stream: visual order from the left. */
const backwards = (text: string): string => Array.from(text).reverse().join('')

export const MATCHING: TrapGroup = {
  name: 'Spelling variants',
  cause: 'Different apostrophes, hyphens, spaces, accents, cases, ligatures and scripts.',
  constructions: [
    swapped('apostrophes', "'", ['\u2019', '\u2018', '\u02bc', '\u2032', '\u00b4', '\u0060']),
    listPairs('quotes', [
      (a, b) => ({ shown: `${a} \u201c${b}\u201d`, asked: `${a} "${b}"` }),
      (a, b) => ({ shown: `${a} \u201e${b}\u201c`, asked: `${a} "${b}"` }),
      (a, b) => ({ shown: `${a} \u00ab${b}\u00bb`, asked: `${a} "${b}"` }),
      (a, b) => ({ shown: `${a} "${b}"`, asked: `${a} \u201c${b}\u201d` }),
    ]),
    swapped('hyphens and dashes', '-', ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\ufe63']),
    swapped('spaces', ' ', ['\u00a0', '\u2009', '\u202f', '\u3000', '\u2003']),
    listPairs('characters without width', [
      (a, b) => ({ shown: `${a}\u200b${b}`, asked: a + b }),
      (a, b) => ({ shown: `${a}\u200d${b}`, asked: a + b }),
      (a, b) => ({ shown: `${a}\u2060${b}`, asked: a + b }),
      (a, b) => ({ shown: `${a}\u00ad${b}`, asked: a + b }),
      (a, b) => ({ shown: `${a}\ufeff${b}`, asked: a + b }),
    ]),
    listPairs('composed and decomposed accents', [
      (a, b) => ({ shown: `${a}e\u0301${b}`, asked: `${a}\u00e9${b}` }),
      (a, b) => ({ shown: `${a}\u00e9${b}`, asked: `${a}e\u0301${b}` }),
      (a, b) => ({ shown: `${a}A\u030a${b}`, asked: `${a}\u212b${b}` }),
      (a, b) => ({ shown: `${a}e\u0323\u0302${b}`, asked: `${a}\u1ec7${b}` }),
      (a, b) => ({ shown: `${a}e\u0302\u0323${b}`, asked: `${a}\u1ec7${b}` }),
      (a, b) => ({ shown: [...a, 'e\u0301', ...b], asked: `${a}\u00e9${b}` }),
    ]),
    listPairs('ss and ß', [
      (a, b) => ({ shown: `${a}SS${b}`, asked: `${lower(a)}\u00df${lower(b)}` }),
      (a, b) => ({ shown: `${lower(a)}\u00df${lower(b)}`, asked: `${a}SS${b}` }),
      (a, b) => ({ shown: `${a}\u1e9e${b}`, asked: `${lower(a)}\u00df${lower(b)}` }),
      (a, b) => ({ shown: `${a}\u1e9e${b}`, asked: `${lower(a)}ss${lower(b)}` }),
    ]),
    listPairs('a final sigma', [
      (a, b) => ({
        shown: `${lower(toGreek(a + b))}\u03c2`,
        asked: `${toGreek(a + b)}\u03a3`,
        gone: [toGreek(a + b)],
      }),
      (a, b) => ({
        shown: `${toGreek(a + b)}\u03a3`,
        asked: `${lower(toGreek(a + b))}\u03c2`,
        gone: [toGreek(a + b)],
      }),
      (a, b) => ({
        shown: `${lower(toGreek(a + b))}\u03c3`,
        asked: `${lower(toGreek(a + b))}\u03c2`,
        gone: [toGreek(a + b)],
      }),
    ]),
    listPairs('a dotted capital I', [
      (a, b) => ({ shown: `${a}\u0130${b}`, asked: `${lower(a)}i\u0307${lower(b)}` }),
      (a, b) => ({ shown: `${lower(a)}i\u0307${lower(b)}`, asked: `${a}\u0130${b}` }),
    ]),
    listPairs('ligatures', [
      (a, b) => ({ shown: `${a}\ufb01${b}`, asked: `${a}fi${b}` }),
      (a, b) => ({ shown: `${a}\ufb03${b}`, asked: `${a}ffi${b}` }),
      (a, b) => ({ shown: `${a}\ufb06${b}`, asked: `${a}st${b}` }),
      (a, b) => ({ shown: `${a}\u0133${b}`, asked: `${a}ij${b}` }),
      (a, b) => ({ shown: [...a, 'ffi', ...b], asked: `${a}ffi${b}` }),
      (a, b) => ({ shown: `${a}fi${b}`, asked: `${a}\ufb01${b}` }),
    ]),
    listPairs('compatible forms', [
      (a, b) => ({
        shown: Array.from(a + b, letter => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join(''),
        asked: a + b,
      }),
      (a, b) => ({
        shown: Array.from(a + b, letter => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1d400)),
        asked: a + b,
      }),
      (a, b) => ({ shown: `${a}\u00b2${b}`, asked: `${a}2${b}` }),
      (a, b) => ({ shown: `${a}\u2122${b}`, asked: `${a}TM${b}` }),
    ]),
    listPairs('whole words in other scripts', [
      (a, b) => ({
        shown: `\u041f ${toCyrillic(a + b)}, \u0414`,
        asked: lower(toCyrillic(a + b)),
        gone: [toCyrillic(a + b)],
        wholeWord: true,
      }),
      (a, b) => ({
        shown: `\u0391 ${toGreek(a + b)}. \u0392`,
        asked: toGreek(a + b),
        gone: [toGreek(a + b)],
        wholeWord: true,
      }),
      (a, b) => ({ shown: `x ${a}e\u0301${b}. y`, asked: `${a}\u00e9${b}`, wholeWord: true }),
      (a, b) => ({ shown: `(${a}'${b})`, asked: `${a}\u2019${b}`, wholeWord: true }),
    ]),
    listPairs('scripts that run from right to left', [
      (a, b) => ({ shown: backwards(toHebrew(a + b)), asked: toHebrew(a + b), gone: [toHebrew(a + b)] }),
      (a, b) => ({ shown: backwards(toArabic(a + b)), asked: toArabic(a + b), gone: [toArabic(a + b)] }),
    ]),
  ],
}
