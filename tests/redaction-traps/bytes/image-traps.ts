import { makeGrayProfile } from '../../fixtures/gray-profile'
import { deflateSync } from 'node:zlib'
import { encodeJbig2 } from '../../../engines/features/compression/recoding/jbig2-encoder'
import { makeJpeg } from '../../fixtures/jpeg'
import { FAX_CODINGS, IMAGES } from '../../fixtures/images'
import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { ByteTrap } from './byte-trap'

type Hide = (data: Buffer, secret: string) => Buffer

const imageOf = (name: string): (typeof IMAGES)[string] => {
  const found = IMAGES[name] ?? FAX_CODINGS[name]
  if (!found) throw new Error(name)
  return found
}

/** A trap in an image with these entries of its dictionary. `plain` is the data without the secret. */
function inImage(name: string, dictionary: string, make: (secret: string) => Buffer, plain?: Buffer): ByteTrap {
  const draw = (data: Buffer, pdf: PdfWriter): { content: string; resources: string } => ({
    content: 'q 60 0 0 60 0 0 cm /I Do Q',
    resources: `/XObject<</I ${pdf.addPlainStream(`/Type/XObject/Subtype/Image${dictionary}`, data)} 0 R>>`,
  })
  return {
    name,
    draw: (secret, pdf) => draw(make(secret), pdf),
    ...(plain && { drawPlain: (pdf: PdfWriter) => draw(plain, pdf) }),
  }
}

const SIZE = '/Width 64/Height 48'

/** Traps in an image of the fixtures, one for each way to hide. */
function inFixture(image: string, ways: Readonly<Record<string, Hide>>): ByteTrap[] {
  const { dictionary, data } = imageOf(image)
  return Object.entries(ways).map(([way, hide]) =>
    inImage(`${image}: ${way}`, `${SIZE}${dictionary}`, secret => hide(data, secret), data),
  )
}

const insert = (data: Buffer, at: number, ...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat([
    data.subarray(0, at),
    ...parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    data.subarray(at),
  ])

const pick = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> =>
  Object.fromEntries(entries)

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)])

/** A marker segment of JPEG or JPEG 2000. */
const segment = (marker: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(text.length + 2), Buffer.from(text, 'latin1')])

/** Makes a segment of the file longer by the secret. */
function lengthen(data: Buffer, marker: number, secret: string): Buffer {
  const at = data.indexOf(Buffer.from([0xff, marker]))
  const length = data.readUInt16BE(at + 2)
  const longer = insert(data, at + 2 + length, secret)
  longer.writeUInt16BE(length + secret.length, at + 2)
  return longer
}

const hex = (value: number): string => value.toString(16)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** The first words of application segments that programs write. */
const WORDS = [
  '',
  'JFIF\0\x01\x01\0\0\x01\0\x01\0\0',
  'JFXX\0\x10',
  'Exif\0\0',
  'http://ns.adobe.com/xap/1.0/\0',
  'ICC_PROFILE\0\x01\x01',
  'MPF\0',
  'Photoshop 3.0\x008BIM',
  'Ducky',
  'Adobe\0\x64\0\0\0\0\x01',
]

const endOf = (data: Buffer): number => data.lastIndexOf(Buffer.from([0xff, 0xd9]))
const scanOf = (data: Buffer): number => data.lastIndexOf(Buffer.from([0xff, 0xda]))

