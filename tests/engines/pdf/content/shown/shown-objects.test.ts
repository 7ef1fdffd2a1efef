import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../fixtures/draft'
import { runOn } from '../../../../support/run-on'
import { findTraces } from '../../../../support/traces'

const PIXELS = 'SECRETPIXELS'
const TEXT = 'SECRETTEXT'

interface Shared {
  draft: Draft
  image: number
  form: number
}

/** A file whose page 1 draws an image and a form XObject, and whose page 2 draws neither. */
function makeShared(change: (shared: Shared) => void): Buffer {
  const draft = new Draft({ pages: 2 })
  const { pdf } = draft
  const image = pdf.addStream(
    '/Type/XObject/Subtype/Image/Width 40/Height 40/ColorSpace/DeviceGray/BitsPerComponent 8',
    PIXELS.repeat(134).slice(0, 1600),
  )
  const form = pdf.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<</Font<</F ${draft.font} 0 R>>>>`,
    `BT /F 20 Tf 50 150 Td (${TEXT}) Tj ET`,
  )
  const page = draft.page(1)
  page.content.push('q 100 0 0 100 50 50 cm /I Do Q /X Do')
  page.resources = `/XObject<</I ${image} 0 R/X ${form} 0 R>>`
  change({ draft, image, form })
  return draft.write()
}

async function findLeft(file: Buffer): Promise<string[]> {
  const areas = [{ page: 1, x: 0, y: 0, width: 612, height: 792 }]
  const { bytes, headers } = await runOn('pdf-redaction', file, { areas })
  expect(headers['X-Redaction-Verified']).toBe('true')
  return findTraces(bytes, [PIXELS, TEXT])
}

describe('redaction of an area removes an image and a form that', () => {
  it.each<[string, (shared: Shared) => void]>([
    ['nothing else refers to', () => undefined],
    [
      'another page lists among its resources',
      ({ draft, image, form }) => (draft.page(2).resources = `/XObject<</I ${image} 0 R/X ${form} 0 R>>`),
    ],
    [
      'another page has under the name of a font and in a string',
      ({ draft, image, form }) => {
        draft.page(2).resources = `/XObject<</F1 ${image} 0 R/X ${form} 0 R>>`
        draft.page(2).content.push('BT (/X Do) Tj ET')
      },
    ],
    [
      'an unused graphics state of another page has',
      ({ draft, image, form }) =>
        (draft.page(2).resources = `/ExtGState<</G<</SMask<</S/Alpha/G ${form} 0 R>>>>>>/XObject<</I ${image} 0 R>>`),
    ],
    ['private data has', ({ draft, image, form }) => draft.catalog.push(`/Own<</A ${image} 0 R/B[${form} 0 R]>>`)],
    [
      'its page has under another key',
      ({ draft, image, form }) => draft.page(1).entries.push(`/OwnA ${image} 0 R/OwnB ${form} 0 R`),
    ],
    [
      'an annotation has under an own key',
      ({ draft, image, form }) =>
        draft
          .page(2)
          .annotations.push(`<</Type/Annot/Subtype/Square/Rect[9 9 30 30]/OwnA ${image} 0 R/OwnB ${form} 0 R>>`),
    ],
    [
      'the structure tree has, and another page among its resources',
      ({ draft, image, form }) => {
        const { pdf } = draft
        const [root, element] = [pdf.reserve(), pdf.reserve()]
        const page = `/Pg ${draft.page(1).ref} 0 R`
        pdf.set(root, `<</Type/StructTreeRoot/K ${element} 0 R>>`)
        pdf.set(
          element,
          `<</Type/StructElem/S/Figure/P ${root} 0 R/K[<</Type/OBJR${page}/Obj ${image} 0 R>>` +
            `<</Type/MCR${page}/Stm ${form} 0 R/MCID 0>>]>>`,
        )
        draft.catalog.push(`/StructTreeRoot ${root} 0 R`)
        draft.page(2).resources = `/XObject<</I ${image} 0 R/X ${form} 0 R>>`
      },
    ],
    [
      'a captured web page has',
      ({ draft, image, form }) =>
        draft.names.push(`/IDS<</Names[(id)<</S/SIS/ID(id)/O[${image} 0 R ${form} 0 R]/R[1 1]>>]>>`),
    ],
  ])('%s', async (_, change) => {
    const file = makeShared(change)
    expect(findTraces(file, [PIXELS, TEXT])).toEqual([PIXELS, TEXT])
    expect(await findLeft(file)).toEqual([])
  })
})

describe('redaction of an area keeps an image and a form that', () => {
  it.each<[string, (shared: Shared) => void]>([
    [
      'another page draws',
      ({ draft, image, form }) => {
        draft.page(2).resources = `/XObject<</I ${image} 0 R/X ${form} 0 R>>`
        draft.page(2).content.push('/I Do', '/X', 'Do')
      },
    ],
    [
      'a form of another page draws',
      ({ draft, image, form }) => {
        const outer = draft.pdf.addStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<</XObject<</I ${image} 0 R/X ${form} 0 R>>>>`,
          '/I Do /X Do',
        )
        draft.page(2).resources = `/XObject<</O ${outer} 0 R>>`
        draft.page(2).content.push('/O Do')
      },
    ],
    [
      'a pattern of another page draws',
      ({ draft, image, form }) => {
        const pattern = draft.pdf.addStream(
          '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 90 90]/XStep 90/YStep 90' +
            `/Resources<</XObject<</I ${image} 0 R/X ${form} 0 R>>>>`,
          '/I Do /X Do',
        )
        draft.page(2).resources = `/Pattern<</P ${pattern} 0 R>>`
        draft.page(2).content.push('/Pattern cs /P scn 0 0 90 90 re f')
      },
    ],
    [
      'an annotation of another page shows',
      ({ draft, image, form }) => {
        const look = draft.pdf.addStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<</XObject<</I ${image} 0 R>>>>`,
          '/I Do',
        )
        draft
          .page(2)
          .annotations.push(`<</Type/Annot/Subtype/Stamp/Rect[9 9 30 30]/AP<</N ${look} 0 R/D<</On ${form} 0 R>>>>>>`)
      },
    ],
  ])('%s', async (_, change) => {
    expect(await findLeft(makeShared(change))).toEqual([PIXELS, TEXT])
  })
})

describe('redaction of an area', () => {
  const text = `BT /F1 20 Tf 50 150 Td (${TEXT}) Tj ET`
  const empty = 'BT ET'

  /** A file whose private data refers to the content of page 1. */
  const makeContent = (isShared: boolean): Buffer => {
    const draft = new Draft({ pages: 2 })
    const content = draft.pdf.addStream('', text)
    draft.catalog.push(`/Own ${content} 0 R`)
    for (const page of isShared ? draft.pages : [draft.page(1)]) page.contents = `${content} 0 R`
    return draft.write()
  }

  it('removes content that private data has, unless another page shows it', async () => {
    expect(await findLeft(makeContent(false))).toEqual([])
    expect(await findLeft(makeContent(true))).toEqual([TEXT])
  })

  it.each([
    ['removes a property list that another page only lists', empty, []],
    ['keeps a property list that another page uses for content', '/Span /P BDC 0 0 9 9 re f EMC', [TEXT]],
    ['keeps a property list that another page uses for a point', '/Span /P DP', [TEXT]],
  ])('%s', async (_, other, left) => {
    const draft = new Draft({ pages: 2 })
    const list = draft.pdf.add(`<</ActualText(${TEXT})>>`)
    draft.page(1).content[0] = `/Span /P BDC ${draft.page(1).content[0]} EMC`
    draft.page(2).content.push(other)
    for (const page of draft.pages) page.resources = `/Properties<</P ${list} 0 R>>`
    expect(await findLeft(draft.write())).toEqual(left)
  })
})
