import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { drawSamples } from '../../../fixtures/draw-invoice-samples'
import { readPdf } from '../../../support/reader'

it('the samples that docs/invoices.md links match the current output', async () => {
  for (const [name, drawn] of await drawSamples()) {
    const kept = await readFile(new URL(`../../../../public/samples/${name}.pdf`, import.meta.url))
    const [one, other] = [await readPdf(kept), await readPdf(drawn)]
    expect({ name, title: one.title, pages: one.pages.map(page => page.text) }).toEqual({
      name,
      title: other.title,
      pages: other.pages.map(page => page.text),
    })
    expect(kept.length).toBeLessThan(80_000)
  }
})
