import { describe, expect, it } from 'vitest'
import type { ProfileId } from '../../../engines/standards/conformance/examination/profiles'
import { Draft, numbered } from '../../fixtures/draft'
import { makePage } from '../../fixtures/images'
import { compareImages } from '../../support/compare-images'
import { iccProfile } from '../standards/conformance/graphics/small-pdf'
import { listBrokenRules, validateFile } from '../../support/conformance'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'

async function convert(
  file: Uint8Array,
  profile: ProfileId = 'pdfa-2b',
): Promise<{ bytes: Buffer; warnings: string[] }> {
  const { bytes, warnings } = await runOn('convert-to-pdfa', file, { profile })
  expect(new StrictPdf(bytes).problems).toEqual([])
  expect(validateFile(bytes, profile)).toMatchObject({ conforms: true, failures: [], undecided: [] })
  return { bytes, warnings }
}

describe('convert-to-pdfa', () => {
  it.each(['pdfa-1b', 'pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u'] as const)('converts text to %s', async profile => {
    const { bytes, warnings } = await convert(numbered({ pages: 2 }), profile)
    expect(warnings).toEqual(['font-substituted'])
    const { pages } = await readPdf(bytes)
    expect(pages.map(({ text }) => text)).toEqual([
      expect.stringContaining('PAGE 1 OF 2'),
      expect.stringContaining('PAGE 2 OF 2'),
    ])
  })

  it('writes an object stream file as a plain one for PDF/A-1', async () => {
    const { bytes } = await convert(numbered({ pages: 2, layout: 'streams' }), 'pdfa-1b')
    expect(bytes.includes('/ObjStm')).toBe(false)
    expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.4')
  })

  it('keeps the pixels of a page without text', async () => {
    const draft = new Draft({ pages: 1 })
    draft.page(1).content.splice(0, 1, '0.2 0.4 0.6 rg 100 100 300 200 re f 0.5 G 4 w 50 50 m 500 700 l S')
    const file = draft.write()
    const { bytes } = await convert(file)
    const [before, after] = await Promise.all([renderPage(file, 0), renderPage(bytes, 0)])
    expect(after.pixels.equals(before.pixels)).toBe(true)
  })

  it('removes scripts and keeps links', async () => {
    const draft = new Draft({ pages: 2 })
    draft.catalog.push('/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>')
    draft.names.push('/JavaScript<</Names[(a)<</S/JavaScript/JS(1)>>]>>')
    draft
      .page(1)
      .annotations.push(
        '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<</S/URI/URI(https://example.com/)>>>>',
        '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<</S/Launch/F(a.exe)>>>>',
      )
    const { bytes, warnings } = await convert(draft.write())
    expect(warnings).toContain('active-content-removed')
    const { scripts, pages } = await readPdf(bytes)
    expect(scripts).toEqual([])
    expect(pages[0]?.links).toEqual([{ uri: 'https://example.com/' }, {}])
  })

  it('removes annotations that are hidden or forbidden', async () => {
    const draft = new Draft({ pages: 1 })
    const form = draft.pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>', '0 0 9 9 re f')
    draft
      .page(1)
      .annotations.push(
        `<</Type/Annot/Subtype/Stamp/Rect[1 1 9 9]/F 2/AP<</N ${form} 0 R>>>>`,
        '<</Type/Annot/Subtype/Movie/Rect[1 1 9 9]>>',
        `<</Type/Annot/Subtype/Stamp/Rect[1 1 9 9]/AP<</N ${form} 0 R/D ${form} 0 R>>>>`,
      )
    const { bytes, warnings } = await convert(draft.write())
    expect(warnings).toContain('annotation-dropped')
    expect((await readPdf(bytes)).pages[0]?.annotationCount).toBe(1)
  })

  it.each([
    ['only CMYK', '0 .8 .9 .1 k 20 20 80 80 re f .4 g 110 20 80 80 re f', '', '/N 4'],
    ['CMYK beside RGB', '0 .8 .9 .1 k 20 20 80 80 re f 1 0 0 rg 110 20 80 80 re f', '', '/DefaultCMYK'],
    ['CMYK with overprinting', '/G gs 0 .8 .9 .1 k 20 20 80 80 re f 1 0 0 rg 110 20 80 80 re f', '/OPM 1', '/OPM 0'],
    ['spot colors beside RGB', '/S cs 1 scn 20 20 80 80 re f 1 0 0 rg 110 20 80 80 re f', '', '/DefaultCMYK'],
  ])('defines %s', async (_name, content, state, expected) => {
    const tint = '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .8 .9 .1]/N 1>>'
    const file = makePage(
      content,
      () => `/ExtGState<</G<</OP true/op true${state}>>>>/ColorSpace<</S[/Separation/Spot/DeviceCMYK${tint}]>>`,
    )
    const { bytes } = await convert(file)
    expect(bytes.toString('latin1').replaceAll('\n', ' ')).toContain(expected)
    const [before, after] = await Promise.all([renderPage(file, 0), renderPage(bytes, 0)])
    expect(compareImages(before, after)).toBeLessThan(0.02)
  })

  it('uses the CMYK profile of a PDF/X output intent', async () => {
    const draft = new Draft({ pages: 1 })
    draft.page(1).content.splice(0, 1, '0 .8 .9 .1 k 20 20 80 80 re f')
    const profile = draft.pdf.addStream('/N 4', iccProfile('CMYK', { kind: 'prtr' }))
    draft.catalog.push(`/OutputIntents[<</S/GTS_PDFX/OutputConditionIdentifier(X)/DestOutputProfile ${profile} 0 R>>]`)
    const text = (await convert(draft.write())).bytes.toString('latin1')
    expect(text).toContain('/GTS_PDFX')
    expect(text.match(/\/N 4/g)).toHaveLength(1)
  })

  it('writes names of fonts, colorants and structure types in UTF-8', async () => {
    const file = makePage('/S cs 1 scn 9 9 9 9 re f BT /F 9 Tf (A) Tj ET', pdf => {
      const tint = '<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>'
      const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica#e9/Encoding/WinAnsiEncoding>>')
      return `/Font<</F ${font} 0 R>>/ColorSpace<</S[/Separation/Gr#fcn/DeviceGray${tint}]>>`
    })
    expect(listBrokenRules(file, 'pdfa-2b')).toContain('6.1.8-1')
    const { bytes } = await convert(file)
    expect(bytes.toString('latin1')).toContain('/Gr#C3#BCn')
  })

  it('replaces a missing font with an unknown name by one of the same widths', async () => {
    const draft = new Draft({ pages: 1 })
    const widths = '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556'
    draft.pdf.set(
      draft.font,
      `<</Type/Font/Subtype/Type1/BaseFont/Abc/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 55/Widths[${widths}]>>`,
    )
    draft.page(1).content.splice(0, 1, 'BT /F1 20 Tf 50 700 Td (1234) Tj ET')
    const { warnings } = await convert(draft.write())
    expect(warnings).toContain('font-substituted')
  })

  it('keeps attached files in PDF/A-3, and refuses them in PDF/A-2 or removes them', async () => {
    const draft = new Draft({ pages: 1 })
    const data = draft.pdf.addStream('/Type/EmbeddedFile', 'a,b')
    draft.names.push(`/EmbeddedFiles<</Names[(a.csv)<</Type/Filespec/F(a.csv)/EF<</F ${data} 0 R>>>>]>>`)
    const { bytes } = await convert(draft.write(), 'pdfa-3b')
    const [attachment] = (await readPdf(bytes)).attachments
    expect(attachment?.name).toBe('a.csv')
    const { bytes: without } = await runOn('convert-to-pdfa', draft.write(), { attachments: 'remove' })
    expect(validateFile(without, 'pdfa-2b').conforms).toBe(true)
    expect((await readPdf(without)).attachments).toEqual([])
    await expect(convert(draft.write(), 'pdfa-2b')).rejects.toMatchObject({
      reason: 'not_conforming',
      message: expect.stringContaining('set profile to pdfa-3b'),
      problems: [{ message: expect.stringContaining('6.8-5') }],
    })
  })

  it('refuses a file with a font that is missing and has no substitute, and names the rule', async () => {
    const draft = new Draft({ pages: 1 })
    draft.pdf.set(draft.font, '<</Type/Font/Subtype/Type1/BaseFont/Optima/Encoding/WinAnsiEncoding>>')
    await expect(convert(draft.write())).rejects.toMatchObject({
      reason: 'not_conforming',
      message: expect.stringContaining("can't be converted to PDF/A-2b"),
      problems: expect.arrayContaining([{ rule: '6.2.11.4.1-1', message: expect.stringContaining('6.2.11.4.1-1') }]),
    })
  })

  it('gives glyphs of Type 3 fonts the resources that they take from the page', async () => {
    const file = makePage('BT /F 40 Tf 20 20 Td (a) Tj ET', pdf => {
      const glyph = pdf.addStream('', '1000 0 d0 /C cs 1 0 0 sc 0 0 800 800 re f')
      const font = pdf.add(
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 97' +
          `/Widths[1000]/Encoding<</Differences[97/a]>>/CharProcs<</a ${glyph} 0 R>>>>`,
      )
      return `/Font<</F ${font} 0 R>>/ColorSpace<</C[/CalRGB<</WhitePoint[.9505 1 1.089]>>]>>`
    })
    expect(JSON.stringify(validateFile(file, 'pdfa-2b'))).toContain('"clause":"6.2.2"')
    const { bytes } = await convert(file)
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBeLessThan(0.001)
  })

  it('keeps the title, the author and custom properties', async () => {
    const draft = new Draft({ pages: 1 })
    draft.trailer.push(`/Info ${draft.pdf.add('<</Title(Report)/Author(Jo)/Department(Sales)>>')} 0 R`)
    const { bytes } = await convert(draft.write())
    expect((await readPdf(bytes)).title).toBe('Report')
    expect(bytes.toString('latin1')).toContain('<pdfx:Department>Sales</pdfx:Department>')
  })

  it('writes the same bytes for the same file', async () => {
    const [one, other] = [await convert(numbered()), await convert(numbered())]
    expect(one.bytes.equals(other.bytes)).toBe(true)
  })
})
