import { describe, expect, it } from 'vitest'
import { brokenRules, iccProfile, type RuleCase, type SmallPdf, type StreamPart } from './small-pdf'

const draw = (entries: string, objects: Record<string, StreamPart> = {}, data: string | Uint8Array = ''): SmallPdf => ({
  content: '/X Do',
  resources: '/XObject<</X @image>>',
  objects: { image: [`/Subtype/Image${entries}`, data], ...objects },
})
const inline = (entries: string): SmallPdf => ({ content: `BI /W 1 /H 1 ${entries} ID x EI` })
const withMask = (key: string, entries: string): SmallPdf =>
  draw(`/${key} @mask`, { mask: [`/Subtype/Image${entries}`, ''] })

const box = (kind: string, ...data: Uint8Array[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + Buffer.concat(data).length, 0)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, ...data])
}
const colr = (method: number, approximation: number, more: Uint8Array = Buffer.alloc(0)): Buffer =>
  box('colr', Buffer.from([method, 0, approximation]), more)
const SRGB = Buffer.from([0, 0, 0, 16])

/** A JPEG 2000 file without image data. */
const jp2 = ({ channels = 3, depth = 8, colors = [colr(1, 0, SRGB)], more = [] as Buffer[] } = {}): Buffer =>
  Buffer.concat([
    box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    box(
      'jp2h',
      box('ihdr', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0, channels, depth - 1, 7, 0, 0])),
      ...colors,
      ...more,
    ),
  ])
const jpx = (data: Uint8Array, entries = ''): SmallPdf => draw(`/Filter/JPXDecode${entries}`, {}, data)

const CASES: RuleCase[] = [
  ['alternates', 'pdfa-1b', '6.2.4-1', draw('/Alternates[]'), draw('')],
  ['alternates', 'pdfa-2b', '6.2.8-1', draw('/Alternates[]'), draw('')],
  ['OPI', 'pdfa-1b', '6.2.4-2', draw('/OPI<<>>'), draw('')],
  ['OPI', 'pdfa-2b', '6.2.8-2', draw('/OPI<<>>'), draw('')],
  ['interpolation', 'pdfa-1b', '6.2.4-3', draw('/Interpolate true'), draw('/Interpolate false')],
  ['interpolation', 'pdfa-2b', '6.2.8-3', inline('/I true'), inline('/I false')],
  ['interpolated soft mask', 'pdfa-2b', '6.2.8-3', withMask('SMask', '/Interpolate true'), withMask('SMask', '')],
  ['bits', 'pdfa-1b', '6.2.4-4', draw('/BitsPerComponent 16'), draw('/BitsPerComponent 8')],
  ['bits', 'pdfa-2b', '6.2.8-4', draw('/BitsPerComponent 3'), draw('/BitsPerComponent 16')],
  ['bits of a mask', 'pdfa-1b', '6.2.4-5', inline('/IM true /BPC 8'), inline('/IM true /BPC 1')],
  [
    'bits of a mask',
    'pdfa-2b',
    '6.2.8-5',
    withMask('Mask', '/BitsPerComponent 2'),
    withMask('Mask', '/BitsPerComponent 1'),
  ],
  ['soft mask', 'pdfa-1b', '6.4-2', withMask('SMask', ''), draw('')],
  ['intent', 'pdfa-1b', '6.2.9-1', draw('/Intent/Other'), draw('/Intent/Perceptual')],
  ['intent', 'pdfa-2b', '6.2.6-1', inline('/Intent /Other'), inline('/Intent /Perceptual')],
  ['filter', 'pdfa-1b', '6.1.10-2', inline('/F /LZW'), inline('/F /Fl')],
  ['filter', 'pdfa-2b', '6.1.10-1', inline('/F [/AHx /LZWDecode]'), inline('/F [/AHx /FlateDecode]')],
  ['channels', 'pdfa-2b', '6.2.8.3-1', jpx(jp2({ channels: 5 })), jpx(jp2())],
  ['channels', 'pdfa-2b', '6.2.8.3-1', jpx(Buffer.from('no file')), jpx(jp2())],
  [
    'color specifications',
    'pdfa-2b',
    '6.2.8.3-2',
    jpx(jp2({ colors: [colr(1, 0, SRGB), colr(1, 0, SRGB)] })),
    jpx(jp2({ colors: [colr(1, 0, SRGB), colr(1, 1, SRGB)] })),
  ],
  ['method', 'pdfa-2b', '6.2.8.3-3', jpx(jp2({ colors: [colr(4, 0)] })), jpx(jp2({ colors: [colr(3, 0)] }))],
  ['method', 'pdfa-2b', '6.2.8.3-3', jpx(jp2({ colors: [] })), jpx(jp2({ colors: [] }), '/ColorSpace/DeviceRGB')],
  ['CIEJab', 'pdfa-2b', '6.2.8.3-4', jpx(jp2({ colors: [colr(1, 0, Buffer.from([0, 0, 0, 19]))] })), jpx(jp2())],
  ['bit depth', 'pdfa-2b', '6.2.8.3-5', jpx(jp2({ depth: 39 })), jpx(jp2({ depth: 38 }))],
  ['bit depths', 'pdfa-2b', '6.2.8.3-5', jpx(jp2({ more: [box('bpcc', Buffer.from([7]))] })), jpx(jp2())],
  [
    'CMYK in JPEG 2000 data',
    'pdfa-2b',
    '6.2.4.3-3',
    jpx(jp2({ channels: 4, colors: [colr(1, 0, Buffer.from([0, 0, 0, 12]))] })),
    jpx(jp2()),
  ],
  [
    'profile in JPEG 2000 data',
    'pdfa-2b',
    '6.2.4.2-1',
    jpx(jp2({ colors: [colr(2, 0, iccProfile('XYZ '))] })),
    jpx(jp2({ colors: [colr(2, 0, iccProfile())] })),
  ],
]

describe('image rules', () => {
  it.each(CASES)('%s, %s: %s', (_name, profile, rule, broken, valid) => {
    expect(brokenRules(broken, profile)).toContain(rule)
    expect(brokenRules(valid, profile)).not.toContain(rule)
  })

  it('checks alternate images', async () => {
    const file = draw('/Alternates[<</Image @other>>]', { other: ['/Subtype/Image/Interpolate true', ''] })
    expect(brokenRules(file, 'pdfa-2b')).toContain('6.2.8-3')
  })
})
