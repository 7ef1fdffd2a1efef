import { expect, it } from 'vitest'
import { makeTrap } from '../../../../fixtures/traps'
import { renderPage } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { findTraces } from '../../../../support/traces'

const NUMBER = '7283911445'

it.each([`${NUMBER} w`, `${NUMBER} 1 w`, `0 ${NUMBER} 0 rg`, `${NUMBER} i`, `BT ${NUMBER} 0 Td ET`])(
  'removes a number from the operands of content: %s',
  async operation => {
    const { file } = makeTrap({ content: `q ${operation} Q 5 5 20 20 re f` })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: NUMBER }] })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(findTraces(bytes, [NUMBER])).toEqual([])
  },
)

it.each(['[/Indexed/DeviceGray 1<00ff>]', '[/Separation/A/DeviceGray<</FunctionType 2/Domain[0 1]/N 1>>]'])(
  'removes data after the last row of an inline image in the color space %s',
  async space => {
    const { file } = makeTrap({
      content: 'q 40 0 0 40 20 40 cm BI /W 1/H 1/CS/Own/BPC 8 ID \x01VEXHOLMQUIMB EI Q',
      resources: () => `/ColorSpace<</Own${space}>>`,
    })
    const { bytes } = await runOn('pdf-redaction', file, {
      areas: [{ page: 1, x: 1, y: 1, width: 8, height: 8 }],
      color: '#ffffff',
    })
    expect(findTraces(bytes, ['VEXHOLMQUIMB'])).toEqual([])
    expect((await renderPage(bytes, 0)).pixels.equals((await renderPage(file, 0)).pixels)).toBe(true)
  },
)

it.each([
  String.raw`{"name":"\u0056exholm7283"}`,
  `=?UTF-8?B?${Buffer.from('Vexholm7283').toString('base64')}?=`,
  '=?UTF-8?Q?Vex=68olm7283?=',
])('removes a match from an encoded title: %s', async title => {
  const { file } = makeTrap({
    trailer: pdf => `/Info ${pdf.add(`<</Title<${Buffer.from(title).toString('hex')}>>>`)} 0 R`,
  })
  const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: 'Vexholm7283' }] })
  expect(headers['X-Redactions-Applied']).toBe('1')
  expect(findTraces(bytes, [title])).toEqual([])
})
