import { describe, expect, it } from 'vitest'
import { makeScan } from '../../../../fixtures/scan'
import { SHADES } from '../../../../fixtures/shades'
import { runOn } from '../../../../support/run-on'

const LINES = [
  'The lighthouse keeper wrote one line',
  'each evening before the lamp was lit',
  'and the stairs went dark. Nobody',
  'read these books until the tower',
  'was sold and a child found them.',
]
const TEXT = LINES.join(' ')

describe('text recognition', () => {
  it.each(Object.entries(SHADES))('reads every word on paper with %s', async (_, shade) => {
    const { bytes, warnings } = await runOn('pdf-ocr', await makeScan([{ lines: LINES, shade }]), {
      outputFormat: 'text',
    })
    expect({ text: bytes.toString('utf8').replace(/\s+/g, ' ').trim(), warnings }).toEqual({ text: TEXT, warnings: [] })
  })
})
