import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { findBlankPages } from '../../../../engines/pdf/rendering/blank-pages'
import { openRenderer } from '../../../../engines/pdf/rendering/render'
import { Draft } from '../../../fixtures/draft'
import { UNEMBEDDED, UNKNOWN, unembedded } from '../../../fixtures/unembedded'
import { LIMITS, runOn } from '../../../support/run-on'

const open = (bytes: Uint8Array) => openDocument(new Uint8Array(bytes), LIMITS)

/** Draws the first page at 72 DPI. Returns the columns of 36 points with ink, from the start of the string on. */
async function draw(bytes: Uint8Array): Promise<{ inked: boolean[]; warnings: string[] }> {
  const document = open(bytes)
  const renderer = await openRenderer(document)
  try {
    const { width, height, pixels } = renderer.draw(0, { dpi: 72, color: 'gray', annotations: false })
    const inked = Array.from({ length: 3 }, (_, column) => {
      for (let y = 0; y < height; y++)
        for (let x = 40 + column * 36; x < 76 + column * 36; x++) if ((pixels[y * width + x] ?? 255) < 128) return true
      return false
    })
    return { inked, warnings: [...document.warnings] }
  } finally {
    renderer.close()
  }
}

describe('text in a font that is not embedded', () => {
  for (const [name, sample] of Object.entries(UNEMBEDDED))
    it(`is drawn without a warning: ${name}`, async () => {
      expect(await draw(unembedded(sample))).toEqual({ inked: [true, true, true], warnings: [] })
    })

  for (const [name, sample] of Object.entries(UNKNOWN))
    it(`has a warning, and its page is not blank, if no font has it: ${name}`, async () => {
      const bytes = unembedded(sample)
      expect((await draw(bytes)).warnings).toEqual(['text-not-drawn'])
      expect(await findBlankPages(open(bytes), [0], 0.002)).toEqual(new Set())
      const { warnings } = await runOn('flatten-pdf', bytes, { rasterize: true })
      expect(warnings).toContain('text-not-drawn')
    })

  it('has no warning if it is invisible', async () => {
    for (const sample of Object.values(UNKNOWN))
      expect((await draw(unembedded(sample, { mode: 3 }))).warnings).toEqual([])
  })

  it('counts as content of its page', async () => {
    for (const sample of Object.values(UNEMBEDDED))
      expect(await findBlankPages(open(unembedded(sample)), [0], 0.002)).toEqual(new Set())
  })

  it('has PDFium itself draw standard Latin letters', async () => {
    const draft = new Draft({ pages: 1 })
    const document = open(draft.write())
    const renderer = await openRenderer(document)
    const image = renderer.draw(0, { dpi: 20, color: 'gray', annotations: true })
    renderer.close()
    expect(image.pixels.some(value => value < 200)).toBe(true)
    expect([...document.warnings]).toEqual([])
  })
})
