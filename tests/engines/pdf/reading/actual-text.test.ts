import { describe, expect, it } from 'vitest'
import { runOn } from '../../../support/run-on'
import { readPageTexts } from '../../../support/page-texts'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { makeTrap } from '../../../fixtures/traps'
import { readDrawn } from './read-drawn'

const span = (text: string, content: string): string => `/Span<</ActualText ${string(text)}>> BDC ${content} EMC`
const string = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
const show = (text: string, x = 20, y = 250): string => `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET`

/** Content, the words that are read in it, and the words that its glyphs show if they differ. */
interface Example {
  content: string
  words: string[]
  drawn?: string[]
  /** The words that are read if the letters of a word don't follow each other on a line. */
  lines?: string[]
}

const EXAMPLES: Record<string, Example> = {
  'over several objects': {
    content: span('PLACEHOLDER', `${show('PLA')} ${show('CEHO', 38)} ${show('LDER', 62)}`),
    words: ['PLACEHOLDER'],
  },
  'over objects in another order': {
    content: span('PLACEHOLDER', `${show('CEHO', 38)} ${show('PLA')} ${show('LDER', 62)}`),
    words: ['PLACEHOLDER'],
    lines: ['PLA', 'CEHO', 'LDER'],
  },
  'over two words': { content: span('ORCHID MEADOW', show('ORCHID MEADOW')), words: ['ORCHID', 'MEADOW'] },
  'over lines with a hyphen': {
    content: span('ORCHIDMEADOW', `${show('ORCHID-')} ${show('MEADOW', 20, 238)}`),
    words: ['ORCHIDMEADOW'],
    lines: ['ORCHID', 'MEADOW'],
  },
  'over lines': {
    content: span('ORCHID MEADOW', `${show('ORCHID')} ${show('MEADOW', 20, 238)}`),
    words: ['ORCHID', 'MEADOW'],
  },
  'over each letter': {
    content: Array.from('ORCHID', (letter, at) => span(letter, show(letter, 20 + 6 * at))).join(' '),
    words: ['ORCHID'],
  },
  'over a drop cap': {
    content: `${span('ORCHID', `BT /F 30 Tf 20 226 Td (O) Tj ET ${show('RCHID', 38)}`)} ${show('MEADOW', 38, 238)}`,
    words: ['ORCHID', 'MEADOW'],
    lines: ['RCHID', 'O', 'MEADOW'],
  },
  'with more characters than glyphs': { content: span('ORCHID', show('OR#D')), words: ['ORCHID'], drawn: ['OR#D'] },
  'with fewer characters than glyphs': {
    content: span('ORCHID', show('ORCHHHID')),
    words: ['ORCHID'],
    drawn: ['ORCHHHID'],
  },
  'with other characters': { content: span('ORCHID', show('MEADOW')), words: ['ORCHID'], drawn: ['MEADOW'] },
  'with one character for a word': { content: span('X', show('MEADOW')), words: ['X'], drawn: ['MEADOW'] },
  'with a word for one glyph': { content: span('MEADOW', show('X')), words: ['MEADOW'], drawn: ['X'] },
  'inside another one': {
    content: span('ORCHID', `${show('OR')} ${span('IGNORED', show('CH', 32))} ${show('ID', 44)}`),
    words: ['ORCHID'],
  },
  empty: { content: `${show('ORCHID')} ${span('', show('MEADOW', 20, 238))}`, words: ['ORCHID'], drawn: ['MEADOW'] },
  'of blanks': {
    content: `${show('ORCHID')} ${span(' ', show('*', 56))} ${show('MEADOW', 62)}`,
    words: ['ORCHID', 'MEADOW'],
  },
  'beside another one': {
    content: `${span('ORCHID', show('OR#D'))} ${span('MEADOW', show('M#W', 60))}`,
    words: ['ORCHID', 'MEADOW'],
    drawn: ['OR#D', 'M#W'],
  },
  'directly before another one': {
    content: `${span('ORCHID', show('OR#D'))} ${span('MEADOW', show('M#W', 44))}`,
    words: ['ORCHIDMEADOW'],
    drawn: ['OR#D', 'M#W'],
  },
  'around an inner mark': {
    content: span('ORCHID', `/P<</MCID 0>> BDC ${show('OR#D')} EMC`),
    words: ['ORCHID'],
    drawn: ['OR#D'],
  },
  'around the start of another mark': {
    content: `/Span<</ActualText ${string('ORCHID')}>> BDC ${show('OR')} /P BMC ${show('#D', 32)} EMC ${show('MEADOW', 20, 230)} EMC`,
    words: ['ORCHID'],
    drawn: ['MEADOW'],
  },
  'that an end before it does not close': {
    content: `EMC ${span('ORCHID', show('OR#D'))}`,
    words: ['ORCHID'],
    drawn: ['OR#D'],
  },
}

describe('/ActualText is read', () => {
  it.each(Object.entries(EXAMPLES))('%s', async (_, { content, words, lines = words }) => {
    const { bytes } = await runOn('extract-text', makeTrap({ content: `q ${content} Q` }).file)
    expect(bytes.toString().trim().split(/\s+/)).toEqual([...lines, 'BESIDE'])
  })

  it('at the glyphs that it replaces', () => {
    const { glyphs, replacedGlyphs } = readDrawn(span('ORCHID', show('OR#D')))
    expect(
      replacedGlyphs
        ?.slice(0, 4)
        .map(({ ownText }) => ownText)
        .join(''),
    ).toBe('OR#D')
    expect(glyphs.map(({ text, x }) => [text, x])).toEqual([
      ['O', 20],
      ['R', 26],
      ['CHI', 32],
      ['D', 38],
    ])
  })
})

/** The letters of a page, whatever is between them. */
const lettersOf = (texts: readonly string[]): string => texts.join('').replace(/[^A-Z#]/g, '')

describe('a word that is found in /ActualText or below it is redacted', () => {
  const cases = Object.entries(EXAMPLES).flatMap(([name, { words, drawn = [], content }]) =>
    [...new Set([...words, ...drawn])]
      .filter(word => word.length > 1)
      .map(word => ({ name, content, word, words: [...words, ...drawn] })),
  )
  it.each(cases)('$name: $word', async ({ content, word }) => {
    const { file } = makeTrap({ content: `${show('ABOVE', 20, 280)} ${show('BELOW', 20, 100)} q ${content} Q` })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: word }] })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(0)
    for (const texts of [await readPageTexts(bytes), await readPdfjsTexts(bytes)]) {
      expect(lettersOf(texts)).not.toContain(word)
      for (const kept of ['ABOVE', 'BELOW', 'BESIDE']) expect(lettersOf(texts)).toContain(kept)
    }
  })
})
