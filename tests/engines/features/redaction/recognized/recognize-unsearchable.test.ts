import { expect, it } from 'vitest'
import { composite, makeMeanings, simple } from '../../../../fixtures/meanings'
import { runOn } from '../../../../support/run-on'

const SECRET = 'Quimby4471'

it("pages with text that can't be searched are read by text recognition, and matches are removed with their glyphs", async () => {
  const bytes = makeMeanings([
    { text: SECRET, add: composite({}) },
    { text: SECRET, add: composite({ says: () => 'X' }) },
    { text: SECRET, add: simple({}) },
  ])
  const {
    bytes: output,
    headers,
    warnings,
  } = await runOn('pdf-redaction', bytes, { search: [{ text: SECRET }], ocr: true })
  expect({ applied: headers['X-Redactions-Applied'], warnings }).toEqual({ applied: '3', warnings: [] })
  const seen = (await runOn('pdf-ocr', output, { outputFormat: 'text', mode: 'force', dpi: 300 })).bytes.toString(
    'utf8',
  )
  expect(seen).not.toMatch(/quim|imby|447/i)
  expect(seen.match(/KEEP[AB]/g)).toHaveLength(6)
})
