import { describe, expect, it } from 'vitest'
import { makeTrap } from '../../../fixtures/traps'
import { readPageTexts } from '../../../support/page-texts'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { runOn } from '../../../support/run-on'
import { readDrawn, readWords } from './read-drawn'

/** Shows a text in Courier at 10 points, 6 points for each letter. */
const show = (text: string, x: number, y = 50, setup = '/F 10 Tf'): string =>
  `BT ${setup} 1 0 0 1 ${x} ${y} Tm <${Buffer.from(text, 'latin1').toString('hex')}> Tj ET`

/** Content with accents over its letters, and the words that it shows. */
const EXAMPLES: Record<string, [content: string, ...words: string[]]> = {
  'at the end': [
    `${show('Universite', 20)} ${show('\xb4', 74)} ${show('Re', 100)} ${show('\xb4', 106)}`,
    'Université',
    'Ré',
  ],
  'after their letters': [`${show('Re', 20)} ${show('\xb4', 26)} ${show('sume', 32)} ${show('\xb4', 50)}`, 'Résumé'],
  'before their letters': [
    `${show('R', 20)} ${show('\xb4', 26)} ${show('esum', 26)} ${show('\xb4', 50)} ${show('e', 50)}`,
    'Résumé',
  ],
  'in one operation': ['BT /F 10 Tf 20 50 Td [(R)<b4>600(esum)<b4>600(e)] TJ ET', 'Résumé'],
  'behind all other text': [
    `${show('Resume', 20)} ${show('word', 80)} ${show('\xb4', 26)} ${show('\xb4', 50)}`,
    'Résumé',
    'word',
  ],
  'before all other text': [
    `${show('\xb4', 26)} ${show('\xb4', 50)} ${show('Resume', 20)} ${show('word', 80)}`,
    'Résumé',
    'word',
  ],
  'on a raised baseline': [`${show('Resume', 20)} ${show('\xb4', 26, 53)} ${show('\xb4', 50, 53)}`, 'Résumé'],
  'in smaller letters': [
    `${show('Resume', 20)} ${show('\xb4', 26.6, 52, '/F 8 Tf')} ${show('\xb4', 50.6, 52, '/F 8 Tf')}`,
    'Résumé',
  ],
  'between blanks': [`${show('Re ', 20)} ${show(' \xb4 ', 20)} ${show('sume', 32)} ${show('\xb4', 50)}`, 'Résumé'],
  'before the next word': [`${show('cafe ', 20)} ${show('\xb4 ', 38)} ${show('noir', 50)}`, 'café', 'noir'],
  'of several kinds': [
    `${show('aeeinouc', 20)} ${show('`\xb4^\xa8~\xb0\xaf\xb8'.slice(0, 5), 20)} ${show('\xb8', 62)}`,
    'àéêïñouç',
  ],
  'on capital letters': [`${show('ECOLE', 20)} ${show('\xb4', 20, 52)}`, 'ÉCOLE'],
  'as a cedilla': [`${show('Francais', 20)} ${show('\xb8', 44)}`, 'Français'],
  'in turned text': ['BT /F 10 Tf 0 1 -1 0 50 20 Tm (Re) Tj 0 1 -1 0 50 26 Tm <b4> Tj ET', 'Ré'],
  'in large text': [`${show('Re', 20, 100, '/F 50 Tf')} ${show('\xb4', 50, 100, '/F 50 Tf')}`, 'Ré'],
}

describe('an accent that is drawn over a letter is a part of it', () => {
  it.each(Object.entries(EXAMPLES))('%s', async (_, [content, ...words]) => {
    expect(readWords(content)).toEqual(words)
    const { bytes } = await runOn('extract-text', makeTrap({ content: `q ${content} Q` }).file)
    expect(bytes.toString().split(/\s+/)).toEqual(expect.arrayContaining(words))
  })

  it.each(Object.entries(EXAMPLES))('in a search: %s', async (_, [content, word]) => {
    const { file } = makeTrap({ content: `q ${content} Q` })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: word, caseSensitive: true }] })
    expect([headers['X-Redaction-Verified'], headers['X-Redactions-Applied']]).toEqual(['true', '1'])
    for (const [text = ''] of [await readPageTexts(bytes), await readPdfjsTexts(bytes)]) {
      expect(text).toContain('BESIDE')
      // The letters without accents are gone too.
      for (const letters of (word as string).normalize('NFD').split(/[\u0300-\u036f]/))
        if (letters.length > 2) expect(text).not.toContain(letters)
    }
  })

  it('and of its bounds', () => {
    const { glyphs } = readDrawn(`${show('e', 20)} ${show('\xb4', 21, 54)}`)
    const [alone] = readDrawn(show('e', 20)).glyphs
    expect(glyphs).toHaveLength(1)
    expect(glyphs[0]).toMatchObject({ text: 'é', ownText: 'é', x: 20, endX: 26, right: 27, bottom: alone?.bottom })
    expect((glyphs[0]?.top ?? 0) - (alone?.top ?? 0)).toBeCloseTo(4)
  })

  it('as two accents of one letter', () => {
    expect(readWords(`${show('te', 20)} ${show('^', 26)} ${show('\xb4', 26, 53)}`)).toEqual(['tế'])
  })

  it('is compared', async () => {
    const [one, other] = [EXAMPLES['at the end'], EXAMPLES['as a cedilla']].map(
      example => makeTrap({ content: `q ${example?.[0]} Q` }).file,
    )
    const { bytes } = await runOn('compare-pdfs', [one as Buffer, other as Buffer], { format: 'json' })
    expect(bytes.toString()).toContain('Université')
  })
})

describe('an accent stays', () => {
  it.each<[string, string, string]>([
    ['beside a letter', show('e\xb4', 20), 'e´'],
    ['before a letter', show('~a', 20), '~a'],
    ['between letters', show('x^2', 20), 'x^2'],
    ['over a letter without such an accent', `${show('x', 20)} ${show('\xb8', 20)}`, 'x¸'],
    ['far above its letter', `${show('e', 20)} ${show('\xb4', 20, 56.5)}`, 'e´'],
    ['half beside its letter', `${show('e', 20)} ${show('\xb4', 22.2)}`, 'e´'],
    ['over a far larger letter', `${show('e', 20, 50, '/F 25 Tf')} ${show('\xb4', 24.5)}`, 'e´'],
    ['over a letter of another angle', `${show('e', 20)} BT /F 10 Tf 0 1 -1 0 23 47 Tm <b4> Tj ET`, 'e´'],
    ['without ink over a letter', `${show('e', 20)} ${show('\xb4', 20, 50, '/F 10 Tf 3 Tr')}`, 'e´'],
    ['in a temperature', show('20\xb0C', 20), '20°C'],
  ])('%s', (_, content, text) => {
    expect(readWords(content).join('')).toBe(text)
  })

  it('on a page with very many', () => {
    const content = show('e\xb4'.repeat(2001), 20)
    expect(readDrawn(content).glyphs).toHaveLength(4002)
    expect(readWords(`${content} ${show('e', 20, 90)} ${show('\xb4', 20, 90)}`).at(-1)).toContain('´')
  })
})
