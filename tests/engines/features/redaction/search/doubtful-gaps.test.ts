import { describe, expect, it } from 'vitest'
import { makeTrap } from '../../../../fixtures/traps'
import { readPageTexts } from '../../../../support/page-texts'
import { runOn } from '../../../../support/run-on'

/** Letters of Helvetica differ in width. Those of /F, which is Courier, don't. */
const narrow = (operators: string): string => `BT /H 10 Tf 20 50 Td ${operators} ET`
const letters = (text: string, step: number, font = '/H'): string =>
  Array.from(text, (letter, at) =>
    letter === ' ' ? '' : `BT ${font} 10 Tf ${20 + at * step} 50 Td (${letter}) Tj ET`,
  ).join(' ')
const centered = (text: string, step: number): string =>
  Array.from(text, (letter, at) =>
    letter === ' ' ? '' : `BT /H 10 Tf ${20 + at * step + (letter === 'I' ? 2.2 : 0)} 50 Td (${letter}) Tj ET`,
  ).join(' ')

const redact = async (content: string, search: object): Promise<{ read: string; verified: string | undefined }> => {
  const { file } = makeTrap({
    content,
    resources: pdf =>
      `/Font<</H ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')} 0 R>>`,
    media: '[0 0 600 300]',
  })
  const { bytes, headers } = await runOn('pdf-redaction', file, { search: [search] })
  const [read = ''] = await readPageTexts(bytes)
  return { read: read.replace(/[^A-Za-z]/g, ''), verified: headers['X-Redaction-Verified'] }
}

const word = { text: 'ORCHID', wholeWord: true, caseSensitive: true }

describe('a search for a whole word finds', () => {
  it.each([
    ['letters at equal steps', letters('KEPT ORCHID AFTER', 9)],
    ['letters at wide equal steps', letters('KEPT ORCHID AFTER', 14)],
    ['letters at equal steps in equal widths', letters('KEPT ORCHID AFTER', 9, '/F')],
    ['letters in the middle of cells', centered('KEPT ORCHID AFTER', 12)],
    ['a spaced word among others', narrow('[(KEPT )(O)-400(R)-400(C)-400(H)-400(I)-400(D)( AFTER)] TJ')],
    ['a spaced word beside a single letter', narrow('[(KEPT A )(O)-400(R)-400(C)-400(H)-400(I)-400(D)( B AFTER)] TJ')],
    ['wide kerning', narrow('[(KEPT OR)-180(CH)-200(ID AFTER)] TJ')],
    ['wider kerning', narrow('[(KEPT OR)-260(CHID AFTER)] TJ')],
    ['wide kerning beside word gaps', narrow('[(KEPT)-320(OR)-190(CHI)-190(D)-320(AFTER)] TJ')],
    ['wide kerning without another word', narrow('[(OR)-180(CH)-200(ID)] TJ')],
    ['narrow word gaps', narrow('[(KEPT)-130(ORCHID)-130(AFTER)] TJ')],
    ['narrow word gaps and wide kerning', narrow('[(KEPT)-180(OR)-180(CHID)-180(AFTER)] TJ')],
    [
      'narrow word gaps in spaced letters',
      narrow(
        `[${Array.from('KEPT ORCHID AFTER', letter => (letter === ' ' ? ' -120 ' : `(${letter})-250`)).join('')}] TJ`,
      ),
    ],
  ])('%s', async (_, content) => {
    const { read, verified } = await redact(content, word)
    expect(verified).toBe('true')
    expect(read).toContain('KEPT'.repeat(content.includes('KEP') || content.includes('(K)') ? 1 : 0))
    for (let at = 0; at < 4; at++) expect(read).not.toContain('ORCHID'.slice(at, at + 3))
    if (/AFTER|\(F\)/.test(content)) expect(read).toContain('AFTER')
  })
})

describe('a search keeps', () => {
  it.each([
    ['a longer word at equal steps', letters('THE ORCHIDS HERE', 9), word, 'ORCHIDS'],
    ['a longer word with usual kerning', narrow('[(THE ORC)-30(HIDS HERE)] TJ'), word, 'ORCHIDS'],
    ['letters of two words', narrow('[(THE)-280(CAR)-280(MAT)-280(HERE)] TJ'), { text: 'ARMA' }, 'CARMAT'],
    [
      'letters of two words in a tight line',
      narrow('[(AN)-200(OLD)-200(CAR)-200(MAT)-200(LIES)-205(HERE)] TJ'),
      { text: 'ARMA' },
      'CARMAT',
    ],
    ['letters of two words with blanks', narrow('(THE CAR MAT HERE) Tj'), { text: 'ARMA' }, 'CARMAT'],
  ])('%s', async (_, content, search, kept) => {
    const { read } = await redact(content, search)
    expect(read).toContain(kept)
  })
})
