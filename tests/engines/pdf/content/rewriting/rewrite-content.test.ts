import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../fixtures/images'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { readPdf, renderPage } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { readSound, StrictPdf } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'
import { cropMiddle, differing, isBlank, strayPixels } from './cropped'

const BOX = { x: 50, y: 50, width: 100, height: 100 }

/** Two pages of 200 × 200 with entries of their own and of the page tree node above them. */
function makePages(make: (pdf: PdfWriter) => { pages: [string, string]; node?: string; catalog?: string }): Buffer {
  const pdf = new PdfWriter()
  const root = pdf.reserve()
  const node = pdf.reserve()
  const { pages, node: shared = '', catalog = '' } = make(pdf)
  const kids = pages.map(entries => pdf.add(`<</Type/Page/Parent ${node} 0 R/MediaBox[0 0 200 200]${entries}>>`))
  pdf.set(node, `<</Type/Pages/Kids[${kids.map(kid => `${kid} 0 R`).join(' ')}]/Count 2${shared}>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${node} 0 R${catalog}>>`)
  return pdf.write({ root })
}

const addFont = (pdf: PdfWriter): string =>
  `/Font<</F ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier>>')} 0 R>>`
const say = (word: string, x: number, y: number): string => `BT /F 10 Tf ${x} ${y} Td (${word}) Tj ET`

describe('content that pages share', () => {
  it('removes images from resources that the page tree holds for all pages', async () => {
    const file = makePages(pdf => {
      const image = (word: string): number =>
        pdf.addStream('/Type/XObject/Subtype/Image/Width 10/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8', word)
      const contents = ['A', 'B'].map(
        name => `/Contents ${pdf.addStream('', `q 10 0 0 10 5 5 cm /${name} Do Q 0 0 200 200 re f`)} 0 R`,
      )
      return {
        pages: [contents[0] ?? '', contents[1] ?? ''],
        node: `/Resources<</XObject<</A ${image('FirstWords')} 0 R/B ${image('OtherWords')} 0 R>>>>`,
      }
    })
    const all = await runOn('crop-pdf', file, { cropBox: BOX, mode: 'remove' })
    expect(findTraces(all.bytes, ['FirstWords', 'OtherWords'])).toEqual([])
    // A page that isn't cropped keeps its image, and no other image.
    const first = await runOn('crop-pdf', file, { cropBox: BOX, mode: 'remove', pages: [1] })
    expect(findTraces(first.bytes, ['FirstWords', 'OtherWords'])).toEqual(['OtherWords'])
    expect(differing(await renderPage(file, 1), await renderPage(first.bytes, 1), 0)).toBe(0)
  })

  it('leaves a form XObject unchanged for the page that is not cropped', async () => {
    const file = makePages(pdf => {
      const form = pdf.addStream(
        `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<${addFont(pdf)}>>`,
        `${say('Outside', 5, 5)} ${say('Inside', 80, 80)}`,
      )
      const page = `/Resources<</XObject<</X ${form} 0 R>>>>/Contents ${pdf.addStream('', '/X Do')} 0 R`
      return { pages: [page, page] }
    })
    const { bytes } = await runOn('crop-pdf', file, { cropBox: BOX, mode: 'remove', pages: [2] })
    expect((await readPdf(bytes)).pages.map(page => page.text.trim().split(/\s+/))).toEqual([
      ['Outside', 'Inside'],
      ['Inside'],
    ])
    expect(differing(await renderPage(file, 0), await renderPage(bytes, 0), 0)).toBe(0)
  })

  it('rewrites content once for pages that share it', async () => {
    const file = makePages(pdf => {
      const contents = pdf.addStream('', `${say('Outside', 5, 5)} ${say('Inside', 80, 80)}`)
      const page = `/Resources ${pdf.add(`<<${addFont(pdf)}>>`)} 0 R/Contents ${contents} 0 R`
      return { pages: [page, page] }
    })
    const { bytes } = await runOn('crop-pdf', file, { cropBox: BOX, mode: 'remove' })
    const strict = new StrictPdf(bytes)
    const [one, other] = strict.pages.map(page => page.dict.get('Contents'))
    expect(one).toEqual(other)
    expect(findTraces(bytes, ['Outside'])).toEqual([])
  })
})

