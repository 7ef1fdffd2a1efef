import { describe, expect, it } from 'vitest'
import { HIDDEN_TRAPS, TEXT_TRAPS } from '../../../fixtures/search-traps'
import { makeSecret } from '../../../fixtures/traps'
import { readPageTexts } from '../../../support/page-texts'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

/** Returns whether PDFium or PDF.js reads a word on the pages, whatever is between its letters. */
async function reads(file: Uint8Array, word: string): Promise<boolean> {
  const readings = [await readPageTexts(file), await readPdfjsTexts(file)]
  return readings.some(pages =>
    pages
      .join('')
      .replace(/[^A-Z]/g, '')
      .includes(word),
  )
}

async function expectGone(file: Buffer, words: string[], kept: string[]): Promise<void> {
  expect(findTraces(file, words)).toEqual([])
  for (const word of words) expect(await reads(file, word)).toBe(false)
  const text = (await readPageTexts(file)).join(' ')
  for (const word of kept) expect(text).toContain(word)
  const strict = new StrictPdf(file)
  expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
}

/** Data that redaction removes from each file, whatever the rules are. */
const UNCOUNTED = new Set([
  'bytes after the data of a stream',
  'comments and duplicate entries in objects',
  'comments inside a JPEG image',
  'private application data',
  'private streams of an object',
  'the file trailer',
])

describe('a word that a rule matches', () => {
  for (const [name, make] of Object.entries({ ...TEXT_TRAPS, ...HIDDEN_TRAPS })) {
    it(`is removed from the file: ${name}`, async () => {
      const secret = makeSecret()
      const { file, secrets, kept } = make(secret)
      const words = [...new Set([secret, ...secrets])]
      expect(findTraces(file, words).length > 0 || (await reads(file, secret))).toBe(true)
      const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: secret.toLowerCase() }] })
      await expectGone(bytes, words, kept)
      if (!UNCOUNTED.has(name)) expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(0)
    })
  }

  it('by an expression is removed from scripts, comments and hidden text too', async () => {
    for (const name of [
      'document scripts',
      'comments in content streams',
      'replacement text (/ActualText) of shapes',
      'private streams of an object',
      'a form XObject that no page shows',
    ]) {
      const secret = makeSecret()
      const { file } = (HIDDEN_TRAPS[name] as (typeof HIDDEN_TRAPS)[string])(secret)
      const shown = (TEXT_TRAPS['as a hexadecimal string'] as (typeof TEXT_TRAPS)[string])(secret)
      expect(findTraces(file, [secret])).toEqual([secret])
      const merged = await runOn('merge-pdf', [file, shown.file], {})
      const { bytes } = await runOn('pdf-redaction', name === 'document scripts' ? file : merged.bytes, {
        search: [{ regex: `${secret.slice(0, 4)}[A-Z]{8}` }],
      })
      await expectGone(bytes, [secret], ['BESIDE'])
    }
  })

  it("does not cause an error if the file's names and keywords match", async () => {
    for (const text of [
      'Span',
      'Artifact',
      'Courier',
      'Adobe',
      'Identity',
      'Type',
      'Page',
      'Font',
      'Catalog',
      'begincmap',
    ]) {
      for (const make of [
        TEXT_TRAPS['with one character code for the whole word'],
        HIDDEN_TRAPS['replacement text (/ActualText) of shapes'],
      ]) {
        const { bytes, warnings } = await runOn(
          'pdf-redaction',
          (make as (typeof HIDDEN_TRAPS)[string])(makeSecret()).file,
          { search: [{ text }] },
        )
        expect(warnings).toEqual(['redaction-no-match'])
        expect((await readPageTexts(bytes)).join(' ')).toContain('BESIDE')
      }
    }
  })

  it('stays inside other words if the rule matches whole words', async () => {
    const { file } = (HIDDEN_TRAPS['comments in content streams'] as (typeof HIDDEN_TRAPS)[string])('CATALOGXYZ')
    const { bytes, warnings } = await runOn('pdf-redaction', file, { search: [{ text: 'catalog', wholeWord: true }] })
    expect(warnings).toEqual(['redaction-no-match'])
    expect(findTraces(bytes, ['CATALOGXYZ'])).toEqual(['CATALOGXYZ'])
  })
})

describe('text under an area', () => {
  for (const [name, make] of Object.entries(TEXT_TRAPS)) {
    // The codes of a font keep their Unicode values, as the font keeps its glyphs.
    if (name === 'with one character code for the whole word') continue
    it(`is removed: ${name}`, async () => {
      const secret = makeSecret()
      const { file, secrets, kept } = make(secret)
      expect((await reads(file, secret)) || findTraces(file, secrets).length > 0).toBe(true)
      const areas = [
        { page: 1, x: 0, y: 0, width: 300, height: 196 },
        { page: 1, x: 0, y: 100, width: 900, height: 90 },
      ]
      const { bytes } = await runOn('pdf-redaction', file, { areas })
      await expectGone(bytes, [secret, ...secrets], kept)
    })
  }
})
