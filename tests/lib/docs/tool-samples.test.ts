import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { drawSamples } from '../../fixtures/draw-tool-samples'
import { withPdfjs } from '../../support/pdfjs-document'

it('has the sample files that the fixtures draw', async () => {
  for (const [name, bytes] of await drawSamples()) {
    const published = await readFile(`public/samples/${name}`)
    // Encryption is random, so only the content is the same.
    if (name === 'locked.pdf') {
      const password = 'correct horse battery staple'
      for (const file of [published, bytes])
        expect(await withPdfjs(file, document => Promise.resolve(document.numPages), password)).toBe(1)
    } else expect(published.equals(bytes), name).toBe(true)
  }
})