/** Segments of ITU-T T.81, table B.1, with unknown data, and places between them. */
const IN_JPEG: Readonly<Record<string, Hide>> = {
  ...pick(
    range(0xe0, 0xef).flatMap(marker =>
      WORDS.filter(word => word !== WORDS[9] || marker !== 0xee).map(
        (word, index) =>
          [
            `segment ${hex(marker)}, ${index}`,
            (data: Buffer, secret: string) => insert(data, 2, segment(marker, word + secret)),
          ] as const,
      ),
    ),
  ),
  ...pick(
    [0xfe, 0xcc, 0xdc, 0xde, 0xdf, 0xc8, 0x02, 0x4f, 0xbf, ...range(0xf0, 0xfd)].map(
      marker =>
        [
          `segment ${hex(marker)}`,
          (data: Buffer, secret: string) => insert(data, 2, segment(marker, `\0\0${secret}`)),
        ] as const,
    ),
  ),
  ...pick(
    [0xfe, 0xe1, 0xed, 0xfa].map(
      marker =>
        [
          `segment ${hex(marker)} before the last scan`,
          (data: Buffer, secret: string) => insert(data, scanOf(data), segment(marker, secret)),
        ] as const,
    ),
  ),
  ...pick(
    [0xfe, 0xe1, 0xdd, 0xdc].map(
      marker =>
        [
          `segment ${hex(marker)} before the end`,
          (data: Buffer, secret: string) => insert(data, endOf(data), segment(marker, `\0\0${secret}`)),
        ] as const,
    ),
  ),
  ...pick(
    [0xc4, 0xdb, 0xda].map(
      marker =>
        [`a longer segment ${hex(marker)}`, (data: Buffer, secret: string) => lengthen(data, marker, secret)] as const,
    ),
  ),
  'before the start': (data, secret) => insert(data, 0, secret),
  'after the end': (data, secret) => insert(data, data.length, secret),
  'a second file after the end': (data, secret) => insert(data, data.length, insert(data, 2, segment(0xfe, secret))),
  'after the last block': (data, secret) => insert(data, endOf(data), secret),
  'after the last block and a restart marker': (data, secret) => insert(data, endOf(data), '\xff\xd0', secret),
  'between segments': (data, secret) => insert(data, 4 + data.readUInt16BE(4), secret),
  'after fill bytes': (data, secret) => insert(data, 2, '\xff\xff\xff\xff\xfe', u16(secret.length + 2), secret),
  'after a marker without a length': (data, secret) => insert(data, 2, '\xff\xd3', secret),
  'an unused quantization table': (data, secret) => insert(data, 2, segment(0xdb, `\x03${secret.padEnd(64, 'x')}`)),
  'an unused Huffman table': (data, secret) =>
    insert(data, 2, segment(0xc4, `\x13\0\0\0\0\x0c${'\0'.repeat(11)}${secret}`)),
  'a replaced quantization table': (data, secret) => {
    const at = data.indexOf(Buffer.from([0xff, 0xdb]))
    return insert(data, at, segment(0xdb, `\0${secret.padEnd(64, 'x')}`))
  },
}

/** An image of three blocks, each in its own restart interval. The secret is after the last block of one of them. */
function withRestarts(at: number, secret: string): Buffer {
  const one = makeJpeg({ blocks: [[[128]]] })
  const file = makeJpeg({ blocks: [[[128], [128], [128]]] })
  const [start, scan] = [scanOf(one) + 10, scanOf(file)]
  const coded = one.subarray(start, endOf(one))
  const intervals = [0, 1, 2].flatMap(index => [
    coded,
    Buffer.from(index === at ? secret : ''),
    ...(index < 2 ? [Buffer.from([0xff, 0xd0 + index])] : []),
  ])
  return Buffer.concat([
    file.subarray(0, scan),
    segment(0xdd, '\0\x01'),
    file.subarray(scan, scan + 10),
    ...intervals,
    Buffer.from([0xff, 0xd9]),
  ])
}

const box = (kind: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map(part => Buffer.from(part as string, 'latin1')))
  return Buffer.concat([u32(body.length + 8), Buffer.from(kind, 'latin1'), body])
}

/** Boxes of ISO/IEC 15444-1 and 15444-2, and an unknown one. */
const BOXES =
  'uuid|xml |url |res |resc|resd|asoc|lbl |uinf|ulst|jp2i|jumb|jumd|free|skip|rreq|nlst|drep|dtbl|ftbl|flst|cref|gtso|' +
  'chck|mp7b|mdat|comp|copt|inst|cgrp|opct|creg|roid|bpcc|cdef|cmap|pclr|jpch|jplh|prfl|QQQQ'

