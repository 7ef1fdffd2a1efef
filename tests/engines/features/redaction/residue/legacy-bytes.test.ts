import { describe, expect, it } from 'vitest'
import { RemovedTerms } from '../../../../../engines/features/redaction/residue/removed-terms'
import { Rule } from '../../../../../engines/features/redaction/search-rules/rule'
import { makeTrap } from '../../../../fixtures/traps'
import { runOn } from '../../../../support/run-on'

/** A name in the encodings of East Asian and Cyrillic systems. */
const SPELLED: [encoding: string, text: string, hex: string][] = [
  ['GBK', '欧阳维克斯', 'c5b7d1f4ceacbfcbcbb9'],
  ['Big5', '歐陽維克斯', 'bcdab6a7bafba74ab4b5'],
  ['Shift JIS', '長谷川維久須', '92b7924a90ec88db8b76907b'],
  ['EUC-KR', '김철수입니다', 'b1e8c3b6bcf6c0d4b4cfb4d9'],
  ['Windows-1251', 'Векслолм', 'c2e5eaf1ebeeebec'],
  ['Windows-1250', 'Łukasz Żółkiewski', 'a3756b61737a20aff3b36b696577736b69'],
]

const termsFor = (text: string): RemovedTerms =>
  new RemovedTerms([new Rule({ text, caseSensitive: false, wholeWord: false }, 'options.search[0]', 1)])

describe.each(SPELLED)('a term in %s', (_, text, hex) => {
  const bytes = Buffer.from(hex, 'hex')

  it('is found in bytes, also behind other bytes and as hexadecimal digits', () => {
    const terms = termsFor(text)
    expect(terms.isInBytes(bytes)).toBe(true)
    expect(terms.isInBytes(Buffer.concat([Buffer.from('ab\u0001', 'latin1'), bytes, Buffer.from('\0')]))).toBe(true)
    expect(terms.isInBytes(Buffer.from(`x ${hex} y`))).toBe(true)
    expect(terms.isInBytes(Buffer.from([...bytes].reverse()))).toBe(false)
  })

  it('is removed from comments of content streams, from names and from XFA forms', async () => {
    const name = `/${hex.replace(/../g, '#$&')}`
    const { file } = makeTrap({
      content: `% ${bytes.toString('latin1')}\n${name} BMC EMC`,
      catalog: pdf =>
        `/AcroForm<</Fields[]/XFA ${pdf.addStream('', Buffer.from(`<xdp><a>${bytes.toString('latin1')}</a></xdp>`, 'latin1'))} 0 R>>`,
    })
    const { bytes: result, headers } = await runOn('pdf-redaction', file, { search: [{ text }] })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(1)
    expect(result.toString('latin1')).not.toMatch(/XFA/)
  })
})

describe('numbers in property lists of content', () => {
  it.each(['/Span<</Nr 72839114>>BDC EMC', '/P<</X[72839114 1]>>DP', '/P<</MCID 72839114>>BDC EMC'])(
    'are removed if they are a term: %s',
    async content => {
      const { file } = makeTrap({ content })
      const { headers } = await runOn('pdf-redaction', file, { search: [{ text: '72839114' }] })
      expect(headers['X-Redaction-Verified']).toBe('true')
    },
  )
})
