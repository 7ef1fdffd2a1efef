import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { findUnsearchablePages } from '../../../../../engines/features/redaction/meaning/unsearchable-text'
import { composite, drawn, makeMeanings, simple, unencoded } from '../../../../fixtures/meanings'
import { LIMITS } from '../../../../support/run-on'

type Text = Parameters<typeof makeMeanings>[0][number]

const SECRET = 'Quimby4471'
const next = (letter: string): string => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1)
const same = (letter: string): string => letter

/** Text that a search can't find. */
const UNSEARCHABLE: Record<string, Text> = {
  'no map of meanings': { text: SECRET, add: composite({}) },
  'no map, in a form': { text: SECRET, add: composite({}), place: 'form' },
  'no map, in an annotation': { text: SECRET, add: composite({}), place: 'annotation' },
  'no map, in a pattern': { text: SECRET, add: composite({}), place: 'pattern' },
  'no map, letter by letter': { text: SECRET, add: composite({ apart: true }) },
  'a map that leaves out one letter': {
    text: SECRET,
    add: composite({ says: (letter, at) => (at === 2 ? undefined : letter) }),
  },
  'a map with private characters': {
    text: SECRET,
    add: composite({ says: (_, at) => String.fromCharCode(0xe000 + at) }),
  },
  'a map with replacement characters': { text: SECRET, add: composite({ says: () => '\ufffd' }) },
  'a map with controls': { text: SECRET, add: composite({ says: (_, at) => String.fromCharCode(14 + at) }) },
  'a map with empty texts': { text: SECRET, add: composite({ says: () => '' }) },
  'a map with spaces alone': { text: SECRET, add: composite({ says: () => ' ' }) },
  'a map with one letter for all': { text: SECRET, add: composite({ says: () => 'X' }) },
  'a map with unseen characters': { text: SECRET, add: composite({ says: () => '\u200b' }) },
  'a map that contradicts the table of characters': { text: SECRET, add: composite({ says: next }) },
  'a map that contradicts the names in the program': {
    text: SECRET,
    add: composite({ says: next, without: ['cmap'] }),
  },
  'a map that contradicts the shapes alone': {
    text: SECRET,
    add: composite({ says: (_, at) => 'poxdyahlgn'[at], without: ['cmap', 'post'] }),
  },
  'one letter for all, without any table': {
    text: SECRET,
    add: composite({ says: () => 'X', without: ['cmap', 'post'] }),
  },
  'a map that contradicts the encoding': { text: SECRET, add: simple({ says: next }) },
  'a map that contradicts the names of glyphs': { text: 'Quimby', add: simple({ names: same, says: next }) },
  'names that only number glyphs': { text: SECRET, add: simple({ names: (_, at) => `g${at + 12}` }) },
  'codes in the order of first use': { text: SECRET, add: unencoded({ codeOf: (_, at) => at + 1 }) },
  'codes of other letters': { text: SECRET, add: unencoded({ codeOf: (_, at) => at + 65 }) },
  'a map that says a word of the name of a sign': { text: SECRET, add: composite({ says: () => 'sign' }) },
  'drawn glyphs with numbers for names': { text: SECRET, add: drawn({ names: (_, at) => `a${at}` }) },
}

/** Text that a search can find, and content that isn't text. */
const SEARCHABLE: Record<string, Text> = {
  'a true map': { text: SECRET, add: composite({ says: same }) },
  'a true map for a program without tables': {
    text: 'the quick brown fox jumps over the lazy dog',
    add: composite({ says: same, without: ['cmap', 'post'] }),
  },
  'another form of the same letter': {
    text: 'Ωµé',
    add: composite({ says: letter => ({ Ω: 'Ω', µ: 'μ', é: 'e\u0301' })[letter] }),
  },
  'an encoding': { text: SECRET, add: simple({}) },
  'codes of a program of its own': { text: SECRET, add: unencoded({ codeOf: letter => letter.charCodeAt(0) }) },
  'names of glyphs': { text: 'Quimby', add: simple({ names: same }) },
  ligatures: {
    text: 'ab',
    add: simple({ names: (_, at) => ['f_i', 'ffl'][at] ?? '', says: (_, at) => ['fi', 'ﬄ'][at] }),
  },
  'small capitals': {
    text: 'abc',
    add: simple({ names: letter => `${letter}.sc`, says: letter => letter.toUpperCase() }),
  },
  'names by number in Unicode': {
    text: 'Quimby',
    add: simple({ names: letter => `uni${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` }),
  },
  'signs with names of their own': {
    text: 'abc',
    add: simple({ names: (_, at) => ['summationdisplay', 'bracketleftbig', 'arrowvertex'][at] ?? '' }),
  },
  'names that say nothing, and a map': { text: SECRET, add: simple({ names: (_, at) => `g${at + 12}`, says: same }) },
  'drawn glyphs with names': { text: 'Quimby', add: drawn({ names: same }) },
  'drawn glyphs with numbers for names, and a map': {
    text: SECRET,
    add: drawn({ names: (_, at) => `a${at}`, says: same }),
  },
  'a map that leaves out a glyph as frequent as a space': {
    text: 'the_quick_brown_fox_jumps_over_a_dog',
    add: composite({ says: letter => (letter === '_' ? undefined : letter) }),
  },
  'a private bullet': { text: 'a', add: simple({ names: () => 'g1', says: () => '\uf0b7' }) },
  'a bullet without a meaning': { text: 'a', add: simple({ names: () => 'g1' }) },
  'signs of a font of signs': {
    text: 'abcdef',
    add: simple({ names: (_, at) => `a${at + 1}`, baseFont: 'ZapfDingbats' }),
  },
  'signs of Wingdings': {
    text: 'abcdef',
    add: simple({ says: (_, at) => String.fromCharCode(0xf061 + at), baseFont: 'ABCDEF+Wingdings-Regular' }),
  },
}

const find = (bytes: Uint8Array): number[] => {
  const document = openDocument(new Uint8Array(bytes), LIMITS)
  return [
    ...findUnsearchablePages(
      document,
      document.pages.map((_, index) => index),
    ),
  ]
}

describe("pages with text that can't be searched", () => {
  it.each(Object.entries(UNSEARCHABLE))('are found: %s', (_, text) => {
    expect(find(makeMeanings([{ text: 'plain', add: simple({}) }, text]))).toEqual([1])
  })

  it.each(Object.entries(SEARCHABLE))("don't include other pages: %s", (_, text) => {
    expect(find(makeMeanings([text]))).toEqual([])
  })

  it('are only found among the requested pages', () => {
    const document = openDocument(
      new Uint8Array(
        makeMeanings([
          { text: SECRET, add: composite({}) },
          { text: SECRET, add: composite({}) },
        ]),
      ),
      LIMITS,
    )
    expect([...findUnsearchablePages(document, [1])]).toEqual([1])
  })

  it("don't turn a damaged font program or CMap into an error", () => {
    for (let cut = 0; cut < 40; cut++) {
      const bytes = makeMeanings([
        {
          text: SECRET,
          add: (pdf, text) => {
            const made = composite({ says: same })(pdf, text)
            const program = pdf.bodies.findIndex(
              body => typeof body !== 'string' && body.dictionary.includes('Length1'),
            )
            const body = pdf.bodies[program]
            if (typeof body === 'object') pdf.bodies[program] = { dictionary: '', data: Buffer.alloc(1 + cut * 7, cut) }
            return made
          },
        },
      ])
      expect(find(bytes)).toEqual([])
    }
  })
})