/** Inserts a box into the header box of a file. */
function inHeader(data: Buffer, part: Buffer): Buffer {
  const at = data.indexOf('jp2h') - 4
  const file = insert(data, at + data.readUInt32BE(at), part)
  file.writeUInt32BE(file.readUInt32BE(at) + part.length, at)
  return file
}

/** Changes the codestream of a file, and the length of its box. */
function inCodestream(data: Buffer, change: (codestream: Buffer) => Buffer): Buffer {
  const at = data.indexOf('jp2c') - 4
  return Buffer.concat([data.subarray(0, at), box('jp2c', change(data.subarray(at + 8)))])
}

/** Inserts bytes into the header of the only tile-part, and corrects its length. */
function inTile(codestream: Buffer, part: Buffer): Buffer {
  const start = codestream.indexOf(Buffer.from([0xff, 0x90]))
  const length = codestream.readUInt32BE(start + 6)
  const file = insert(codestream, start + 12, part)
  file.writeUInt32BE(length + part.length, start + 6)
  return file
}

/** A color profile of version 4 with further tags, whose data is padded to four bytes. */
function profileWith(...more: [name: string, data: string][]): Buffer {
  const pad = (part: Buffer): Buffer => Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)])
  const tags = more.map(([name, data]): [string, Buffer] => [name, pad(Buffer.from(data, 'latin1'))])
  return makeGrayProfile(tags, 4)
}

const IN_JPX: Readonly<Record<string, Hide>> = {
  ...pick(
    BOXES.split('|').flatMap(
      kind =>
        [
          [
            `box ${kind} in the file`,
            (data: Buffer, secret: string) => insert(data, data.indexOf('jp2c') - 4, box(kind, secret)),
          ],
          [
            `box ${kind} after the image`,
            (data: Buffer, secret: string) => insert(data, data.length, box(kind, secret)),
          ],
          ...(/bpcc|cdef|cmap|pclr/.test(kind)
            ? []
            : [
                [`box ${kind} in the header`, (data: Buffer, secret: string) => inHeader(data, box(kind, secret))],
                [
                  `box ${kind} in an association`,
                  (data: Buffer, secret: string) => inHeader(data, box('asoc', box('lbl ', 'x'), box(kind, secret))),
                ],
                [
                  `box ${kind} in the header of a codestream`,
                  (data: Buffer, secret: string) =>
                    insert(data, data.indexOf('jp2c') - 4, box('jpch', box(kind, secret))),
                ],
              ]),
        ] as [string, Hide][],
    ),
  ),
  'a color profile': (data, secret) =>
    inHeader(data, box('colr', '\x02\0\0', profileWith(['cprt', `text\0\0\0\0${secret}`]))),
  'a color space of a vendor': (data, secret) => inHeader(data, box('colr', '\x04\0\0', secret)),
  'after an enumerated color space': (data, secret) => inHeader(data, box('colr', '\x01\0\0\0\0\0\x10', secret)),
  ...pick(
    [0x64, 0x63, 0x55, 0x57, 0x58, 0x65, 0x6f, 0x7f].map(
      marker =>
        [
          `segment ${hex(marker)}`,
          (data: Buffer, secret: string) =>
            inCodestream(data, codestream => {
              const at = codestream.indexOf(Buffer.from([0xff, 0x52]))
              return insert(codestream, at, segment(marker, `\0\x01${secret}`))
            }),
        ] as const,
    ),
  ),
  ...pick(
    [0x64, 0x58].map(
      marker =>
        [
          `segment ${hex(marker)} of a tile-part`,
          (data: Buffer, secret: string) =>
            inCodestream(data, codestream => inTile(codestream, segment(marker, `\0\x01${secret}`))),
        ] as const,
    ),
  ),
  ...pick(
    [0x52, 0x5c, 0x51].map(
      marker =>
        [
          `a longer segment ${hex(marker)}`,
          (data: Buffer, secret: string) => inCodestream(data, codestream => lengthen(codestream, marker, secret)),
        ] as const,
    ),
  ),
  'after the end of the codestream': (data, secret) =>
    inCodestream(data, codestream => insert(codestream, codestream.length, secret)),
  'between tile-parts and the end': (data, secret) =>
    inCodestream(data, codestream => insert(codestream, endOf(codestream), secret)),
}

