import { describe, expect, it } from 'vitest'
import { holdsName } from '../../../../engines/features/redaction/names/content-names'
import { readColumns } from '../../../../engines/features/redaction/search/column-order'
import { decodedTexts } from '../../../../engines/features/redaction/search-rules/encoded-text'
import { findUrls } from '../../../../engines/features/redaction/search-rules/find-addresses'
import { Rule } from '../../../../engines/features/redaction/search-rules/rule'
import { textsOfBytes } from '../../../../engines/features/redaction/matching/byte-texts'
import type { PageText } from '../../../../engines/pdf/rendering/page-text'
import { makeTrap } from '../../../fixtures/traps'
import { runOn } from '../../../support/run-on'

describe('limits of a redaction', () => {
  it('are recorded for rules with too many matched texts', () => {
    const rule = new Rule({ regex: '[a-z]\\d+', caseSensitive: false, wholeWord: false }, 'options.search[0]', 1)
    for (let count = 0; count < 10_000; count++) rule.remember(`a${count}`)
    rule.remember('a1')
    expect(rule.hasForgotten).toBe(false)
    rule.remember('b1')
    expect(rule.hasForgotten).toBe(true)
  })

  it('are recorded for pages with too many pieces of text', () => {
    const count = 20_001
    const place = (index: number) => ({ left: index * 50, bottom: 0, right: index * 50 + 5, top: 10 })
    const texts = Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 'a' : ' '))
    const characters = { texts, roomOf: place, shapeOf: place } as unknown as PageText
    let failed = 0
    readColumns(characters, texts, { toSeen: box => box, fail: () => failed++ })
    expect(failed).toBe(1)
  })

  it('set the result to not verified if a stream of the document cannot be decoded', async () => {
    const { file } = makeTrap({
      catalog: pdf =>
        `/OpenAction<</S/JavaScript/JS ${pdf.add('<</Filter/Unheard/Length 1>>\nstream\nx\nendstream')} 0 R>>`,
    })
    const { headers } = await runOn('pdf-redaction', file, { search: [{ regex: 'Nothing\\d+' }] })
    expect(headers['X-Redaction-Verified']).toBe('false')
  })

  it('do not end the search of long data, long names, long URLs and nested escapes', () => {
    const text = '欧阳维克斯'
    // GBK
    const bytes = Buffer.concat([Buffer.alloc(6_000_000, 0x20), Buffer.from('c5b7d1f4ceacbfcbcbb9', 'hex')])
    expect(textsOfBytes(bytes, { isForeign: true }).some(found => found.includes(text))).toBe(true)
    const name = `/${'a'.repeat(3000)}Vexholm`
    expect(holdsName(Buffer.from(`${name} BMC`), found => found.includes('Vexholm'))).toBe(true)
    const url = `https://example.com/${'a'.repeat(5000)}/end`
    expect(findUrls(`see ${url} there`)).toEqual([{ start: 4, end: 4 + url.length }])
    let escaped = 'V'
    for (let layer = 0; layer < 5; layer++)
      escaped = Array.from(escaped, sign => `%${sign.charCodeAt(0).toString(16)}`).join('')
    expect(decodedTexts(`https://example.com/${escaped}`, 'text')).toContain('https://example.com/V')
  })
})
