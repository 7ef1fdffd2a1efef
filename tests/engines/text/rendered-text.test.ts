import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTypesetter } from '../../../engines/text/typesetter'
import { LINES } from '../../fixtures/scripts'
import { drawLines } from '../../support/drawn-lines'
import { compareGray, readGrayPng, toGray, writeGrayPng } from '../../support/gray-png'
import { renderPage } from '../../support/reader'

const typesetter = await openTypesetter()

/** Share of pixels that may differ; a missing accent differs by more. */
const TOLERANCE = 0.002

// Each picture was looked at when it was made. After a change of fonts delete a picture and run this file: it makes a
// new one and fails, so that somebody looks at it before the next run.
describe('every script looks as it did when it was looked at', () => {
  for (const [script, line] of Object.entries(LINES)) {
    it(script, async () => {
      const bytes = drawLines([typesetter.shape(line), typesetter.shape(line, { weight: 700 })])
      const image = toGray(await renderPage(bytes, 0))
      const path = new URL(`../../fixtures/scripts/${script}.png`, import.meta.url)
      if (!existsSync(path)) {
        writeFileSync(path, writeGrayPng(image))
        expect.fail(`there was no picture of ${script}; look at ${path.pathname}`)
      }
      expect(compareGray(readGrayPng(readFileSync(path)), image)).toBeLessThan(TOLERANCE)
    })
  }
})
