import { describe, expect, it } from 'vitest'
import { makePrint } from '../../../fixtures/scan'
import { compareImages } from '../../../support/compare-images'
import { readPdf, renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'

describe('images-to-pdf with ocr', () => {
  it('adds the text of an image of any resolution as invisible text', async () => {
    const print = makePrint({ lines: ['The lighthouse keeper wrote one line', 'before the lamp was lit, every day.'] })
    for (const dpi of [150, 400]) {
      const image = (await runOn('pdf-to-images', print, { dpi })).bytes
      const plain = await runOn('images-to-pdf', image)
      const { bytes, headers } = await runOn('images-to-pdf', image, { ocr: true, languages: ['eng'] })
      const [page] = (await readPdf(bytes)).pages
      expect(page?.text.replace(/\s+/g, ' ')).toContain('The lighthouse keeper wrote one line')
      expect(headers).toMatchObject({ 'X-OCR-Pages': '1', 'X-Page-Count': '1' })
      expect(compareImages(await renderPage(bytes, 0), await renderPage(plain.bytes, 0))).toBe(0)
    }
  })

  it('rejects a language that is not installed', async () => {
    const image = (await runOn('pdf-to-images', makePrint({ lines: ['One'] }), { dpi: 72 })).bytes
    await expect(runOn('images-to-pdf', image, { ocr: true, languages: ['xxx'] })).rejects.toMatchObject({
      problems: [{ param: 'options.languages[0]' }],
    })
  })
})
