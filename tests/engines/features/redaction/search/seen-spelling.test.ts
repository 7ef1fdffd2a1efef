import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findHiddenMatches } from '../../../../../engines/features/redaction/residue/hidden-matches'
import { openRules } from '../../../../../engines/features/redaction/search-rules/rule'
import { readingsOf } from '../../../../../engines/features/redaction/matching/readings'
import { openDocument } from '../../../../../engines/pdf/open'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { makeTrap } from '../../../../fixtures/traps'
import { readPdf } from '../../../../support/reader'
import { LIMITS, runOn } from '../../../../support/run-on'

/** Returns whether a rule with a text matches a page text. */
function matches(page: string, text: string): boolean {
  const [rule] = openRules([{ text, caseSensitive: false, wholeWord: false }], 1)
  return readingsOf(Array.from(page)).some(({ searched }) => (rule?.find(searched).length ?? 0) > 0)
}

describe('text as a person sees it', () => {
  it.each([
    ['\u2ed1谷川', '長谷川'],
    ['\u2f45角', '方角'],
    ['\u2ee8\u5b50', '麦子'],
    ['ि\u0915शन', 'किशन'],
    ['\u093fसन\u094d\u0939', 'सिन\u094d\u0939'],
    ['\u093fस\u094dथर', 'स\u094dथिर'],
    ['\u09c7\u0995\u09be\u099a', '\u0995\u09cb\u099a'],
    ['\u0bc6\u0b95\u0bbe\u0b9f', '\u0b95\u0bca\u0b9f'],
    ['Quor¬\nvale', 'Quorvale'],
  ])('%j matches %j', (page, text) => {
    expect(matches(page, text)).toBe(true)
  })

  const onCurve = (at: (index: number) => string): string =>
    Array.from('Quorvale', (letter, index) => `BT /F 18 Tf ${at(index)} Tm (${letter}) Tj ET`).join('\n')
  const turned = (degrees: number): string => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    return `${cos.toFixed(4)} ${sin.toFixed(4)} ${(-sin).toFixed(4)} ${cos.toFixed(4)}`
  }
  const place = (index: number): string => {
    const angle = ((60 - 5 * index) * Math.PI) / 180
    return `${(200 - 136 * Math.sin(angle)).toFixed(2)} ${(20 + 136 * Math.cos(angle)).toFixed(2)}`
  }

  it.each([
    ['an arc', onCurve(index => `${turned(60 - 5 * index)} ${place(index)}`)],
    ['stairs', onCurve(index => `1 0 0 1 ${40 + 10.8 * index} ${60 + 9 * index}`)],
  ])('goes from %s of letters', async (_, content) => {
    const { bytes, headers } = await runOn('pdf-redaction', makeTrap({ content }).file, {
      search: [{ text: 'Quorvale' }],
    })
    expect(headers['X-Redactions-Applied']).toBe('1')
    const [page] = (await readPdf(bytes)).pages
    expect(page?.text.replace(/\s/g, '')).toBe('BESIDE')
  })

  it('goes from two pages with a footnote between its words', async () => {
    const pdf = new PdfWriter()
    const [root, pages] = [pdf.reserve(), pdf.reserve()]
    const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')
    const texts = [
      '/F 12 Tf 30 70 Td (signed by Quorvale) Tj /F 8 Tf 0 -30 Td (1 a footnote) Tj',
      '/F 12 Tf 30 250 Td (Oldfield and more) Tj',
    ]
    const kids = texts.map(text =>
      pdf.add(
        `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F ${font} 0 R>>>>` +
          `/Contents ${pdf.addStream('', `BT ${text} ET`)} 0 R>>`,
      ),
    )
    pdf.set(pages, `<</Type/Pages/Kids[${kids.map(kid => `${kid} 0 R`).join(' ')}]/Count 2>>`)
    pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R>>`)
    const { bytes } = await runOn('pdf-redaction', pdf.write({ root }), { search: [{ text: 'Quorvale Oldfield' }] })
    const text = (await readPdf(bytes)).pages.map(page => page.text).join(' ')
    expect(text).toContain('footnote')
    expect(text).not.toMatch(/Quorvale|Oldfield/)
  })
})

describe('hidden data', () => {
  const find = (data: Buffer, search: object): number => {
    const { file } = makeTrap({ catalog: pdf => `/Private ${pdf.addStream('', data)} 0 R` })
    const document = openDocument(file, LIMITS)
    const rules = openRules([{ caseSensitive: false, wholeWord: false, ...search }], 1)
    expect(findHiddenMatches(document, rules)).toEqual([])
    return [...(rules[0]?.removedTexts.texts ?? [])].length
  }

  it.each([
    ['behind a million characters', Buffer.from(`${'x y '.repeat(300_000)}Quorvale1234`)],
    ['in hexadecimal', Buffer.from(`<${Buffer.from('Quorvale1234 and more').toString('hex')}>`)],
    ['in UTF-16 without a mark', Buffer.from('Quorvale1234', 'utf16le')],
    ['in binary data', Buffer.concat([Buffer.alloc(64, 1), Buffer.from('Quorvale1234'), Buffer.alloc(64, 255)])],
  ])('is searched for an expression %s', (_, data) => {
    expect(find(data, { regex: 'Quorvale\\d{4}' })).toBe(1)
  })

  it('behind the end of encoded data goes without becoming a term', async () => {
    const encoded = Buffer.concat([deflateSync('BT ET'), Buffer.from(' jo@quorvale.test ')])
    const { file } = makeTrap({
      content: '/X Do BT /F 15 Tf 60 100 Td (jo@) Tj ET',
      resources: pdf =>
        `/XObject<</X ${pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode', encoded)} 0 R>>`,
    })
    const rules = openRules([{ preset: 'email', caseSensitive: false, wholeWord: false }], 1)
    findHiddenMatches(openDocument(file, LIMITS), rules)
    expect([...(rules[0]?.removedTexts.texts ?? [])]).toEqual([])
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ preset: 'email' }] })
    expect(Buffer.from(bytes).includes('quorvale')).toBe(false)
  })

  it('has no matches by chance', () => {
    const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => 128 + ((index * 73) % 120)))
    expect(
      find(Buffer.concat([noise, Buffer.from('\xc8a@b.\xc9d', 'latin1'), noise, Buffer.from([1])]), {
        preset: 'email',
      }),
    ).toBe(0)
  })
})

describe('attached text files', () => {
  it.each([
    ['<p>&#81;uorvale</p>', 'Quorvale'],
    ['<p>Quor<b>vale</b></p>', 'Quorvale'],
    ['{"name":"\\u0051uorvale"}', 'Quorvale'],
    ['name=%51uorvale', 'Quorvale'],
    [Buffer.from('926a924a90ec', 'hex'), '谷川'],
  ])('are not verified with %s', async (data, text) => {
    const { file } = makeTrap({
      catalog: pdf => {
        const stream = pdf.addStream('/Type/EmbeddedFile', data)
        const spec = pdf.add(`<</Type/Filespec/F(a.txt)/EF<</F ${stream} 0 R>>>>`)
        return `/Names<</EmbeddedFiles<</Names[(a.txt)${spec} 0 R]>>>>`
      },
    })
    const verified = async (search: object): Promise<unknown> =>
      (await runOn('pdf-redaction', file, { search: [search] })).headers['X-Redaction-Verified']
    expect(await verified({ text })).toBe('false')
    expect(await verified({ text: 'Elsewhere' })).toBe('true')
  })
})
