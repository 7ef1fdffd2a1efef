import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { drawSamples } from '../../../fixtures/draw-e-invoice-samples'
import { readPdf } from '../../../support/reader'

it('the electronic samples match the current output', async () => {
  for (const [name, drawn] of await drawSamples()) {
    const kept = await readFile(new URL(`../../../../public/samples/${name}`, import.meta.url))
    if (name.endsWith('.xml')) expect(kept.toString('utf8')).toBe(drawn.toString('utf8'))
    else {
      const [one, other] = [await readPdf(kept), await readPdf(drawn)]
      expect(one.pages.map(page => page.text)).toEqual(other.pages.map(page => page.text))
    }
  }
})
