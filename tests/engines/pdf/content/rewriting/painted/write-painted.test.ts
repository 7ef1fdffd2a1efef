import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../../fixtures/draft'
import { readPdf } from '../../../../../support/reader'
import { runOn } from '../../../../../support/run-on'
import { findTraces } from '../../../../../support/traces'

const SECRET = 'SECRETNAME'

/** Covers the text that every page of a draft has. */
const AREA = { page: 1, x: 50, y: 590, width: 500, height: 30 }

async function redact(content: (text: string) => string, resources = ''): Promise<{ left: string[]; text: string }> {
  const draft = new Draft({ pages: 1 })
  const page = draft.page(1)
  page.content[0] = content(page.content[0] ?? '')
  page.content.push('BT /F1 9 Tf 50 20 Td (stays) Tj [(al) -20 (so)] TJ ET')
  page.resources = resources
  const { bytes } = await runOn('pdf-redaction', draft.write(), { areas: [AREA] })
  return { left: findTraces(bytes, [SECRET]), text: (await readPdf(bytes)).pages[0]?.text ?? '' }
}

describe('redaction of an area removes from the content', () => {
  it.each<[string, (text: string) => string, string?]>([
    ['comments', text => `% ${SECRET}\n${text} % ${SECRET}`],
    ['comments inside operations', text => text.replace(' Tj', ` % ${SECRET}\n Tj [(x) % ${SECRET}\n (y)] TJ`)],
    ['the text of a marked point', text => `/Span <</ActualText(${SECRET})>> DP ${text}`],
    [
      'the text of a sequence that draws nothing',
      text => `/Span <</ActualText(${SECRET})/MCID 3>> BDC 9 w EMC ${text}`,
    ],
    [
      'the text of such a sequence in the resources',
      text => `/Span /P BDC EMC ${text}`,
      `/Properties<</P<</ActualText(${SECRET})>>>>`,
    ],
    ['strings of operators that show none', text => `(${SECRET}) 1 0 0 1 0 0 cm ${text}`],
    ['additional strings', text => text.replace('Tj', `Tj (${SECRET}) (x) Tj`)],
    ['strings before an inline image', text => `(${SECRET}) BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ${text}`],
    ['unknown operators', text => `BX ${SECRET} (${SECRET}) foo /${SECRET} 3 bar EX ${text}`],
    ['operands without an operator', text => `${text} (${SECRET})`],
  ])('%s', async (_, content, resources) => {
    const { left, text } = await redact(content, resources)
    expect(left).toEqual([])
    expect(text.replaceAll(/\s/g, '')).toBe('staysalso')
  })

  it('but keeps the end of a long array', async () => {
    const { text } = await redact(content => `${content} BT /F1 1 Tf 9 50 Td [${'(a) 0 '.repeat(6000)}(z)] TJ ET`)
    expect(text).toContain('z')
  })

  it('but keeps the text of a sequence that is still drawn', async () => {
    expect((await redact(text => `/Span <</ActualText(${SECRET})>> BDC 0 0 9 9 re f EMC ${text}`)).left).toEqual([
      SECRET,
    ])
  })
})
