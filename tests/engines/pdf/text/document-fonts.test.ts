import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createDocument } from '../../../../engines/pdf/pages/new-document'
import { fontsOf } from '../../../../engines/pdf/text/document-fonts'
import { showText } from '../../../../engines/pdf/text/show-text'
import { openTypesetter } from '../../../../engines/pdf/text/typesetter'
import { LINES, RIGHT_TO_LEFT } from '../../../fixtures/scripts'
import { drawLines } from '../../../support/drawn-lines'
import { readPdf } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'

const typesetter = await openTypesetter()

/** The text that another engine reads on the page, without directional marks. */
async function readBack(...lines: string[]): Promise<string> {
  const bytes = drawLines(lines.map(line => typesetter.shape(line)))
  readSound(bytes)
  return ((await readPdf(bytes)).pages[0]?.text ?? '').replace(/[\u200e\u200f]/g, '')
}

describe('text on a page', () => {
  for (const [script, line] of Object.entries(LINES)) {
    it(`is extracted as it was written: ${script}`, async () => {
      const text = await readBack(line)
      if (RIGHT_TO_LEFT.includes(script)) for (const word of line.split(' ')) expect(text).toContain(word)
      else expect(text.trim()).toBe(line)
    })
  }

  it('is extracted from a line of many scripts', async () => {
    expect((await readBack('Acme — 山田 Ltd हिन्दी ไทย €9.99')).trim()).toBe('Acme — 山田 Ltd हिन्दी ไทย €9.99')
  })

  it('is extracted if one glyph is used for different characters', async () => {
    expect(await readBack('A Α А', 'K K')).toContain('A Α А')
  })

  it('is in strings that PDF/A allows', () => {
    const fonts = fontsOf(createDocument(LIMITS))
    const one = typesetter.shape('ก')
    const runs = one.runs.map(({ face, clusters }) => ({ face, clusters: Array(40_000).fill(clusters[0]) }))
    const shown = showText({ ...one, runs }, { fonts, sizePt: 9, nameFont: () => 'F' })
    const strings = Array.from(shown.matchAll(/<(\w+)>/g), ([, digits = '']) => digits.length / 2)
    expect(Math.max(...strings)).toBeLessThanOrEqual(32_767)
    expect(strings.reduce((sum, bytes) => sum + bytes, 0)).toBe(80_000)
  })

  it('is the same file for the same text', () => {
    const draw = (): Buffer => drawLines([typesetter.shape('Żółw 山田 محمد')])
    expect(draw().equals(draw())).toBe(true)
  })

  it('adds little to the file size', () => {
    const empty = drawLines([typesetter.shape('')]).length
    expect(drawLines([typesetter.shape('CONFIDENTIAL')]).length - empty).toBeLessThan(8_000)
    expect(drawLines([typesetter.shape('机密文件 内部资料')]).length - empty).toBeLessThan(20_000)
  })

  it('contains only the used glyphs', () => {
    const strict = new StrictPdf(drawLines([typesetter.shape('ab')]))
    const fonts = [...strict.objects.values()]
      .map(object => strict.dict(object.value))
      .filter(dict => dict.get('Length1') !== undefined)
    expect(fonts).toHaveLength(1)
    const streams = [...strict.objects.values()].flatMap(object =>
      object.data && strict.dict(object.value).get('Length1') !== undefined ? [inflateSync(object.data)] : [],
    )
    expect(streams[0]?.length).toBeLessThan(6_000) // The whole of Inter has 860,000 bytes.
  })
})
