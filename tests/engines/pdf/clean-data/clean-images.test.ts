import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encodeJbig2 } from '../../../../engines/features/compression/recoding/jbig2-encoder'
import { cleanStreams } from '../../../../engines/pdf/clean-data'
import { openDocument } from '../../../../engines/pdf/open'
import { saveDocument } from '../../../../engines/pdf/save'
import { FAX_CODINGS, IMAGES, makePage, showImage } from '../../../fixtures/images'
import { readImages } from '../../../support/pdfjs-images'
import { renderPage } from '../../../support/reader'
import { isInViews, readByteViews } from '../../../support/redaction-judges/byte-views'
import { LIMITS } from '../../../support/run-on'
import { IS_COMPLETE } from '../../../support/scope'

type ImageFile = (typeof IMAGES)[string]

const SECRET = 'QUIMBYSECRET'
const MATRIX = '128 0 0 96 20 20'

async function clean(file: Uint8Array): Promise<Buffer> {
  const document = openDocument(file, LIMITS)
  expect(await cleanStreams(document)).toEqual([])
  return Buffer.from(saveDocument(document).join())
}

/**
 * Expects that cleaning removes the secret, and that PDFium decodes the same pixels as without the secret. PDF.js too,
 * except for formats that it doesn't decode here.
 */
async function expectClean(file: Buffer, plain: Buffer): Promise<void> {
  expect(isInViews(readByteViews(file), SECRET)).toBe(true)
  const cleaned = await clean(file)
  expect(isInViews(readByteViews(cleaned), SECRET)).toBe(false)
  if (!/JPX|Align/.test(plain.toString('latin1'))) expect(await readImages(cleaned)).toEqual(await readImages(plain))
  expect((await renderPage(cleaned, 0)).pixels.equals((await renderPage(plain, 0)).pixels)).toBe(true)
}

const show = (dictionary: string, data: Buffer): Buffer => showImage({ dictionary, data }, MATRIX)

const image = (name: string): ImageFile => {
  const found = IMAGES[name] ?? FAX_CODINGS[name]
  if (!found) throw new Error(name)
  return found
}

/** A marker segment of JPEG or JPEG 2000 with the secret. */
const segment = (marker: number, before = ''): Buffer => {
  const data = Buffer.from(`${before}${SECRET}`, 'latin1')
  const head = Buffer.from([0xff, marker, 0, data.length + 2])
  return Buffer.concat([head, data])
}
const insert = (data: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([data.subarray(0, at), part, data.subarray(at)])
const box = (kind: string, data: Buffer | string): Buffer => {
  const body = Buffer.from(data as string, 'latin1')
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, body])
}

const coded = [
  'baseline JPEG',
  'progressive JPEG',
  'JPEG in four colors',
  'JPEG 2000',
  'fax',
  ...Object.keys(FAX_CODINGS),
]

