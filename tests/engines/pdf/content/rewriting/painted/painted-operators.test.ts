import { describe, expect, it } from 'vitest'
import { readPageStream } from '../../../../../../engines/pdf/content/walk/content-stream'
import { StreamResources } from '../../../../../../engines/pdf/content/rewriting/stream-resources'
import { writePainted } from '../../../../../../engines/pdf/content/rewriting/painted/write-painted'
import { openDocument } from '../../../../../../engines/pdf/open'
import { makePage } from '../../../../../fixtures/images'
import { differing } from '../cropped'
import { renderPage } from '../../../../../support/reader'
import { LIMITS } from '../../../../../support/run-on'

const RESOURCES =
  '/ExtGState<</G<</CA .5/LW 9>>/N<</SMask/None>>>>/ColorSpace<</C[/Indexed/DeviceRGB 1<ff00000000ff>]>>' +
  '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>'

function rewrite(content: string): string {
  const document = openDocument(
    makePage(content, () => RESOURCES),
    LIMITS,
  )
  const [page] = document.pages
  if (!page) throw new Error('the file has no page')
  const stream = readPageStream(document, page)
  const written = writePainted(document, stream, new StreamResources(document, stream))
  return Buffer.from(written).toString('latin1').trim().replaceAll('\n', ' ')
}

const BAR = '0 0 9 9 re'

