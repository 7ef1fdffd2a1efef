import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../fixtures/draft'
import { compareImages } from '../../../../support/compare-images'
import { readPdf, renderPage } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { readSound, type StrictPdf } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'

interface Layered {
  content: string[]
  /** Further entries of the default configuration. */
  configuration?: string
  annotations?: string[]
}

/** A page with layers that are on and off, and groups of layers. The key of each property list is its name. */
function makeLayered({ content, configuration = '', annotations = [] }: Layered): Buffer {
  const draft = new Draft({ pages: 1 })
  const { pdf } = draft
  const [on, off] = [
    pdf.add('<</Type/OCG/Name(LayerOn)>>'),
    pdf.add('<</Type/OCG/Name(LayerOff)/Usage<</Print<</PrintState/ON>>/View<</ViewState/OFF>>>>>>'),
  ]
  const memberships: Record<string, string> = {
    AnyOn: `/OCGs[${on} 0 R ${off} 0 R]/P/AnyOn`,
    AllOn: `/OCGs[${on} 0 R ${off} 0 R]/P/AllOn`,
    AnyOff: `/OCGs[${on} 0 R ${off} 0 R]/P/AnyOff`,
    AllOff: `/OCGs[${on} 0 R ${off} 0 R]/P/AllOff`,
    Nobody: '/OCGs[null]',
    Not: `/VE[/Not ${off} 0 R]`,
    And: `/VE[/And ${on} 0 R[/Not[/Or ${off} 0 R[/Not ${on} 0 R]]]]`,
    Or: `/VE[/Or ${off} 0 R[/Not ${on} 0 R]]/OCGs ${on} 0 R`,
  }
  const lists = Object.entries(memberships).map(
    ([name, entries]) => `/${name} ${pdf.add(`<</Type/OCMD${entries}>>`)} 0 R`,
  )
  const addObject = (entries: string, data: string) => pdf.addStream(`/Type/XObject${entries}`, data)
  const form =
    `/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 ${draft.font} 0 R>>/Properties<</Off ${off} 0 R/On ${on} ` +
    '0 R>>>>'
  const objects = {
    Whole: addObject(`${form}/OC ${off} 0 R`, 'BT /F1 12 Tf 300 700 Td (HiddenForm) Tj ET'),
    Partly: addObject(
      form,
      'BT /F1 12 Tf 300 680 Td (ShownInside) Tj ET /OC /Off BDC BT /F1 12 Tf 300 660 Td (HiddenInside) Tj ET EMC',
    ),
    Seen: addObject(`${form}/OC ${on} 0 R`, 'BT /F1 12 Tf 300 640 Td (ShownForm) Tj ET'),
    Image: addObject(`/Subtype/Image/Width 2/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/OC ${off} 0 R`, 'no'),
  }
  draft.page(1).content = content
  draft
    .page(1)
    .annotations.push(
      ...annotations.map(
        entries =>
          `${pdf.add(`<</Type/Annot/F 4${entries.replaceAll('OFF', `${off} 0 R`).replaceAll('ON', `${on} 0 R`)}>>`)} ` +
          '0 R',
      ),
    )
  draft.catalog.push(
    `/OCProperties<</OCGs[${on} 0 R ${off} 0 R]/D<</OFF[${off} 0 R]/Order[${on} 0 R ${off} 0 ` +
      `R]${configuration.replaceAll('GROUP', `${off} 0 R`)}>>>>`,
  )
  draft.finish()
  const page = pdf.bodies[draft.page(1).ref - 1]
  const named = Object.entries(objects).map(([name, ref]) => `/${name} ${ref} 0 R`)
  if (typeof page === 'string')
    pdf.set(
      draft.page(1).ref,
      page.replace(
        '/Resources <<',
        `/Resources<</Properties<</On ${on} 0 R/Off ${off} 0 R${lists.join('')}>>/XObject<<${named.join('')}>>`,
      ),
    )
  return pdf.write({ root: draft.root })
}

