import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTypesetter } from '../../../../engines/pdf/text/typesetter'
import { LINES } from '../../../fixtures/scripts'
import { drawLines } from '../../../support/drawn-lines'
import { compareGray, readGrayPng, toGray, writeGrayPng } from '../../../support/gray-png'
import { renderPage } from '../../../support/reader'

const typesetter = await openTypesetter()

/** The share of pixels that may differ. A missing accent changes more pixels. */
const TOLERANCE = 0.002

// Somebody reviewed each reference image. After a change of fonts, delete an image and run this file. The run creates
// the image and fails, so that somebody reviews it before the next run.
describe('every script looks like its reviewed image', () => {
  for (const [script, line] of Object.entries(LINES)) {
    it(script, async () => {
      const bytes = drawLines([typesetter.shape(line), typesetter.shape(line, { weight: 700 })])
      const image = toGray(await renderPage(bytes, 0))
      const path = new URL(`../../../fixtures/scripts/${script}.png`, import.meta.url)
      if (!existsSync(path)) {
        writeFileSync(path, await writeGrayPng(image))
        expect.fail(`there was no picture of ${script}; look at ${path.pathname}`)
      }
      expect(compareGray(await readGrayPng(readFileSync(path)), image)).toBeLessThan(TOLERANCE)
    })
  }
})
