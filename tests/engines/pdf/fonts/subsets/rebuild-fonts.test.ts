import { PDFDict, PDFDocument, PDFName, PDFRef } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { makeTrap } from '../../../../fixtures/traps'
import { forEachChange } from '../../../../support/compare-images'
import { countPages, type Image, renderPage } from '../../../../support/reader'
import { readPageTexts } from '../../../../support/page-texts'
import { runOn } from '../../../../support/run-on'
import { readSound } from '../../../../support/strict-pdf'
import { makeFontFile, SUBSETS } from '../../../../redaction-traps/groups/embedded-fonts'

const SECRET = 'QUXJVZ'

type Band = readonly [low: number, high: number]

/** Counts pixels that differ between two pages outside a horizontal band. The band is in points from the lower edge. */
function countDifferences(one: Image, other: Image, [low, high]: Band): number {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  let count = 0
  forEachChange(one, other, (index, change) => {
    const height = one.height - Math.floor(index / one.width)
    if ((height < low || height > high) && change > 32) count++
  })
  return count
}

async function expectSameLooks(before: Uint8Array, after: Uint8Array, band: Band): Promise<void> {
  for (let page = 0; page < (await countPages(before)); page++) {
    expect(countDifferences(await renderPage(before, page), await renderPage(after, page), band)).toBe(0)
  }
}

/** Returns the file with noise in place of its font programs. */
async function breakPrograms(file: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(file)
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    const program = object instanceof PDFDict ? object.get(PDFName.of('FontFile')) : undefined
    if (program instanceof PDFRef)
      document.context.assign(program, document.context.stream(new Uint8Array(300).fill(7)))
  }
  return document.save()
}

describe('text that remains after a redaction', () => {
  for (const [name, { add, place }] of Object.entries(SUBSETS)) {
    it(`looks and reads the same in a rebuilt font: ${name}`, async () => {
      const file = makeFontFile(add, {
        secret: SECRET,
        way: { isSearched: true, subset: 'secret first' },
        place: place ?? 'page',
      })
      const before = (await readPageTexts(file)).join(' ')
      const { bytes, headers, warnings } = await runOn('pdf-redaction', file, { search: [{ text: SECRET }] })
      expect(headers['X-Redaction-Verified']).toBe('true')
      expect(warnings).toEqual([])
      const after = (await readPageTexts(bytes)).join(' ')
      expect(before).toContain(SECRET)
      expect(after.replace(/\s/g, '')).toBe(before.replace(SECRET, '').replace(/\s/g, ''))
      await expectSameLooks(file, bytes, [130, 170])
      readSound(bytes)
    })
  }

  it('looks and reads the same if one of our tools set it in a subset', async () => {
    const { file } = makeTrap({})
    const header = { left: 'Quimby' }
    const footer = { left: 'Invoice 4711 – Oldfield, “Œuvres” – 12,50 €' }
    const { bytes: set } = await runOn('header-footer', file, { header, footer })
    const { bytes, warnings } = await runOn('pdf-redaction', set, { search: [{ text: 'Quimby' }] })
    expect(warnings).toEqual([])
    const text = (await readPageTexts(bytes)).join(' ')
    expect(text).not.toContain('Quimby')
    for (const word of ['Invoice 4711 – Oldfield, “Œuvres” – 12,50 €', 'BESIDE']) expect(text).toContain(word)
    await expectSameLooks(set, bytes, [255, 300])
  })

  it("becomes an image with a warning if its font can't be read", async () => {
    const file = makeFontFile(SUBSETS['Type 1 with differences']?.add ?? expect.fail(), {
      secret: SECRET,
      way: { isSearched: true, subset: 'secret first' },
    })
    const broken = await breakPrograms(file)
    const { bytes, headers, warnings } = await runOn('pdf-redaction', broken, { search: [{ text: SECRET }] })
    expect(warnings).toContain('page-rasterized')
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect((await readPageTexts(bytes)).join(' ')).not.toContain(SECRET)
  })
})