describe('form XObjects', () => {
  it('draws a form XObject in two places, each with the content visible there', async () => {
    const file = makePage('q 1 0 0 1 0 0 cm /X Do Q q 1 0 0 1 -60 0 cm /X Do Q', pdf => {
      const form = pdf.addStream(
        '/Type/XObject/Subtype/Form/BBox[0 0 400 200]',
        '1 0 0 rg 20 90 10 10 re f 0 g 100 90 10 10 re f 0 0 1 rg 170 100 10 10 re f',
      )
      return `/XObject<</X ${form} 0 R>>`
    })
    const { before, after, whole } = await cropMiddle(file)
    expect(isBlank(before)).toBe(false)
    expect(differing(before, after, 0)).toBe(0)
    expect(strayPixels(whole, 4)).toEqual([])
  })

  it('uses the resources of the page for a form XObject that has none', async () => {
    const file = makePage('/X Do', pdf => {
      const form = pdf.addStream(
        '/Type/XObject/Subtype/Form/BBox[0 0 200 200]',
        `${say('SecretOne', 0, 10)} ${say('Here', 80, 80)}`,
      )
      return `${addFont(pdf)}/XObject<</X ${form} 0 R>>`
    })
    const { before, after, bytes } = await cropMiddle(file)
    expect(isBlank(before)).toBe(false)
    expect(differing(before, after, 0)).toBe(0)
    expect(findTraces(bytes, ['SecretOne'])).toEqual([])
  })

  it('does not follow a form XObject into itself', async () => {
    const file = makePage('/X Do', pdf => {
      const form = pdf.reserve()
      pdf.set(form, {
        dictionary: `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<${addFont(pdf)}/XObject<</X ${form} 0 R>>>>`,
        data: Buffer.from(`${say('SecretTwo', 0, 10)} /X Do ${say('Here', 80, 80)}`),
      })
      return `/XObject<</X ${form} 0 R>>`
    })
    const { after, bytes } = await cropMiddle(file)
    expect(isBlank(after)).toBe(false)
    expect(findTraces(bytes, ['SecretTwo'])).toEqual([])
  })

  it('cuts an image that a form takes from the resources of its page', async () => {
    const file = makePage('q 20 0 0 20 170 170 cm /I Do Q /X Do', pdf => {
      const content = 'q 60 0 0 60 20 20 cm /I Do Q'
      const form = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<>>', content)
      const image = '/Type/XObject/Subtype/Image/Width 10/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8'
      return `/XObject<</X ${form} 0 R/I ${pdf.addStream(image, Buffer.alloc(10, 40))} 0 R>>`
    })
    const corner = { page: 1, x: 30, width: 30, height: 30 }
    const areas = [40, 130].map(y => ({ ...corner, y }))
    const { bytes } = await runOn('pdf-redaction', file, { areas })
    expect(findTraces(bytes, ['170 170 cm\n/I Do', '20 20 cm\n/I Do'])).toEqual(['170 170 cm\n/I Do'])
  })

  it('refuses endlessly nested form XObjects', async () => {
    const deep = makePage('/X Do', pdf => {
      let form = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 200 200]', '0 0 200 200 re f')
      for (let level = 0; level < 120; level++)
        form = pdf.addStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</XObject<</X ${form} 0 R>>>>`,
          '/X Do',
        )
      return `/XObject<</X ${form} 0 R>>`
    })
    await expect(runOn('crop-pdf', deep, { cropBox: BOX, mode: 'remove' })).rejects.toThrow(
      'nests more than 100 content streams',
    )
    // Each form XObject draws the next one in two places: 2 to the power of 24 drawings.
    const wide = makePage('/X Do', pdf => {
      let form = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 200 200]', '0 0 200 200 re f')
      for (let level = 0; level < 24; level++)
        form = pdf.addStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</XObject<</X ${form} 0 R>>>>`,
          `q .9 0 0 1 0 0 cm /X Do Q q .8 0 0 1 ${level} 0 cm /X Do Q`,
        )
      return `/XObject<</X ${form} 0 R>>`
    })
    await expect(
      runOn('crop-pdf', wide, { cropBox: BOX, mode: 'remove' }, { maxInflateBytes: 1_000_000 }),
    ).rejects.toThrow('more than 1,000,000 bytes')
  })
})

