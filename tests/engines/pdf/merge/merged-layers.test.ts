import { describe, expect, it } from 'vitest'
import { PdfWriter } from '../../../fixtures/pdf-writer'
import { askProgram, hasProgram, qpdfComplaints } from '../../../support/other-programs'
import { withPdfjs } from '../../../support/pdfjs-document'
import { renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'

/** The merged files of all tests, for qpdf. */
const results: Buffer[] = []

/**
 * A page with a square of 50 points for each layer, side by side. Names are PDF strings. Layers in `hidden` are off.
 */
function withLayers(names: string[], hidden: number[] = []): Buffer {
  const pdf = new PdfWriter()
  const [root, pages] = [pdf.reserve(), pdf.reserve()]
  const groups = names.map(name => `${pdf.add(`<</Type/OCG/Name${name}>>`)} 0 R`)
  const member = pdf.add(`<</Type/OCMD/OCGs[${groups.join(' ')}]/P/AllOff>>`)
  const squares = groups.map((_, index) => `/OC /L${index} BDC ${index * 60} 10 50 50 re f EMC`)
  const content = pdf.addStream('', [...squares, '/OC /M BDC 0 70 50 50 re f EMC'].join(' '))
  const properties = groups.map((group, index) => `/L${index} ${group}`).join('')
  const resources = `/Resources<</Properties<<${properties}/M ${member} 0 R>>>>`
  const page = pdf.add(`<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 300 150]/Contents ${content} 0 R${resources}>>`)
  pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  const off = hidden.map(index => groups[index]).join(' ')
  const order = `/Order[(Draft)${groups.join(' ')}]`
  const configuration = `/OCProperties<</OCGs[${groups.join(' ')}]/D<</OFF[${off}]${order}>>>>`
  pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R${configuration}>>`)
  return pdf.write({ root, version: '1.7' })
}

async function merge(files: Buffer[]): Promise<{ bytes: Buffer; strict: StrictPdf }> {
  const { bytes } = await runOn('merge-pdf', files)
  const strict = readSound(bytes)
  results.push(bytes)
  return { bytes, strict }
}

interface SeenLayer {
  name: string
  visible: boolean
}

/** The layers in file order, as PDF.js reads them. */
function readLayers(bytes: Buffer): Promise<[string, boolean][]> {
  return withPdfjs(bytes, async document => {
    const groups = [...(await document.getOptionalContentConfig())].map(([, group]) => group as SeenLayer)
    return groups.map(({ name, visible }): [string, boolean] => [name, visible])
  })
}

/** A page as MuPDF draws it, in gray. */
function drawWithMupdf(bytes: Buffer, page: number): string {
  const options = ['-q', '-r', '18', '-c', 'gray', '-F', 'pnm', '-o', '-']
  return askProgram('mutool', bytes, path => ['draw', ...options, path, String(page)])
}

describe('layers with the same name', () => {
  const SAME_NAMES = [
    withLayers(['(Draft)', '(Plan)']),
    withLayers(['(Draft)'], [0]),
    withLayers(['(Other)', '(Draft)'], [0]),
  ]

  it('get unique names, and each keeps its visibility', async () => {
    const { bytes } = await merge(SAME_NAMES)
    expect(await readLayers(bytes)).toEqual([
      ['Draft', true],
      ['Plan', true],
      ['Draft (2)', false],
      ['Other', false],
      ['Draft (3)', true],
    ])
    for (const [index, file] of SAME_NAMES.entries()) {
      const [merged, own] = [await renderPage(bytes, index), await renderPage(file, 0)]
      expect(merged.pixels.equals(own.pixels)).toBe(true)
    }
  })

  it.skipIf(!hasProgram('mutool'))('look in MuPDF (mutool) as in their own files', async () => {
    const { bytes } = await merge(SAME_NAMES)
    for (const [index, file] of SAME_NAMES.entries())
      expect(drawWithMupdf(bytes, index + 1)).toBe(drawWithMupdf(file, 1))
  })

  it('are distinguished if the same file comes twice, and in UTF-16 and UTF-8', async () => {
    const file = withLayers(['<FEFF014100E1>', '(\xef\xbb\xbf\xc5\x81ist)', '(Plan\\051)'], [1])
    const { bytes } = await merge([file, file])
    expect(await readLayers(bytes)).toEqual([
      ['Łá', true],
      ['Łist', false],
      ['Plan)', true],
      ['Łá (2)', true],
      ['Łist (2)', false],
      ['Plan) (2)', true],
    ])
    const mixed = await merge([withLayers(['<FEFF00440072006100660074>']), withLayers(['(Draft)'])])
    expect((await readLayers(mixed.bytes)).map(([name]) => name)).toEqual(['Draft', 'Draft (2)'])
  })

  it('get no name that another layer of their file has', async () => {
    const second = withLayers(['(Draft)', '(Draft \\(2\\))', '(Draft)', '(Free)', '(Free)'])
    const { bytes, strict } = await merge([withLayers(['(Draft)']), second])
    const names = (await readLayers(bytes)).map(([name]) => name)
    expect(names).toEqual(['Draft', 'Draft (3)', 'Draft (2)', 'Draft (4)', 'Free', 'Free'])
    const usual = strict.dict(strict.dict(strict.catalog.get('OCProperties')).get('D'))
    expect(strict.array(usual.get('Order')).filter(item => strict.text(item) === 'Draft')).toHaveLength(2)
  })
})

it.skipIf(!hasProgram('qpdf'))('qpdf finds no problem in the merged files', () => {
  expect(results.flatMap(qpdfComplaints)).toEqual([])
})