/** Types of JBIG2 segments (ISO/IEC 14492, 7.3) that an embedded stream doesn't need, or that don't exist. */
const JBIG2_TYPES = [0, 1, 2, 3, 5, 8, 15, 16, 17, 19, 24, 35, 41, 44, 51, 52, 53, 54, 60, 61, 62, 63]

function jbig2Traps(): ByteTrap[] {
  const bits = Buffer.from(Array.from({ length: 8 * 48 }, (_, index) => (index * 57) % 256))
  const data = Buffer.from(encodeJbig2({ width: 64, height: 48, bits }))
  const dictionary = `${SIZE}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode`
  const other = (type: number, secret: string): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, 40, type, 0, 1]), u32(secret.length), Buffer.from(secret)])
  return [
    ...JBIG2_TYPES.map(type =>
      inImage(
        `JBIG2: a segment of type ${type}`,
        dictionary,
        secret => insert(data, data.length, other(type, secret)),
        data,
      ),
    ),
    ...JBIG2_TYPES.filter(type => type > 50).map(type =>
      inImage(
        `JBIG2: a segment of type ${type} first`,
        dictionary,
        secret => insert(data, 0, other(type, secret)),
        data,
      ),
    ),
    inImage('JBIG2: after the last segment', dictionary, secret => insert(data, data.length, secret), data),
    inImage('JBIG2: after the coded pixels', dictionary, secret => {
      const at = data.lastIndexOf(Buffer.from([0xff, 0xac])) + 2
      const file = insert(data, at, secret)
      // The length of the region is the last field of its header.
      for (let field = at; field > 3; field--) {
        if (data.readUInt32BE(field - 4) !== at - field) continue
        file.writeUInt32BE(at - field + secret.length, field - 4)
        return file
      }
      throw new Error('There is no region.')
    }),
  ]
}

const gray = (more: string): string => `/ColorSpace/DeviceGray/BitsPerComponent 8${more}`

/** Samples beyond what the size of an image needs, and bytes that filters skip. */
function sampleTraps(): ByteTrap[] {
  const samples = Buffer.from(Array.from({ length: 64 * 48 }, (_, index) => (index * 53) % 256))
  const rows = Buffer.concat(
    Array.from({ length: 48 }, (_, row) => insert(samples.subarray(row * 64, row * 64 + 64), 0, '\x01')),
  )
  const up = '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 64>>'
  const padded = (secret: string): Buffer => Buffer.from(secret, 'latin1')
  const png = (secret: string): Buffer => Buffer.concat(Array.from(padded(secret), byte => Buffer.from([0, byte])))
  const narrow = (more: string): string => `/Width 1/Height 12/ColorSpace/DeviceGray/BitsPerComponent 1${more}`
  const palette = (entries: string): string => `${SIZE}/ColorSpace[/Indexed/DeviceRGB ${entries}]/BitsPerComponent 2`
  const pixels = Buffer.from(Array.from({ length: 16 * 48 }, (_, index) => (index * 53) % 256))
  return [
    inImage('samples: rows beyond the height', SIZE + gray(''), secret => insert(samples, samples.length, secret)),
    inImage('samples: deflated rows beyond the height', SIZE + gray('/Filter/FlateDecode'), secret =>
      deflateSync(insert(samples, samples.length, secret)),
    ),
    inImage('samples: after deflated data', SIZE + gray('/Filter/FlateDecode'), secret =>
      insert(deflateSync(samples), deflateSync(samples).length, secret),
    ),
    inImage('samples: predicted rows beyond the height', SIZE + gray(up), secret =>
      deflateSync(insert(rows, rows.length, '\0', secret.padEnd(64, 'x'))),
    ),
    inImage('samples: part of a predicted row beyond the height', SIZE + gray(up), secret =>
      deflateSync(insert(rows, rows.length, '\0', secret)),
    ),
    inImage('samples: after hexadecimal digits', SIZE + gray('/Filter/ASCIIHexDecode'), secret =>
      Buffer.from(`${samples.toString('hex')}>${secret}`),
    ),
    inImage('samples: bits beyond the width', narrow(''), padded),
    inImage('samples: deflated bits beyond the width', narrow('/Filter/FlateDecode'), secret =>
      deflateSync(padded(secret)),
    ),
    inImage(
      'samples: predicted bits beyond the width',
      narrow('/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 1/BitsPerComponent 1>>'),
      secret => deflateSync(png(secret)),
    ),
    inImage('samples: bits of a stencil beyond the width', '/Width 1/Height 12/ImageMask true', padded),
    {
      name: 'palette: colors beyond the last one',
      draw: (secret, pdf) => inImage('', palette(`3(abcdefghijkl${secret})`), () => pixels).draw(secret, pdf),
    },
    {
      name: 'palette: a stream with colors beyond the last one',
      draw: (secret, pdf) =>
        inImage('', palette(`3 ${pdf.addStream('', `abcdefghijkl${secret}`)} 0 R`), () => pixels).draw(secret, pdf),
    },
  ]
}