describe('marked content', () => {
  it('removes structure elements whose content was removed, with their alternate text', async () => {
    const file = makePages(pdf => {
      const [tree, part] = [pdf.reserve(), pdf.reserve()]
      const element = (more: string): number => pdf.add(`<</Type/StructElem/S/P/P ${part} 0 R${more}>>`)
      const contents = pdf.addStream(
        '',
        `/P<</MCID 0>>BDC ${say('Far', 5, 5)} EMC /P<</MCID 1>>BDC ${say('Far', 5, 30)} ${say('Near', 80, 80)} EMC ` +
          `/P<</MCID 2>>BDC ${say('Near', 80, 60)} EMC`,
      )
      // Pages come after the structure tree, so their numbers are known.
      const page = contents + 4
      const gone = element(`/Pg ${page} 0 R/K[0]/ActualText(GoneText)`)
      const partly = element(`/Pg ${page} 0 R/K 1/Alt(PartText)`)
      const stays = element(`/Pg ${page} 0 R/K[<</Type/MCR/MCID 2>>]/Alt(KeptText)`)
      pdf.set(part, `<</Type/StructElem/S/Sect/P ${tree} 0 R/K[${gone} 0 R ${partly} 0 R ${stays} 0 R]>>`)
      pdf.set(
        tree,
        `<</Type/StructTreeRoot/K ${part} 0 R/ParentTree<</Nums[0[${gone} 0 R ${partly} 0 R ${stays} 0 R]]>>>>`,
      )
      const resources = `/Resources<<${addFont(pdf)}>>`
      return {
        pages: [`/StructParents 0${resources}/Contents ${contents} 0 R`, resources],
        catalog: `/StructTreeRoot ${tree} 0 R/MarkInfo<</Marked true>>`,
      }
    })
    expect(findTraces(file, ['GoneText', 'PartText', 'KeptText'])).toHaveLength(3)
    const { bytes } = await runOn('crop-pdf', file, { cropBox: BOX, mode: 'remove' })
    readSound(bytes)
    expect(findTraces(bytes, ['GoneText', 'PartText', 'KeptText'])).toEqual(['KeptText'])
  })
})

describe('invalid content streams', () => {
  const odd: Record<string, string> = {
    'operators that nobody knows': `1 2 (x) FooBar >> ] ${say('SecretOdd', 0, 10)} /a /b } ${say('Here', 80, 80)}`,
    'an inline image whose data hold its end mark': `q 20 0 0 20 5 5 cm BI /W 5 /H 4 /CS /G /BPC 8 ID ab EI cd EI SecretEI EI Q ${say('SecretOdd', 0, 10)} ${say('Here', 80, 80)}`,
    'more Q than q': `Q Q q Q Q 1 0 0 1 0 0 cm ${say('SecretOdd', 0, 10)} ${say('Here', 80, 80)} Q`,
    'text outside of a text object': `/F 10 Tf 0 10 Td (SecretOdd) Tj ${say('Here', 80, 80)}`,
    'marked content without end': `/P <</ActualText(SecretOdd)>> BDC ${say('x', 5, 5)} EMC EMC ${say('Here', 80, 80)} /Q BMC`,
  }
  for (const [name, content] of Object.entries(odd)) {
    it(name, async () => {
      const { before, after, bytes } = await cropMiddle(makePage(content, addFont))
      expect(isBlank(before)).toBe(false)
      expect(differing(before, after, 0)).toBe(0)
      expect(findTraces(bytes, ['SecretOdd', 'SecretEI'])).toEqual([])
    })
  }
})