async function flatten(
  file: Buffer,
  options: object = {},
): Promise<{ bytes: Buffer; strict: StrictPdf; words: string[] }> {
  const { bytes } = await runOn('flatten-pdf', file, { layers: true, ...options })
  const strict = readSound(bytes)
  expect(strict.catalog.has('OCProperties')).toBe(false)
  expect(findTraces(bytes, ['LayerOn', 'LayerOff', '/OC '])).toEqual([])
  return { bytes, strict, words: (await readPdf(bytes)).pages[0]?.text.split(/\s+/).filter(Boolean) ?? [] }
}

const write = (text: string, y: number): string => `BT /F1 12 Tf 60 ${y} Td (${text}) Tj ET`
const inLayer = (name: string, content: string): string => `/OC /${name} BDC ${content} EMC`

describe('flatten-pdf with layers', () => {
  it('removes the content of hidden layers and keeps the look of the rest', async () => {
    const file = makeLayered({
      content: [
        write('Always', 740),
        inLayer('On', write('ShownText', 720)),
        inLayer('Off', write('HiddenText', 700)),
        inLayer(
          'Off',
          `${inLayer('On', write('HiddenTwice', 680))} 1 0 0 rg 60 660 50 10 re f BI /W 6 /H 1 /BPC 8 /CS /G ID ` +
            'secret EI',
        ),
        '/Whole Do /Partly Do /Seen Do q 40 0 0 40 60 600 cm /Picture Do Q',
        // A clip, a color and a position that a hidden layer sets affect the content after the layer.
        `q ${inLayer('Off', '60 500 100 50 re W f 0 0 1 rg')} 0 0 400 600 re f Q`,
        `BT /F1 12 Tf 60 450 Td ${inLayer('Off', '(HiddenFirst) Tj')} (ShownBehind) Tj ET`,
        '/Other << /X 1 >> BDC /OC /Off BDC EMC EMC',
      ],
    })
    const { bytes, words } = await flatten(file)
    expect(words.toSorted()).toEqual(['Always', 'ShownBehind', 'ShownForm', 'ShownInside', 'ShownText'])
    expect(
      findTraces(bytes, ['HiddenText', 'HiddenTwice', 'HiddenForm', 'HiddenInside', 'HiddenFirst', 'secret']),
    ).toEqual([])
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
  })

  it('follows policies and expressions', async () => {
    const names = ['AnyOn', 'AllOn', 'AnyOff', 'AllOff', 'Nobody', 'Not', 'And', 'Or']
    const file = makeLayered({
      content: names.map((name, index) => inLayer(name, write(`Word${name}`, 740 - 20 * index))),
    })
    const { bytes, words } = await flatten(file)
    expect(words).toEqual(['WordAnyOn', 'WordAnyOff', 'WordNobody', 'WordNot', 'WordAnd'])
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
  })

  it('hides and shows layers by usage as viewers do', async () => {
    const content = [inLayer('Off', write('InPrint', 700)), inLayer('On', write('Always', 720))]
    const automatic = (event: string) => `/AS[<</Event/${event}/Category[/${event}]/OCGs[GROUP]>>]`
    expect(
      (await flatten(makeLayered({ content, configuration: automatic('Print') }), { annotationView: 'print' })).words,
    ).toEqual(['InPrint', 'Always'])
    expect((await flatten(makeLayered({ content, configuration: automatic('Print') }))).words).toEqual(['Always'])
    const shown = `/BaseState/ON/OFF[]${automatic('View')}`
    expect((await flatten(makeLayered({ content, configuration: shown }))).words).toEqual(['Always'])
  })

  it('shows a layer that is meant for something other than the view', async () => {
    expect(
      (await flatten(makeLayered({ content: [inLayer('Off', write('Design', 700))], configuration: '/Intent/Design' })))
        .words,
    ).toEqual(['Design'])
  })

  it('removes annotations of hidden layers, with and without appearances', async () => {
    const link = '/Subtype/Link/Rect[10 10 60 30]/Border[0 0 0]/A<</S/URI/URI(https://example.com/'
    const { bytes, strict } = await flatten(
      makeLayered({
        content: ['/Partly Do'],
        annotations: [
          `${link}hidden)>>/OC OFF`,
          `${link}shown)>>/OC ON/AA<</U<</S/SetOCGState/State[/Toggle ON]>>>>`,
          '/Subtype/Text/Rect[60 60 80 80]/Contents(HiddenNote)/OC OFF',
          '/Subtype/Square/Rect[60 90 80 99]/Contents(HiddenSquare)/OC<</Type/OCMD/OCGs OFF>>',
        ],
      }),
    )
    expect(strict.array(strict.pages[0]?.dict.get('Annots'))).toHaveLength(1)
    expect(findTraces(bytes, ['example.com/hidden', 'HiddenNote', 'HiddenSquare'])).toEqual([])
  })

  it('leaves documents without layers unchanged', async () => {
    const draft = new Draft({ pages: 1 })
    draft.page(1).entries.push('/PieceInfo<</Program<</LastModified(D:2026)>>>>')
    const file = draft.write()
    const { bytes } = await runOn('flatten-pdf', file, { layers: true })
    expect(bytes.equals((await runOn('flatten-pdf', file, {})).bytes)).toBe(true)
  })
})

