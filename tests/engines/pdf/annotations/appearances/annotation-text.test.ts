import { describe, expect, it } from 'vitest'
import { wideString } from '../../../../fixtures/pdf-writer'
import { colorAt, type Flattened, flattenOne, isSame } from '../../../../support/flattened'

describe('text in annotations', () => {
  const box = '/Rect[10 10 110 70]'
  const look = '/Subtype/FreeText/DA(/Helv 12 Tf 0 g)'
  const free = (entries: string): Promise<Flattened> => flattenOne(`${look}${box}${entries}`)

  it('draws text of any script so that it can be extracted again', async () => {
    const { text, warnings } = await free(`/Contents${wideString('東京 Щука')}`)
    expect([text.trim(), warnings]).toEqual(['東京 Щука', []])
    expect((await free(`/Contents${wideString('A\u{10fffd}')}`)).warnings).toEqual(['characters-missing'])
  })

  it('warns if text does not fit into its box', async () => {
    expect((await free(`/Contents(${'many words '.repeat(40)})`)).warnings).toEqual(['text-cut'])
  })

  it('takes size, color, weight and alignment from /DA, /DS and rich text', async () => {
    const plain = '/Contents(Word)/BS<</W 0>>'
    const red = await flattenOne(`/Subtype/FreeText/DA(1 0 0 rg /HeBo 30 Tf)/Q 2${box}${plain}`)
    const styled = await free(`${plain}/DS(font: bold 30pt Helvetica; color:#FF0000; text-align:right)`)
    const body = '<body xmlns="http://www.w3.org/1999/xhtml" style="font-size:30pt;font-weight:bold">'
    const paragraph = '<p style="color:rgb\\(255,0,0\\);text-align:right">'
    const rich = await free(`${plain}/RC(${body}${paragraph}Word</p></body>)`)
    const other = await free(plain)
    expect([isSame(styled, red), isSame(rich, red), isSame(other, red)]).toEqual([true, true, false])
  })

  it('reads rich text if there is no plain text', async () => {
    const { text } = await free('/RC(<body><p>One &amp; <b>two</b></p><p>three</p></body>)')
    expect(text.replace(/\s+/g, ' ').trim()).toBe('One & two three')
    expect((await free('/RC(<body><p>broken)')).text.trim()).toBe('')
  })

  it('turns text by /Rotate', async () => {
    const source = '/Subtype/FreeText/DA(/Helv 12 Tf 0 g)/BS<</W 0>>/Contents(wide words)/Rect[10 10 30 75]'
    const upright = await flattenOne(source)
    const turned = await flattenOne(`${source}/Rotate 90`)
    expect([upright.text.trim() === 'wide words', turned.text.trim()]).toEqual([false, 'wide words'])
  })

  it('writes the text of stamps', async () => {
    const words: Record<string, string> = {
      '/Name/Approved': 'APPROVED',
      '/Name/NotForPublicRelease': 'NOT FOR PUBLIC RELEASE',
      '/Name/TopSecret': 'TOP SECRET',
      '/Name/SBConfidential': 'CONFIDENTIAL',
      '/Name/Own_words': 'OWN WORDS',
      '': 'DRAFT',
    }
    for (const [name, expected] of Object.entries(words)) {
      expect((await flattenOne(`/Subtype/Stamp${name}${box}`)).text.replace(/\s+/g, ' ').trim(), name).toBe(expected)
    }
  })

  it('writes captions on lines, and applies the offset of a caption', async () => {
    const line = '/Subtype/Line/L[10 30 110 30]/C[1 0 0]/Contents(12 mm)/Rect[0 0 120 80]'
    expect((await flattenOne(line)).text.trim()).toBe('')
    const inline = await flattenOne(`${line}/Cap true`)
    const moved = await flattenOne(`${line}/Cap true/CO[0 20]`)
    const above = await flattenOne(`${line}/Cap true/CP/Top`)
    expect([inline.text.trim(), moved.text.trim(), above.text.trim()]).toEqual(['12 mm', '12 mm', '12 mm'])
    // The line has a gap for a caption that stands in the line.
    expect([inline, moved, above].map(one => colorAt(one, 45, 30)[1] !== 255)).toEqual([false, true, true])
    const backward = await flattenOne(`${line.replace('10 30 110 30', '110 30 10 30')}/Cap true`)
    expect(isSame(backward, inline)).toBe(true)
  })
})
