import { describe, expect, it } from 'vitest'
import { replaceText } from '../../../../fixtures/damaged'
import { Draft } from '../../../../fixtures/draft'
import { INSIDE, makeLayers } from '../../../../fixtures/layers'
import { compareImages } from '../../../../support/compare-images'
import { readPdf, renderPage } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { readSound } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'

const { file, secrets, words } = makeLayers()
const crop = (mode: string, input = file) => runOn('crop-pdf', input, { cropBox: INSIDE, mode })

describe('crop-pdf, mode remove: a page with a secret outside in every kind of content', () => {
  it('contains all secrets before the crop, and shows the content inside', async () => {
    expect(findTraces(file, Object.values(secrets))).toEqual(Object.values(secrets))
    expect(findTraces((await crop('box')).bytes, Object.values(secrets))).toEqual(Object.values(secrets))
  })

  it('leaves no trace of the secrets in a valid file', async () => {
    const { bytes } = readSound((await crop('remove')).bytes)
    expect(findTraces(bytes, Object.values(secrets))).toEqual([])
  })

  it('looks inside as before', async () => {
    const before = await renderPage((await crop('box')).bytes, 0)
    const after = await renderPage((await crop('remove')).bytes, 0)
    expect(before.pixels.some((value, at) => at % 4 < 3 && value < 128)).toBe(true)
    expect(compareImages(before, after)).toBeLessThan(0.001)
  })

  it('shows nothing outside if the page is enlarged again', async () => {
    const { bytes } = await crop('remove')
    const whole = replaceText(
      replaceText(bytes, '/CropBox[100 100 500 700]', '/CropBox[0 0 600 800]'),
      '/MediaBox[100 100 500 700]',
      '/MediaBox[0 0 600 800]',
    )
    const { width, height, pixels } = await renderPage(whole, 0)
    expect([width, height]).toEqual([600, 800])
    const far = 14 // A letter that touches the box stays whole.
    const stray: string[] = []
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isOutside =
          x < INSIDE.x - far ||
          x > INSIDE.x + INSIDE.width + far ||
          y < 800 - INSIDE.y - INSIDE.height - far ||
          y > 800 - INSIDE.y + far
        if (isOutside && (pixels[(y * width + x) * 4] ?? 0) < 200) stray.push(`${x},${y}`)
      }
    }
    expect(stray.slice(0, 10)).toEqual([])
  })

  it('keeps the words and the field inside', async () => {
    const [page] = (await readPdf((await crop('remove')).bytes)).pages
    for (const word of words) expect(page?.text.replace(/\s+/g, '')).toContain(word)
    expect(page?.fields.map(field => field.name)).toEqual(['stays'])
    expect(page?.links).toHaveLength(1)
  })
})

describe('crop-pdf, mode remove: annotations that several pages list', () => {
  it("remain unchanged on pages that aren't cropped, or are cropped elsewhere", async () => {
    const draft = new Draft({ pages: 3, size: [200, 200], rotate: { 2: 180 } })
    const link = draft.pdf.add('<</Type/Annot/Subtype/Link/Rect[20 20 120 120]/Border[0 0 0]/Dest[0 /Fit]>>')
    const note = draft.pdf.add('<</Type/Annot/Subtype/Square/F 4/Rect[160 160 180 180]/Contents(note)>>')
    for (const page of draft.pages) page.annotations.push(`${link} 0 R`, `${note} 0 R`)
    const margins = { top: 50, right: 50, bottom: 0, left: 0 }
    const strict = readSound((await runOn('crop-pdf', draft.write(), { margins, pages: '1-2', mode: 'remove' })).bytes)
    const rects = strict.pages.map(({ dict }) =>
      strict.array(dict.get('Annots')).map(value => strict.dict(value).get('Rect')),
    )
    expect(rects).toEqual([
      [[20, 20, 120, 120]],
      [
        [50, 50, 120, 120],
        [160, 160, 180, 180],
      ],
      [
        [20, 20, 120, 120],
        [160, 160, 180, 180],
      ],
    ])
  })
})
