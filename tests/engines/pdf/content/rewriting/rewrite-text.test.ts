import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../fixtures/images'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { readPageTexts } from '../../../../support/page-texts'
import { cropMiddle, differing, isBlank, strayPixels } from './cropped'

/** Fonts of every kind. Their widths avoid rounding of positions. */
function addFonts(pdf: PdfWriter): string {
  const courier = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold/Encoding/WinAnsiEncoding>>')
  const plain = pdf.add('<</Type/Font/Subtype/TrueType/BaseFont/Helvetica>>')
  const widths = pdf.add(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 65/LastChar 70/Widths[500 1000 250 750 500 ' +
      `500]/FontDescriptor ${pdf.add('<</Type/FontDescriptor/FontName/Helvetica/Flags 32/MissingWidth 400>>')} 0 R>>`,
  )
  const composite = (encoding: string, more: string): number => {
    const descriptor = pdf.add(
      '<</Type/FontDescriptor/FontName/Arial/Flags 32/FontBBox[0 -200 1000 900]/Ascent 900/Descent -200>>',
    )
    const cid = pdf.add(
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement ' +
        `0>>/FontDescriptor ${descriptor} 0 R${more}>>`,
    )
    return pdf.add(`<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding${encoding}/DescendantFonts[${cid} 0 R]>>`)
  }
  const mixed = pdf.addStream(
    '/Type/CMap/CMapName/Mixed',
    '1 begincodespacerange <00> <7f> endcodespacerange 1 begincodespacerange <8000> <ffff> endcodespacerange 1 ' +
      'begincidrange <00> <7f> 0 endcidrange 1 begincidchar <8041> 65 endcidchar',
  )
  const square = pdf.addStream('', '600 0 0 0 500 500 d1 0 0 500 500 re f')
  const drawn = pdf.add(
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[.002 0 0 .001 0 0]/CharProcs<</a ${square} 0 ` +
      'R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[600]/Resources<<>>>>',
  )
  const fonts = [
    ['C', courier],
    ['H', plain],
    ['W', widths],
    ['I', composite('/Identity-H', '/DW 700/W[65[500 600]70 80 400]')],
    ['V', composite('/Identity-V', '/DW2[880 -1100]/W2[65 70 -900 300 800]')],
    ['M', composite(` ${mixed} 0 R`, '/DW 600')],
    ['T', drawn],
  ]
  return `/Font<<${fonts.map(([name, ref]) => `/${name} ${ref} 0 R`).join('')}>>`
}

/** Text that begins outside, runs through the box and ends outside. */
const TEXTS: Record<string, string> = {
  'a plain run': 'BT /C 15 Tf 5 100 Td (ABCDEFGHIJKLMNOPQRSTU) Tj ET',
  'kerned pieces': 'BT /C 15 Tf 5 100 Td [(ABCD)-300(EFGH)200(IJ)-50(KLMNOPQRS)] TJ ET',
  'spacing of all kinds': 'BT /C 12 Tf 1.5 Tc 4 Tw 120 Tz 5 100 Td (A B C D E F G H I J K) Tj ET',
  'a run that goes on in another':
    'BT /C 15 Tf 5 100 Td (ABCDEF) Tj 3 Tc (GHI) Tj 0 Tc [(JKL)400] TJ (MNOPQRSTU) Tj ET',
  'lines by their operators':
    'BT /C 15 Tf 20 TL 5 130 Td (ABCDEFGHIJKLMNOPQRSTU) \' 2 1 (ABCDEFGHIJKLMNOPQRSTU) " T* ' +
    '(ABCDEFGHIJKLMNOPQRSTU) Tj ET',
  'turned and mirrored text': 'BT /C 14 Tf .8 .6 .6 -.8 10 60 Tm (ABCDEFGHIJKLMNOPQRSTU) Tj ET',
  'size by the matrix, raised': 'BT /C 1 Tf 15 0 0 15 5 90 Tm 0.5 Ts (ABCDEFGHIJKLMNOPQRSTU) Tj ET',
  'a standard font without widths': 'BT /H 15 Tf 5 100 Td (Standard widths of Helvetica) Tj ET',
  'widths of its own': 'BT /W 15 Tf 5 100 Td (ABCDEFABCDEFABCDEFABCDEF) Tj ET',
  'two bytes a glyph': 'BT /I 15 Tf 5 100 Td <00410042004600490050004100420041004100460041004200410042> Tj ET',
  'vertical text': 'BT /V 15 Tf 100 190 Td <00410042004300440045004600500051005200410042004300440045> Tj ET',
  'codes of two lengths': 'BT /M 15 Tf 5 100 Td <41804142804180418041414243804143444546478041> Tj ET',
  'drawn glyphs': 'BT /T 15 Tf 5 100 Td (aaaaaaaaaaaaaaaaaaa) Tj ET',
  escapes: 'BT /C 15 Tf 5 100 Td (\\(A\\)B\\\\C\\101\\\nD(E)FGHIJKLMNOP) Tj ET',
  'outlines, a clip and hidden text':
    'q BT /C 15 Tf 1 Tr 5 120 Td (ABCDEFGHIJKLMNOPQRSTU) Tj 3 Tr 0 -20 Td (HIDDENHIDDENHIDDENH) Tj 7 Tr 0 -20 Td ' +
    '(CLIPCLIPCLIPCLIPCLIPCLIP) Tj ET 0 0 200 200 re f Q',
  'text in a form': '/F Do',
}

function makeText(content: string): Buffer {
  return makePage(content, pdf => {
    const fonts = addFonts(pdf)
    const form = pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 400 400]/Matrix[.5 0 0 .5 0 0]/Resources<<${fonts}>>`,
      'BT /C 30 Tf 10 200 Td (ABCDEFGHIJKLMNOPQRSTU) Tj ET',
    )
    return `${fonts}/XObject<</F ${form} 0 R>>`
  })
}

describe('text that runs through the box', () => {
  for (const [name, content] of Object.entries(TEXTS)) {
    it(`${name}: remaining text keeps its position, and text outside is removed`, async () => {
      const { bytes, before, after, whole } = await cropMiddle(makeText(content))
      expect(isBlank(before)).toBe(false)
      expect(differing(before, after, 64)).toBeLessThan(0.004)
      expect(strayPixels(whole, 20)).toEqual([])
      // PDFium extracts hidden text too, at any position.
      const [all, left] = [(await readPageTexts(makeText(content))).join(''), (await readPageTexts(bytes)).join('')]
      expect(left.length).toBeLessThan(all.length)
    })
  }

  it('shows nothing behind a clip whose glyphs are all removed', async () => {
    const { before, after } = await cropMiddle(
      makeText('q BT /C 15 Tf 7 Tr 5 10 Td (CLIP) Tj ET 0 0 200 200 re f Q 80 80 5 5 re f'),
    )
    expect(isBlank(before)).toBe(false)
    expect(differing(before, after, 8)).toBe(0)
  })
})
