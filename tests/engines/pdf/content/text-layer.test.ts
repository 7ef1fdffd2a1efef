import { PDFName, PDFRawStream } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { type PlacedWord, TextLayer } from '../../../../engines/pdf/content/text-layer'
import { openRenderer } from '../../../../engines/pdf/rendering/render'
import { readPdfiumWords } from '../../../support/pdfium-words'
import { numbered } from '../../../fixtures/draft'
import { readPdf, renderPage } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { readSound } from '../../../support/strict-pdf'

const word = (text: string, more: Partial<PlacedWord> = {}): PlacedWord => ({
  text,
  x: 100,
  y: 500,
  length: 80,
  size: 20,
  angleDeg: 0,
  isSpaced: false,
  ...more,
})

/** A document whose only page contains only these words. */
function write(words: PlacedWord[]): Buffer {
  const document = openDocument(new Uint8Array(numbered({ pages: 1 })), LIMITS)
  const layer = new TextLayer(document)
  const content = layer.draw(words, 'T')
  const [page] = document.pages
  if (!page) throw new Error('no page')
  const dict = document.edit(page.ref)
  dict.set(PDFName.of('Resources'), document.context.obj({ Font: { T: layer.fontRef } }))
  dict.set(
    PDFName.of('Contents'),
    document.register(PDFRawStream.of(document.context.obj({}), Buffer.from(content, 'latin1'))),
  )
  layer.finish()
  const bytes = Buffer.from(saveDocument(document).join())
  readSound(bytes)
  return bytes
}

describe('TextLayer', () => {
  it("writes text of any script that can be found and isn't visible", async () => {
    const texts = ['Grüße', 'Ω≈ç√', '日本語', '𝒳😀', 'naïve']
    const file = write(texts.map((text, index) => word(text, { y: 600 - 40 * index })))
    expect((await readPdf(file)).pages[0]?.text.split(/\s+/)).toEqual(texts)
    expect((await renderPage(file, 0)).pixels.every(byte => byte === 255)).toBe(true)
  })

  it('puts a space between the words of a line', async () => {
    const file = write([
      word('one', { isSpaced: true }),
      word('two', { x: 190, isSpaced: true }),
      word('three', { x: 280 }),
    ])
    expect((await readPdf(file)).pages[0]?.text).toBe('one two three')
  })

  it('stretches words to their length, in any direction', async () => {
    const places = [
      word('flat'),
      word('long', { y: 400, length: 300 }),
      word('up', { x: 300, y: 300, angleDeg: 90, length: 40 }),
      word('over', { x: 400, y: 200, angleDeg: 180 }),
    ]
    const renderer = await openRenderer(openDocument(new Uint8Array(write(places)), LIMITS))
    const found = readPdfiumWords(renderer, 0)
    renderer.close()
    for (const place of places) {
      const seen = found.find(({ text }) => text === place.text)
      expect(seen).toMatchObject({
        size: expect.closeTo(place.size, 1) as number,
        x: expect.closeTo(place.x, 1) as number,
        y: expect.closeTo(place.y, 1) as number,
      })
      expect(seen?.length).toBeCloseTo(place.length, 0)
      expect(((seen?.angleDeg ?? 0) + 360) % 360).toBeCloseTo(place.angleDeg, 1)
    }
  })

  it('writes nothing for words without a size', () => {
    const layer = new TextLayer(openDocument(new Uint8Array(numbered({ pages: 1 })), LIMITS))
    expect(
      layer.draw([word('a', { length: 0 }), word('b', { size: 0 }), word('c', { length: Number.NaN }), word('')], 'T'),
    ).toBe('')
  })

  it('is extracted as a column if characters stand below each other', async () => {
    const column = ['縦', '書', 'き'].map((text, index) => word(text, { x: 300, y: 500 - 20 * index, length: 20 }))
    const digits = ['1', '2', '3'].map((text, index) => word(text, { x: 400, y: 500 - 20 * index, length: 10 }))
    const renderer = await openRenderer(openDocument(new Uint8Array(write([...column, ...digits])), LIMITS))
    const found = readPdfiumWords(renderer, 0)
    renderer.close()
    expect(found.map(({ text }) => text)).toEqual(['縦書き', '1', '2', '3'])
    expect(found[0]).toMatchObject({
      angleDeg: expect.closeTo(-90, 1) as number,
      x: expect.closeTo(300, 0) as number,
      y: expect.closeTo(518, 0) as number,
      length: expect.closeTo(60, 0) as number,
    })
  })

  it('keeps the order of lines that run from right to left', async () => {
    // The content stream has every word from left to right.
    const file = write([word('םולש', { x: 100, isSpaced: true }), word('םלוע', { x: 200 })])
    const renderer = await openRenderer(openDocument(new Uint8Array(file), LIMITS))
    const again = write(readPdfiumWords(renderer, 0))
    renderer.close()
    const [before, after] = await Promise.all([file, again].map(async one => (await readPdf(one)).pages[0]?.text))
    expect(before).toMatch(/שלום/)
    expect(after).toBe(before)
  })
})
