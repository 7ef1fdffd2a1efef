import { describe, expect, it } from 'vitest'
import { writeCmykProfile } from '../../../../../engines/standards/archival/profiles/cmyk-profile'
import { writeGrayProfile, writeSrgbProfile } from '../../../../../engines/standards/archival/profiles/icc-profile'
import { Draft } from '../../../../fixtures/draft'
import { renderPage } from '../../../../support/reader'

/** A page with squares of some colors, in a device color space or in the color space of a profile. */
function paint(colors: readonly (readonly number[])[], profile?: Uint8Array): Buffer {
  const draft = new Draft({ pages: 1, size: [100, 100] })
  const components = colors[0]?.length ?? 1
  const stream = profile && draft.pdf.addStream(`/N ${components}`, profile)
  const space = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[components]
  const page = draft.page(1)
  page.content.length = 0
  if (stream) page.entries.push(`/Resources<</ColorSpace<</CS [/ICCBased ${stream} 0 R]>>>>`)
  for (const [index, color] of colors.entries())
    page.content.push(`${stream ? '/CS' : space} cs ${color.join(' ')} scn ${index * 10} 0 10 100 re f`)
  return draft.write()
}

const COLORS = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value, index) => [value, (index % 3) / 2, 1 - value])
/** Paper, single inks, halftones and black. */
const INKS = [
  [0, 0, 0, 0],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0.5, 0.4, 0.4, 0],
  [0.2, 0.6, 0.8, 0.1],
  [0, 0, 0, 0.5],
  [0, 0, 0, 1],
]
const TABLES = ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'gamt']
const GRAYS = [0, 0.2, 0.4, 0.6, 0.8, 1].map(value => [value])

describe('the ICC profiles of output intents', () => {
  it.each([
    ['sRGB', COLORS, writeSrgbProfile(), 2],
    ['gray', GRAYS, writeGrayProfile(), 2],
    ['CMYK', INKS, writeCmykProfile(), 40],
  ])('show colors like the device color space: %s', async (_name, colors, profile, most) => {
    const [plain, managed] = await Promise.all([renderPage(paint(colors), 0), renderPage(paint(colors, profile), 0)])
    for (const [index] of colors.entries()) {
      const at = (50 * plain.width + index * 10 + 5) * 4
      for (let channel = 0; channel < 3; channel++)
        expect(Math.abs((plain.pixels[at + channel] ?? 0) - (managed.pixels[at + channel] ?? 255))).toBeLessThanOrEqual(
          most,
        )
    }
  })

  it('have the header, the tags and the size that ICC.1 requires', () => {
    for (const [bytes, kind, tags] of [
      [writeSrgbProfile(), 'mntrRGB XYZ ', ['desc', 'cprt', 'wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC']],
      [writeCmykProfile(), 'prtrCMYKLab ', ['desc', 'cprt', 'wtpt', ...TABLES]],
      [writeGrayProfile(), 'mntrGRAYXYZ ', ['desc', 'cprt', 'wtpt', 'kTRC']],
    ] as const) {
      const data = Buffer.from(bytes)
      expect(data.readUInt32BE(0)).toBe(data.length)
      expect(data.toString('latin1', 36, 40)).toBe('acsp')
      expect(data.toString('latin1', 12, 24)).toBe(kind)
      const count = data.readUInt32BE(128)
      const found = Array.from({ length: count }, (_, index) =>
        data.toString('latin1', 132 + 12 * index, 136 + 12 * index),
      )
      expect(found).toEqual(tags)
      for (let index = 0; index < count; index++) {
        const [place, length] = [data.readUInt32BE(136 + 12 * index), data.readUInt32BE(140 + 12 * index)]
        expect(place % 4).toBe(0)
        expect(place + length).toBeLessThanOrEqual(data.length)
      }
    }
  })

  it('are the same on every run', () => {
    expect(Buffer.from(writeSrgbProfile()).equals(Buffer.from(writeSrgbProfile()))).toBe(true)
  })
})
