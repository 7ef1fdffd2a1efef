import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { PdfWriter } from '../../../fixtures/pdf-writer'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

/**
 * Three pages with a layer each, a layer that a membership of pages 1 and 3 shares, and a layer of a field on page 3.
 */
function makeLayered(): Buffer {
  const pdf = new PdfWriter()
  const [root, pages] = [pdf.reserve(), pdf.reserve()]
  const layers = ['LAYERONE', 'LAYERTWO', 'LAYERTHREE', 'LAYERSHARED', 'LAYERFIELD', 'LAYERNOBODY'].map(name =>
    pdf.add(`<</Type/OCG/Name(${name})/Usage<</CreatorInfo<</Creator(MADE${name})/Subtype/Artwork>>>>>>`),
  )
  const [one, two, three, shared, field, nobody] = layers.map(ref => `${ref} 0 R`)
  const member = pdf.add(`<</Type/OCMD/OCGs[${shared} ${three}]/P/AnyOn>>`)
  const widget = pdf.add(`<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[10 10 50 30]/OC ${field}>>`)
  const link = pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/SetOCGState/State[/OFF ${one} /ON ${three}]>>>>`)
  const pageRefs = [one, two, three].map((layer, index) => {
    const content = pdf.addStream('', '/OC /A BDC 10 10 50 50 re f EMC /OC /B BDC 80 10 50 50 re f EMC')
    const annotations = index === 2 ? `/Annots[${widget} 0 R]` : index === 0 ? `/Annots[${link} 0 R]` : ''
    return pdf.add(
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 200 200]/Contents ${content} 0 R/Resources<</Properties<</A ` +
        `${layer}${index === 1 ? '' : `/B ${member} 0 R`}>>>>${annotations}>>`,
    )
  })
  pdf.set(pages, `<</Type/Pages/Kids[${pageRefs.map(ref => `${ref} 0 R`).join(' ')}]/Count 3>>`)
  const all = layers.map(ref => `${ref} 0 R`).join(' ')
  const outline = pdf.reserve()
  const item = pdf.add(`<</Title(Toggle)/Parent ${outline} 0 R/A<</S/SetOCGState/State[/Toggle ${two} ${three}]>>>>`)
  pdf.set(outline, `<</Type/Outlines/First ${item} 0 R/Last ${item} 0 R/Count 1>>`)
  const order = `/Order[(HEADALL) [(HEADTWO) ${two} [${nobody}]] ${two} [${one} ${three}] ${shared} ${field}]`
  const usual =
    `<</Name(usual)/ON[${one} ${three}]/OFF[${two} ${shared}]${order}/RBGroups[[${one} ` +
    `${two}][${two}]]/Locked[${two} ` +
    `${three}]/AS[<</Event/View/Category[/View]/OCGs[${two}]>><</Event/Print/Category[/Print]/OCGs[${two} ` +
    `${three}]>>]>>`
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${pages} 0 R/Outlines ${outline} 0 R/AcroForm<</Fields[${widget} 0 ` +
      `R]>>/OCProperties<</OCGs[${all}]/D${usual}/Configs[<</Name(other)/OFF[${two} ${one}]>>]>>>>`,
  )
  return pdf.write({ root, version: '1.7' })
}

/** Names of the layers with their visibility, as PDF.js reads them. */
async function readLayers(file: Buffer): Promise<Record<string, boolean>> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0 })
  const document = await task.promise
  const configuration = await document.getOptionalContentConfig()
  const seen: Record<string, boolean> = {}
  for (const [, group] of configuration)
    seen[(group as { name: string }).name] = (group as { visible: boolean }).visible
  await task.destroy()
  return seen
}

function open(file: Buffer): StrictPdf {
  const strict = readSound(file)
  return strict
}

describe('layers of removed pages', () => {
  for (const [tool, options] of [
    ['delete-pages', { pages: [2] }],
    ['extract-pages', { pages: [3, 1] }],
    ['split-pdf', { ranges: ['1,3'] }],
  ] as const) {
    it(`are removed with ${tool}, and layers of other pages stay unchanged`, async () => {
      const response = (await runOn(tool, makeLayered(), options)).bytes
      const bytes = tool === 'split-pdf' ? (readZip(response)[0]?.bytes ?? response) : response
      const strict = open(bytes)
      expect(findTraces(bytes, ['LAYERNOBODY', 'LAYERTWO', 'HEADTWO', 'null'])).toEqual([])
      expect(await readLayers(bytes)).toEqual({
        LAYERONE: true,
        LAYERTHREE: true,
        LAYERSHARED: false,
        LAYERFIELD: true,
      })
      expect(strict.array(strict.dict(strict.catalog.get('OCProperties')).get('OCGs'))).toHaveLength(4)
    })
  }

  it('are removed from every list that references them', async () => {
    const { bytes } = await runOn('extract-pages', makeLayered(), { pages: [2] })
    const strict = open(bytes)
    expect(findTraces(bytes, ['LAYERONE', 'LAYERTHREE', 'LAYERSHARED', 'LAYERFIELD', 'MADELAYERONE', 'null'])).toEqual(
      [],
    )
    expect(await readLayers(bytes)).toEqual({ LAYERTWO: false })
    const properties = strict.dict(strict.catalog.get('OCProperties'))
    const usual = strict.dict(properties.get('D'))
    const [layer] = strict.array(properties.get('OCGs'))
    expect(Object.fromEntries(['ON', 'OFF', 'Locked'].map(key => [key, strict.array(usual.get(key))]))).toEqual({
      ON: [],
      OFF: [layer],
      Locked: [layer],
    })
    expect(strict.array(usual.get('RBGroups'))).toEqual([[layer], [layer]])
    expect(strict.array(usual.get('AS')).map(one => strict.array(strict.dict(one).get('OCGs')))).toEqual([
      [layer],
      [layer],
    ])
    expect(JSON.stringify(strict.array(usual.get('Order')))).toBe(
      JSON.stringify([{ bytes: 'HEADALL' }, [{ bytes: 'HEADTWO' }, layer], layer]),
    )
    expect(strict.array(properties.get('Configs')).map(one => strict.array(strict.dict(one).get('OFF')))).toEqual([
      [layer],
    ])
  })

  it('are removed completely if no page has any', async () => {
    const { bytes } = await runOn('extract-pages', makeLayered(), { pages: [1, 2, 3] })
    expect(findTraces(bytes, ['LAYERNOBODY'])).toEqual(['LAYERNOBODY'])
    const pdf = new PdfWriter()
    const layer = pdf.add('<</Type/OCG/Name(LAYERGONE)>>')
    const pages = pdf.reserve()
    const pageRefs = [`/Resources<</Properties<</A ${layer} 0 R>>>>`, ''].map(entries =>
      pdf.add(`<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 9 9]${entries}>>`),
    )
    pdf.set(pages, `<</Type/Pages/Kids[${pageRefs.map(ref => `${ref} 0 R`).join(' ')}]/Count 2>>`)
    const root = pdf.add(
      `<</Type/Catalog/Pages ${pages} 0 R/OCProperties<</OCGs[${layer} 0 R]/D<</Name(LAYERCONFIG)/Order[${layer} 0 ` +
        'R]>>>>>>',
    )
    const left = open((await runOn('delete-pages', pdf.write({ root, version: '1.7' }), { pages: [1] })).bytes)
    expect(left.catalog.has('OCProperties')).toBe(false)
    expect(findTraces(left.bytes, ['LAYERGONE', 'LAYERCONFIG'])).toEqual([])
  })
})

describe('names of layers that a redaction rule matches', () => {
  it('are shortened, and the layers remain', async () => {
    const { bytes } = await runOn('pdf-redaction', makeLayered(), {
      search: [{ text: 'LayerTwo' }, { text: 'HeadTwo' }],
    })
    expect(findTraces(bytes, ['LAYERTWO', 'HEADTWO'])).toEqual([])
    expect(Object.keys(await readLayers(bytes))).toHaveLength(6)
  })
})
