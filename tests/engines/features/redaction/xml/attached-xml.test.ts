import { expect, it } from 'vitest'
import { makeTrap } from '../../../../fixtures/traps'
import { runOn } from '../../../../support/run-on'
import { findTraces } from '../../../../support/traces'

it('an attached file of XML keeps its bytes, even if its stream has no type', async () => {
  const { file } = makeTrap({
    content: 'BT /F 15 Tf 60 145 Td (Quimby) Tj ET',
    catalog: pdf => {
      const data = pdf.addStream('', '<?xml version="1.0"?><person><name>Ms Quimby</name></person>')
      const spec = pdf.add(`<</Type/Filespec/F(a.xml)/UF(a.xml)/EF<</F ${data} 0 R>>>>`)
      return `/Names<</EmbeddedFiles<</Names[(a.xml) ${spec} 0 R]>>>>`
    },
  })
  const { bytes, headers, warnings } = await runOn('pdf-redaction', file, { search: [{ text: 'Quimby' }] })
  expect(headers['X-Redaction-Verified']).toBe('false')
  expect(warnings).toEqual(['attachments-not-searched'])
  expect(findTraces(bytes, ['<name>Ms Quimby</name>'])).toEqual(['<name>Ms Quimby</name>'])
})