const faxTraps = (): ByteTrap[] =>
  ['fax', ...Object.keys(FAX_CODINGS)].flatMap(name =>
    inFixture(name, {
      'after the last row': (data, secret) => insert(data, data.length, secret),
      'after an end mark': (data, secret) => insert(data, data.length, '\0\x10\x01\0\x10\x01', secret),
    }),
  )

/** Tags of ICC profiles (ICC.1:2022, 9.2), and an unknown one, each with a type that holds text. */
const TAGS =
  'A2B0|A2B1|A2B2|B2A0|B2A1|B2A2|D2B0|B2D0|rXYZ|gXYZ|bXYZ|rTRC|gTRC|bTRC|bkpt|chad|gamt|desc|cprt|dmnd|dmdd|vued|view|targ|' +
  'tech|meas|calt|chrm|cicp|ciis|clro|clrt|clot|lumi|meta|ncl2|pre0|pseq|psid|resp|rig0|rig2|ps2s|ps2i|vcgt|ndin|mmod|dscm|QQQQ'
const TYPES: Readonly<Record<string, (secret: string) => string>> = {
  text: secret => `text\0\0\0\0${secret}`,
  curv: secret => `curv\0\0\0\0\0\0\0\x01\x01\xcd${secret}`,
  'XYZ ': secret => `XYZ \0\0\0\0\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d${secret}`,
  'mAB ': secret => `mAB \0\0\0\0\x01\x03\0\0\0\0\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0${secret}`,
  mpet: secret => `mpet\0\0\0\0\0\x01\0\x03\0\0\0\0${secret}`,
}

function profileTraps(): ByteTrap[] {
  const draw = (profile: Buffer, pdf: PdfWriter): { content: string; resources: string } => ({
    content: '/S cs .5 scn 10 10 20 20 re f',
    resources: `/ColorSpace<</S[/ICCBased ${pdf.addStream('/N 1/Alternate/DeviceGray', profile)} 0 R]>>`,
  })
  return TAGS.split('|').flatMap(tag =>
    Object.entries(TYPES).map(([type, write]) => ({
      name: `profile: tag ${tag} of type ${type}`,
      draw: (secret, pdf) => draw(profileWith([tag, write(secret)]), pdf),
      drawPlain: pdf => draw(profileWith(), pdf),
    })),
  )
}

/** A trap for each segment, box and tag of each container of images, and for each place between them. */
export function listImageTraps(): ByteTrap[] {
  const restarts = [0, 1, 2].map(at =>
    inImage(`JPEG: after the last block of interval ${at}`, `/Width 24/Height 8${gray('/Filter/DCTDecode')}`, secret =>
      withRestarts(at, secret),
    ),
  )
  return [
    ...['baseline JPEG', 'progressive JPEG', 'JPEG in four colors'].flatMap(name => inFixture(name, IN_JPEG)),
    ...restarts,
    ...inFixture('JPEG 2000', IN_JPX),
    ...jbig2Traps(),
    ...faxTraps(),
    ...sampleTraps(),
    ...profileTraps(),
  ]
}
