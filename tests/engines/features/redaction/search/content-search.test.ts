import { describe, expect, it } from 'vitest'
import { makeTrap } from '../../../../fixtures/traps'
import type { Parts } from '../../../../fixtures/traps'
import { readPageTexts } from '../../../../support/page-texts'
import { readPdfjsTexts } from '../../../../support/pdfjs-texts'
import { runOn } from '../../../../support/run-on'
import { StrictPdf } from '../../../../support/strict-pdf'

const show = (text: string, x: number, y: number, setup = ''): string =>
  `BT /F 10 Tf ${setup} ${x} ${y} Td (${text}) Tj ET`
const at = (matrix: string, text: string, setup = ''): string => `BT /F 10 Tf ${setup} ${matrix} Tm ${text} ET`

const OFF: Omit<Parts, 'content'> = {
  resources: () => '/Properties<</L 90 0 R>>',
  catalog: pdf => {
    while (pdf.bodies.length < 89) pdf.reserve()
    pdf.add('<</Type/OCG/Name(layer)>>')
    return '/OCProperties<</OCGs[90 0 R]/D<</OFF[90 0 R]>>>>'
  },
}

const string = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
const span = (text: string, content: string): string => `/Span<</ActualText ${string(text)}>> BDC ${content} EMC`

/** Glyphs that only their names tell, which PDFium doesn't read. */
const named: Omit<Parts, 'content'> = {
  resources: pdf => {
    const draw = pdf.addStream('', '600 0 0 0 600 700 d1 0 0 500 700 re f')
    const names = Array.from('ORCHIDMEAW', name => `/${name}`)
    const drawn = names.map(name => `${name} ${draw} 0 R`).join('')
    return `/Font<</T ${pdf.add(
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<${drawn}>>/Encoding` +
        `<</Differences[130${names.join('')}]>>/FirstChar 130/LastChar 139/Widths[${'600 '.repeat(10)}]/Resources<<>>>>`,
    )} 0 R>>`
  },
}

/** What is searched, and how often it is found. `letters` must be gone, whatever is between them. */
const EXAMPLES: Record<
  string,
  { content: string; text: string; letters?: string; kept?: string[]; parts?: Omit<Parts, 'content'> }
> = {
  'in spaced letters': { content: show('ORCHID', 20, 50, '5 Tc'), text: 'ORCHID' },
  'in spaced letters by numbers': {
    content: at('1 0 0 1 20 50', '[(O)-500(R)-500(C)-500(H)-500(I)-500(D)] TJ'),
    text: 'ORCHID',
  },
  'in spaced letters beside other words': {
    content: show('KEPT ORCHID AFTER', 20, 50, '4 Tc'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'in two spaced words': {
    content: at('1 0 0 1 20 50', '[(O)-400(R)-400(C)-400(H)-1000(M)-400(E)-400(A)-400(D)] TJ'),
    text: 'ORCH MEAD',
    letters: 'ORCHMEAD',
  },
  'in spaced letters with a negative size': {
    content: at('-1 0 0 -1 20 50', '(ORCHID) Tj', '/F -10 Tf -4 Tc'),
    text: 'ORCHID',
  },
  'under small letters': {
    content: Array.from('ORCHID', (letter, index) => {
      const x = 20 + index * 9
      return `${at(`1 0 0 1 ${x} 50`, `(${letter}) Tj`)} ${at(`.5 0 0 .5 ${x} 61`, '(ab) Tj')}`
    }).join(' '),
    text: 'ORCHID',
  },
  'over a gap': {
    content: at('1 0 0 1 20 50', '[(ORCHID)-300(MEADOW)] TJ'),
    text: 'ORCHID MEADOW',
    letters: 'ORCHIDMEADOW',
  },
  'over an offset': {
    content: at('1 0 0 1 20 50', '(ORCHID) Tj 40 0 Td (MEADOW) Tj'),
    text: 'ORCHID MEADOW',
    letters: 'ORCHIDMEADOW',
  },
  'over a wide gap': {
    content: at('1 0 0 1 20 50', '[(ORCHID)-2000(MEADOW)] TJ'),
    text: 'ORCHID MEADOW',
    letters: 'ORCHIDMEADOW',
  },
  'beside a gap': {
    content: at('1 0 0 1 20 50', '[(KEPT)-300(ORCHID)-300(AFTER)] TJ'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'over two lines': {
    content: `${show('KEPT ORCHID', 20, 60)} ${show('MEADOW AFTER', 20, 48)}`,
    text: 'ORCHID MEADOW',
    letters: 'ORCHIDMEADOW',
    kept: ['KEPT', 'AFTER'],
  },
  'on a slanted line': {
    content: at('.8 .6 -.6 .8 60 40', '(KEPT ORCHID AFTER) Tj'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'on a skewed line': {
    content: at('1 .5 0 1 60 40', '(KEPT ORCHID AFTER) Tj'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'with skewed letters': {
    content: at('1 0 .4 1 60 40', '(KEPT ORCHID AFTER) Tj'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'on a line upside down': {
    content: at('-1 0 0 -1 200 40', '[(KEPT)-300(ORCHID)-300(AFTER)] TJ'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'on a flipped line': {
    content: at('-1 0 0 1 200 40', '[(KEPT)-300(ORCHID)-300(AFTER)] TJ'),
    text: 'ORCHID',
    kept: ['KEPT', 'AFTER'],
  },
  'as a clip': { content: `q ${show('ORCHID', 20, 50, '7 Tr')} 0 0 300 100 re f Q`, text: 'ORCHID' },
  'as a clip of nothing': { content: `q ${show('ORCHID', 20, 50, '7 Tr')} Q`, text: 'ORCHID' },
  'without ink': { content: show('ORCHID', 20, 50, '3 Tr').replace('ET', '0 Tr ET'), text: 'ORCHID' },
  'drawn twice': {
    content: `${show('KEPT ORCHID', 20, 50)} ${show('KEPT ORCHID', 20.5, 50)}`,
    text: 'ORCHID',
    kept: ['KEPT'],
  },
  'drawn twice with a wide shift': { content: `${show('ORCHID', 20, 50)} ${show('ORCHID', 21.5, 50)}`, text: 'ORCHID' },
  'each letter drawn twice': {
    content: Array.from(
      'ORCHID',
      (letter, index) => `${show(letter, 20 + 6 * index, 50)} ${show(letter, 20.6 + 6 * index, 50)}`,
    ).join(' '),
    text: 'ORCHID',
    letters: 'OORRCCHHIIDD',
  },
  'on a hidden layer': {
    content: `/OC /L BDC ${show('ORCHID', 20, 50)} EMC ${show('SEEN', 100, 50)}`,
    text: 'ORCHID',
    kept: ['SEEN'],
    parts: OFF,
  },
  'as values on a hidden layer': {
    content: `/OC /L BDC ${show('ORCHID', 20, 50)} ${show('ROSE', 110, 50)} ${show('MEADOW', 62, 50)} EMC ${show('SEEN', 20, 80)}`,
    text: 'ORCHID MEADOW ROSE',
    letters: 'MEADOW',
    kept: ['SEEN'],
    parts: OFF,
  },
  'with accents on a hidden layer': {
    content: `/OC /L BDC ${show('CAFEHAUS', 20, 50)} ${show('\xb4', 38, 52)} EMC ${show('SEEN', 20, 80)}`,
    text: 'CAF\xc9HAUS',
    letters: 'HAUS',
    kept: ['SEEN'],
    parts: OFF,
  },
  'in glyphs with names': { content: 'BT /T 10 Tf 20 50 Td <8283848586878889> Tj ET', text: 'ORCHID', parts: named },
  'in glyphs with names below other text': {
    content: span('ROSE', 'BT /T 10 Tf 20 50 Td <828384858687> Tj ET'),
    text: 'ORCHID',
    parts: named,
  },
  'in a text over glyphs with names': {
    content: span('ROSE', 'BT /T 10 Tf 20 50 Td <828384858687> Tj ET'),
    text: 'ROSE',
    parts: named,
  },
}

describe('a search finds a text', () => {
  it.each(Object.entries(EXAMPLES))('%s', async (_, { content, text, letters = text, kept = [], parts }) => {
    const { file } = makeTrap({
      ...parts,
      content: `${show('ABOVE', 20, 280)} q ${content} Q ${show('BELOW', 20, 10)}`,
    })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text, caseSensitive: true }] })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(0)
    for (const [read = ''] of [await readPageTexts(bytes), await readPdfjsTexts(bytes)]) {
      const all = read.replace(/[^A-Z]/g, '')
      expect(all).not.toContain(letters)
      // Not even two letters that follow each other are left.
      for (let index = 0; index + 2 < letters.length; index++)
        expect(all).not.toContain(letters.slice(index, index + 3))
      for (const word of ['ABOVE', 'BELOW', 'BESIDE', ...kept]) expect(all).toContain(word)
    }
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
  })

  it('once if both readers find it', async () => {
    const count = async (content: string, text: string): Promise<string | undefined> =>
      (await runOn('pdf-redaction', makeTrap({ content }).file, { search: [{ text }] })).headers['X-Redactions-Applied']
    expect(await count(show('ORCHID', 20, 50), 'ORCHID')).toBe('1')
    expect(
      await count(`${show('ORCHID', 20, 50)} ${show('MEADOW', 110, 50)} ${show('ORCHID', 62, 50)}`, 'ORCHID'),
    ).toBe('2')
    expect(await count(span('ORCHID', show('ORCHID', 20, 50)), 'ORCHID')).toBe('1')
    expect(await count(span('ORCHID', `${show('ORC', 20, 50)} ${show('HID', 38, 50)}`), 'ORCHID')).toBe('1')
    expect(await count(`${show('ORCHID', 20, 50)} ${show('ORCHID', 20, 80)}`, 'ORCHID')).toBe('2')
  })

  it('and writes the replacement once', async () => {
    const content = `${show('DEAR', 20, 50)} ${show('WELCOME', 80, 50)} ${show('ANNA', 50, 50)}`
    const search = [{ text: 'DEAR ANNA WELCOME', replacementText: 'NONE' }]
    const { bytes } = await runOn('pdf-redaction', makeTrap({ content }).file, { search })
    expect((await readPageTexts(bytes)).join('').match(/NONE/g)).toHaveLength(1)
  })
})
