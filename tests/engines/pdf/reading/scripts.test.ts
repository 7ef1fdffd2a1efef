import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { PageReader } from '../../../../engines/pdf/read-page'
import { writeTexts } from '../../../fixtures/written-texts'
import { LIMITS, runOn } from '../../../support/run-on'

describe.each([
  ['Latin', 'Bonn'],
  ['Han above U+FFFF', '𠮷'],
  ['an emoji between letters', 'B😀B'],
  ['Gothic', '𐌲𐌿𐍄'],
])('text with %s', (_, word) => {
  const write = (...words: string[]): Buffer =>
    writeTexts([words.map((text, index) => ({ text, x: 40, y: 400 - 40 * index }))])
  const file = write('before', word, 'behind')
  const extract = async (bytes: Uint8Array): Promise<string[]> =>
    (await runOn('extract-text', bytes)).bytes.toString('utf8').trim().split(/\s+/)

  it('is one word with its width', () => {
    const seen = new PageReader(openDocument(new Uint8Array(file), LIMITS)).readWords(0)
    expect(seen.map(({ text }) => text)).toEqual(['before', word, 'behind'])
    expect(seen[1]?.length).toBeCloseTo(Array.from(word).length * 12 * 0.6, 0)
  })

  it('is extracted', async () => {
    expect(await extract(file)).toEqual(['before', word, 'behind'])
  })

  it('is compared', async () => {
    const { bytes } = await runOn('compare-pdfs', [file, write('before', 'other', 'behind')], { format: 'json' })
    const changes = JSON.parse(bytes.toString()).pages[0].text
    expect(changes).toMatchObject([{ removed: { text: word }, inserted: { text: 'other' } }])
  })

  it('is redacted', async () => {
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ text: word }] })
    expect(await extract(bytes)).toEqual(['before', 'behind'])
  })
})