describe('an image', () => {
  it.each([...Object.keys(IMAGES), ...Object.keys(FAX_CODINGS)])('ends with its data: %s', async name => {
    const { dictionary, data } = image(name)
    await expectClean(show(dictionary, Buffer.concat([data, Buffer.from(SECRET)])), show(dictionary, data))
  })

  it.each(coded)('loses other filters around its data, and what they skip: %s', async name => {
    const { dictionary, data } = image(name)
    const outer = Buffer.concat([deflateSync(Buffer.concat([data, Buffer.from(SECRET)])), Buffer.from(SECRET)])
    const parameters = dictionary
      .replace('/DecodeParms<<', '/DecodeParms[null<<')
      .replace(/(\/DecodeParms\[.*?>>)/, '$1]')
    const chained = parameters.replace(/\/Filter\[?\/(\w+)\]?/, '/Filter[/FlateDecode/$1]')
    await expectClean(show(chained, outer), show(dictionary, data))
  })

  it.each(IS_COMPLETE ? ['baseline JPEG', 'progressive JPEG', 'JPEG in four colors'] : ['JPEG in four colors'])(
    'keeps only needed segments: %s',
    async name => {
      const { dictionary, data } = image(name)
      const unused = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 3]), Buffer.from(SECRET.padEnd(64, 'x'))])
      const parts = [0xfe, 0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xef, 0xf0].map(marker => segment(marker, 'x\0'))
      for (const part of [...parts, unused, segment(0xe2, 'ICC_PROFILE\0\x01\x01')])
        await expectClean(show(dictionary, insert(data, 2, part)), show(dictionary, data))
      const gap = 4 + data.readUInt16BE(4)
      await expectClean(show(dictionary, insert(data, gap, Buffer.from(SECRET))), show(dictionary, data))
      const scan = data.lastIndexOf(Buffer.from([0xff, 0xda]))
      await expectClean(show(dictionary, insert(data, scan, segment(0xfe))), show(dictionary, data))
      await expectClean(show(dictionary, insert(data, data.length - 2, segment(0xfe))), show(dictionary, data))
    },
  )

  it('keeps only needed boxes and segments of JPEG 2000', async () => {
    const { dictionary, data } = image('JPEG 2000')
    const [type, header, stream] = ['ftyp', 'jp2h', 'jp2c'].map(kind => data.indexOf(kind) - 4) as [
      number,
      number,
      number,
    ]
    const boxes = [
      box('uuid', SECRET),
      box('xml ', SECRET),
      box('asoc', Buffer.concat([box('lbl ', SECRET), box('xml ', '<x/>')])),
      box('QQQQ', SECRET),
    ]
    for (const part of boxes) await expectClean(show(dictionary, insert(data, stream, part)), show(dictionary, data))
    for (const part of boxes) {
      const inside = insert(data, stream, part)
      inside.writeUInt32BE(inside.readUInt32BE(header) + part.length, header)
      await expectClean(show(dictionary, inside), show(dictionary, data))
    }
    const brands = insert(data, header, Buffer.from(SECRET))
    brands.writeUInt32BE(brands.readUInt32BE(type) + SECRET.length, type)
    await expectClean(show(dictionary, brands), show(dictionary, data))
    const comment = insert(data, data.indexOf(Buffer.from([0xff, 0x52])), segment(0x64, '\0\x01'))
    comment.writeUInt32BE(comment.readUInt32BE(stream) + SECRET.length + 6, stream)
    await expectClean(show(dictionary, comment), show(dictionary, data))
  })

  it('keeps only needed segments of JBIG2', async () => {
    const bits = Buffer.from(Array.from({ length: 8 * 48 }, (_, index) => (index * 57) % 256))
    const data = Buffer.from(encodeJbig2({ width: 64, height: 48, bits }))
    const dictionary = '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode'
    const other = (type: number): Buffer => {
      const head = Buffer.from([0, 0, 0, 40, type, 0, 1, 0, 0, 0, SECRET.length])
      return Buffer.concat([head, Buffer.from(SECRET)])
    }
    for (const type of [62, 52, 54, 51, 0, 53]) {
      const file = show(dictionary, Buffer.concat([data, other(type)]))
      expect(isInViews(readByteViews(await clean(file)), SECRET)).toBe(false)
      expect(await readImages(await clean(file))).toEqual(await readImages(show(dictionary, data)))
    }
  })

  it('stays as it is if nothing has to go', async () => {
    for (const name of ['one bit of gray', 'baseline JPEG', 'JPEG 2000']) {
      const first = await clean(showImage(image(name), MATRIX))
      expect((await clean(first)).equals(first), name).toBe(true)
    }
  })
})

describe('an inline image', () => {
  const jpeg = image('baseline JPEG').data
  const photo = '/W 64/H 48/CS/RGB/BPC 8'
  const square = '/W 4/H 2/CS/G/BPC 8'
  const gray = Buffer.alloc(8, 0x60)
  const plainPhoto = { entries: `${photo}/F/DCT`, data: jpeg }
  const plainSquare = { entries: square, data: gray }
  const drafts: [string, string, Buffer, typeof plainPhoto][] = [
    ['a comment in its dictionary', `/W 4/H 2%${SECRET}\n/CS/G/BPC 8`, gray, plainSquare],
    ['an unknown key', `${square}/Note(${SECRET})`, gray, plainSquare],
    ['an unknown parameter', `${square}/F/Fl/DP<</${SECRET} 1/Predictor 1>>`, deflateSync(gray), plainSquare],
    ['a comment in its JPEG', `${photo}/F/DCT`, insert(jpeg, 2, segment(0xfe)), plainPhoto],
    ['data after its JPEG', `${photo}/F/DCT`, Buffer.concat([jpeg, Buffer.from(SECRET)]), plainPhoto],
    ['a comment below a filter', `${photo}/F[/Fl/DCT]`, deflateSync(insert(jpeg, 2, segment(0xfe))), plainPhoto],
    ['rows after the last one', `${square}/F/Fl`, deflateSync(Buffer.concat([gray, Buffer.from(SECRET)])), plainSquare],
    [
      'letters that a filter skips',
      `${square}/F/AHx`,
      Buffer.from(`6060<${SECRET}`.replace(/[A-F]/g, 'x')),
      plainSquare,
    ],
  ]
  const draw = (entries: string, data: Buffer): Buffer =>
    makePage(`q ${MATRIX} cm BI ${entries} ID ${data.toString('latin1')}\nEI Q 0 0 10 10 re f`)
  it.each(drafts)('loses %s', async (_name, entries, data, plain) => {
    const digits = data.toString('latin1').includes('6060<')
      ? Buffer.concat([data, Buffer.from('606060606060>')])
      : data
    const cleaned = await clean(draw(entries, digits))
    for (const word of [SECRET, SECRET.replace(/[A-F]/g, 'x')])
      expect(isInViews(readByteViews(cleaned), word)).toBe(false)
    const shown = (await renderPage(draw(plain.entries, plain.data), 0)).pixels
    expect((await renderPage(cleaned, 0)).pixels.equals(shown)).toBe(true)
  })
})