describe('tools that show pages as on screen', () => {
  const content = [write('Always', 740), inLayer('Off', write('HiddenText', 700)), inLayer('AllOn', '/Partly Do')]
  const textOf = async (file: Buffer, options: object = {}) => {
    const { bytes, warnings } = await runOn('extract-text', file, options)
    return { words: bytes.toString().split(/\s+/).filter(Boolean), warnings }
  }

  it('extract-text leaves out hidden content and annotations, and says so', async () => {
    const note = '/Subtype/FreeText/DA(/Helv 12 Tf 0 g)/Rect[60 60 200 80]'
    const annotations = [`${note}/Contents(HiddenNote)/OC OFF`, `${note}/Contents(ShownNote)/OC ON`]
    const warnings = ['hidden-layer-left-out']
    expect(await textOf(makeLayered({ content, annotations }))).toEqual({ words: ['Always', 'ShownNote'], warnings })
    expect(await textOf(makeLayered({ content: ['/Partly Do'] }))).toEqual({ words: ['ShownInside'], warnings })
    expect(await textOf(makeLayered({ content: ['/Seen Do'] }))).toEqual({ words: ['ShownForm'], warnings: [] })
  })

  it('extract-text reads hidden layers if the request asks for all', async () => {
    const { words, warnings } = await textOf(makeLayered({ content: ['/Partly Do'] }), { layers: 'all' })
    expect(words).toContain('ShownInside')
    expect(words.length).toBeGreaterThan(1)
    expect(warnings).toEqual([])
  })

  it('pdf-to-images draws no annotation of a hidden layer', async () => {
    const draw = async (annotations: string[]) =>
      (await runOn('pdf-to-images', makeLayered({ content, annotations }), { dpi: 30 })).bytes
    const square = '/Subtype/Square/Rect[60 90 200 200]/IC[1 0 0]'
    const [none, hidden, shown] = await Promise.all(
      [[], [`${square}/OC<</Type/OCMD/OCGs OFF>>`], [`${square}/OC ON`]].map(draw),
    )
    expect(hidden?.equals(none ?? hidden)).toBe(true)
    expect(shown?.equals(none ?? shown)).toBe(false)
  })

  it('pdf-redaction finds and removes hidden text', async () => {
    const { bytes } = await runOn('pdf-redaction', makeLayered({ content }), { search: [{ text: 'HiddenText' }] })
    expect(findTraces(bytes, ['HiddenText'])).toEqual([])
  })
})