describe('rewritten content', () => {
  it.each([
    ['colors that paint nothing', `.1 g .2 g .3 0 0 rg 1 0 0 RG ${BAR} f`, `.3 0 0 rg ${BAR} f`],
    ['colors in a space of their own', `/C cs 0 sc 1 sc ${BAR} f 0 sc ${BAR} f`, `/C cs 1 sc ${BAR} f 0 sc ${BAR} f`],
    ['widths and dashes of fills', `4 w [3 1] 0 d 2 J 1 j ${BAR} f`, `${BAR} f`],
    ['the last width and dash of a line', `4 w [3 1] 0 d 5 w [1] 0 d ${BAR} S`, `5 w [1] 0 d ${BAR} S`],
    ['equal colors', `1 g ${BAR} f 1 g ${BAR} f`, `1 g ${BAR} f ${BAR} f`],
    ['states around nothing', `q 9 0 0 9 5 5 cm .5 g Q q q ${BAR} W n Q Q ${BAR} f`, `${BAR} f`],
    ['several matrices', `2 0 0 2 1 1 cm 1 0 0 1 3 4 cm ${BAR} f`, `2 0 0 2 7 9 cm ${BAR} f`],
    ['matrices that cancel each other', `7 0 0 7 3 3 cm .142857 0 0 .142857 -.428571 -.428571 cm ${BAR} f`, `${BAR} f`],
    ['a state that applies again', `1 g q .5 g ${BAR} f Q ${BAR} f`, `q .5 g ${BAR} f Q 1 g ${BAR} f`],
    ['a clip of something that is painted', `q ${BAR} W n 1 g ${BAR} f Q`, `q ${BAR} W n 1 g ${BAR} f Q`],
    ['repeated states', `q q 1 g Q ${BAR} f Q`, `q ${BAR} f Q`],
    [
      'moves without a text',
      'BT /F 9 Tf 1 2 Td 3 4 Td (a) Tj 5 0 Td 6 0 Td (b) Tj 7 0 Td ET',
      '/F 9 Tf BT 4 6 Td (a) Tj 11 0 Td (b) Tj ET',
    ],
    [
      'text matrices',
      'BT /F 9 Tf 2 0 0 2 1 1 Tm 3 0 0 3 9 9 Tm 1 1 Td (a) Tj ET',
      '/F 9 Tf BT 3 0 0 3 12 12 Tm (a) Tj ET',
    ],
    ['text objects without a text', 'BT /F 9 Tf 1 2 Td ET BT 3 4 Td (a) Tj ET', '/F 9 Tf BT 3 4 Td (a) Tj ET'],
    [
      'lines',
      'BT /F 9 Tf 12 TL 1 1 Td T* (a) \' 1 2 (b) " ET',
      '/F 9 Tf BT 1 -23 Td (a) Tj 1 Tw 2 Tc 0 -12 Td (b) Tj ET',
    ],
    ['operands beyond those of an operator', `8 6 1 0 1 rg 7 ${BAR} f`, `1 0 1 rg ${BAR} f`],
    ['numbers with more than a number', `1.5.86.101 w 9abc 0 m 1 1 l S`, '1.5 w 9 0 m 1 1 l S'],
    ['unknown operators', `BX 1 2 foo EX ${BAR} f`, `${BAR} f`],
    ['parameters', `/G gs /None gs 3 w ${BAR} S`, `/G gs 3 w ${BAR} S`],
    ['a width that parameters replace', `3 w /G gs ${BAR} S`, `/G gs ${BAR} S`],
    ['objects that are missing', `1 0 0 1 5 5 cm /X Do /Y sh ${BAR} f`, `1 0 0 1 5 5 cm ${BAR} f`],
    [
      'empty sequences',
      `/A BMC /B BMC EMC EMC /P <</MCID 3>> BDC ${BAR} f EMC /P <</MCID 4>> BDC EMC`,
      `/P <</MCID 3>> BDC ${BAR} f EMC /P <</MCID 4>> BDC EMC`,
    ],
    [
      'a sequence inside a text object',
      'BT /F 9 Tf /S BMC 1 1 Td (a) Tj EMC ET',
      '/F 9 Tf BT 1 1 Td /S BMC (a) Tj EMC ET',
    ],
    ['states that stay open', `q 1 g ${BAR} f`, `q 1 g ${BAR} f Q`],
    ['surplus Q', `Q Q ${BAR} f Q`, `${BAR} f`],
    ['an inline image', 'BI /W 1 %x\n/H 1 /BPC 8 /CS /G /Foo (x) ID a EI', 'BI /W 1 /H 1 /BPC 8 /CS /G ID a EI'],
    ['paths that end without paint', `1 1 m 2 2 l n ${BAR} f`, `${BAR} f`],
    ['hidden text', 'BT /F 9 Tf .4 g 3 Tr 1 1 Td (a) Tj ET', '/F 9 Tf 3 Tr BT 1 1 Td (a) Tj ET'],
  ])('has only what is painted of %s', (_, content, written) => {
    expect(rewrite(content)).toBe(written)
    expect(rewrite(written)).toBe(written)
  })

  it.each([
    `q 40 0 0 40 20 20 cm 1 0 0 rg 0 0 1 1 re f Q 10 w 0 0 1 RG 20 100 m 180 100 l S`,
    `0 1 0 rg q 30 30 60 60 re W n 1 0 0 1 20 0 cm 0 0 200 200 re f Q 100 100 50 50 re f`,
    `q 100 100 40 40 re 2 0 0 2 -100 -100 cm f Q BT /F 30 Tf 20 20 Td (ab) Tj q 1 0 0 rg 60 0 Td (c) Tj Q 0 40 Td (d) Tj ET`,
    `q BT /F 90 Tf 7 Tr 10 60 Td (XY) Tj ET 0 0 1 rg 0 0 200 200 re f Q 9 w /G gs 0 9 m 200 9 l S`,
    `/Pattern cs q q q 1 0 0 rg Q 10 10 50 50 re f Q 90 90 50 50 re B Q 2 w 5 5 190 190 re S`,
  ])('looks the same: %s', async content => {
    const [one, other] = await Promise.all(
      [content, rewrite(content)].map(async each =>
        renderPage(
          makePage(each, () => RESOURCES),
          0,
        ),
      ),
    )
    expect(one && other ? differing(one, other, 0) : 1).toBe(0)
  })
})
