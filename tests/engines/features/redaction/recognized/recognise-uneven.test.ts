import { describe, expect, it } from 'vitest'
import { makeScan } from '../../../../fixtures/scan'
import { SHADES } from '../../../../fixtures/shades'
import { runOn } from '../../../../support/run-on'

const LINES = [
  'Mr Marlowe signed the contract here',
  'and the clerk of Marlowe and Sons',
  'kept a copy, which Marlowe denied.',
  'Nobody asked Marlowe why.',
]

/** The text that recognition reads on the pages, with each of its methods. */
async function read(file: Uint8Array): Promise<string> {
  return (await runOn('pdf-ocr', file, { outputFormat: 'text', dpi: 300 })).bytes.toString('utf8').replace(/\s+/g, ' ')
}

describe('words in scans on uneven paper', () => {
  it.each(Object.entries(SHADES))('are all found and removed: %s', async (_, shade) => {
    const file = await makeScan([{ lines: LINES, shade }])
    const { bytes, headers, warnings } = await runOn('pdf-redaction', file, {
      ocr: true,
      search: [{ text: 'Marlowe' }],
    })
    expect({ warnings, applied: headers['X-Redactions-Applied'] }).toEqual({ warnings: [], applied: '4' })
    const text = await read(bytes)
    expect(text).not.toMatch(/marl|lowe/i)
    for (const word of ['signed', 'contract', 'clerk', 'copy', 'denied', 'asked']) expect(text).toContain(word)
  })

  it('are found if two recognition methods each read one word of a phrase', async () => {
    const shade = (value: number, x: number, y: number): number =>
      x > 0.35 && x < 0.62 && y > 0.2 && y < 0.3 ? 30 + (255 - value) * 0.5 : value
    const file = await makeScan([{ lines: ['A letter of', 'Captain Haddock today', 'was lost.'], shade }])
    const { headers } = await runOn('pdf-redaction', file, { ocr: true, search: [{ text: 'Captain Haddock' }] })
    expect(headers['X-Redactions-Applied']).toBe('1')
  })
})
