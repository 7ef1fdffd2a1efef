import { deflateSync } from 'node:zlib'
import { makeJpeg } from '../../fixtures/jpeg'
import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { Parts } from '../../fixtures/traps'
import { UNDER } from '../../fixtures/traps'
import { BY_AREA, fromDrafts, wide } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

const SIDE = 60

/** Gray pixels of the whole page, with the secret in the row under the area. */
function makePixels(secret: string, channels = 1): Buffer {
  const data = Buffer.alloc(SIDE * SIDE * channels)
  for (let index = 0; index < data.length; index++) data[index] = 40 + ((index * 31) % 160)
  data.write(secret, (30 * SIDE + 15) * channels, 'latin1')
  return data
}

const SIZE = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}`
const GRAY = `${SIZE}/ColorSpace/DeviceGray/BitsPerComponent 8`

/** A page that an image covers, in each way in which pages show images. */
const showImage = (add: (pdf: PdfWriter) => number): Parts => ({
  content: 'q 300 0 0 300 0 0 cm /I Do Q',
  resources: pdf => `/XObject<</I ${add(pdf)} 0 R>>`,
})
const showInForm = (add: (pdf: PdfWriter) => number): Parts => ({
  content: '/X Do',
  resources: pdf =>
    '/XObject<</X ' +
    `${pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</XObject<</I ${add(pdf)} 0 R>>>>`, 'q 300 0 0 300 0 0 cm /I Do Q')} ` +
    '0 R>>',
})

/** The image redacted by its area, on the page and in a form XObject. */
function eachWay(add: (pdf: PdfWriter, secret: string) => number): ((secret: string) => Draft)[] {
  return [showImage, showInForm].map(show => secret => ({
    ...BY_AREA,
    parts: show(pdf => add(pdf, secret)),
    seenBy: ['bytes', 'pixels'],
    pixels: UNDER,
  }))
}

/** PNG predictors: each row as differences from the row above. */
function withPredictor(data: Buffer): Buffer {
  const rows = Array.from({ length: SIDE }, (_, row) =>
    Buffer.concat([
      Buffer.from([row === 30 ? 0 : 2]),
      Buffer.from(
        Array.from(
          { length: SIDE },
          (_pixel, column) =>
            ((data[row * SIDE + column] ?? 0) -
              (row === 30 ? 0 : row > 0 ? (data[(row - 1) * SIDE + column] ?? 0) : 0)) &
            255,
        ),
      ),
    ]),
  )
  return deflateSync(Buffer.concat(rows))
}

/** A JPEG photo of 8 × 8 pixels, with bytes inside and after it. */
const jpegWith = (secret: string, place: 'comment' | 'xmp' | 'end'): Buffer => {
  const photo = makeJpeg({ blocks: [[[128]]] })
  if (place === 'end') return Buffer.concat([photo, Buffer.from(secret)])
  const text = Buffer.from(place === 'xmp' ? `http://ns.adobe.com/xap/1.0/\0<x>${secret}</x>` : secret, 'latin1')
  return Buffer.concat([
    photo.subarray(0, 2),
    Buffer.from([0xff, place === 'xmp' ? 0xe1 : 0xfe, 0, text.length + 2]),
    text,
    photo.subarray(2),
  ])
}
const addJpeg = (pdf: PdfWriter, data: Buffer, more = ''): number =>
  pdf.addPlainStream(
    `/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode${more}`,
    data,
  )

/** Text in an image's dictionary, searched. */
const searched =
  (entries: (secret: string, pdf: PdfWriter) => string) =>
  (secret: string): Draft => ({
    parts: {
      content: 'q 20 0 0 20 10 10 cm /I Do Q',
      resources: pdf =>
        '/XObject<</I ' +
        `${pdf.addStream(`${SIZE.replaceAll(String(SIDE), '2')}/ColorSpace/DeviceGray/BitsPerComponent 8${entries(secret, pdf)}`, Buffer.from([0, 90, 180, 255]))} ` +
        '0 R>>',
    },
  })

export const IMAGES: TrapGroup = {
  name: 'Images',
  cause: 'Pixels, masks, palettes and thumbnails under an area, and text in image files besides the pixels.',
  constructions: [
    fromDrafts(
      'image: gray pixels',
      eachWay((pdf, secret) => pdf.addStream(GRAY, makePixels(secret))),
    ),
    fromDrafts(
      'image: color pixels',
      eachWay((pdf, secret) => pdf.addStream(`${SIZE}/ColorSpace/DeviceRGB/BitsPerComponent 8`, makePixels(secret, 3))),
    ),
    fromDrafts(
      'image: CMYK pixels',
      eachWay((pdf, secret) =>
        pdf.addStream(`${SIZE}/ColorSpace/DeviceCMYK/BitsPerComponent 8`, makePixels(secret, 4)),
      ),
    ),
    fromDrafts(
      'image: a palette',
      eachWay((pdf, secret) =>
        pdf.addStream(
          `${SIZE}/ColorSpace[/Indexed/DeviceGray ` +
            `255<${Array.from({ length: 256 }, (_, index) => ((index * 91) % 256).toString(16).padStart(2, '0')).join('')}>]/BitsPerComponent ` +
            '8',
          makePixels(secret),
        ),
      ),
    ),
    fromDrafts(
      'image: PNG predictors',
      eachWay((pdf, secret) =>
        pdf.addPlainStream(
          `${GRAY}/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns ${SIDE}>>`,
          withPredictor(makePixels(secret)),
        ),
      ),
    ),
    fromDrafts('image: raw and hexadecimal bytes', [
      ...eachWay((pdf, secret) => pdf.addPlainStream(GRAY, makePixels(secret))),
      ...eachWay((pdf, secret) =>
        pdf.addPlainStream(`${GRAY}/Filter/ASCIIHexDecode`, `${makePixels(secret).toString('hex')}>`),
      ),
    ]),
    fromDrafts(
      'image: a color key',
      eachWay((pdf, secret) => pdf.addStream(`${GRAY}/Mask[0 10]`, makePixels(secret))),
    ),
    fromDrafts(
      'image: inverted by /Decode',
      eachWay((pdf, secret) => pdf.addStream(`${GRAY}/Decode[1 0]`, makePixels(secret))),
    ),
    fromDrafts('image: bytes after the end of a JPEG photo', [
      secret => ({
        parts: {
          content: 'q 20 0 0 20 10 10 cm /I Do Q',
          resources: pdf => `/XObject<</I ${addJpeg(pdf, jpegWith(secret, 'end'))} 0 R>>`,
        },
      }),
      secret => ({
        ...BY_AREA,
        parts: {
          content: 'q 108 0 0 20 60 140 cm /I Do Q',
          resources: pdf => `/XObject<</I ${addJpeg(pdf, jpegWith(secret, 'end'))} 0 R>>`,
        },
      }),
    ]),
    fromDrafts(
      'image: segments of a JPEG photo',
      (['comment', 'xmp'] as const).flatMap((place): ((secret: string) => Draft)[] => [
        secret => ({
          parts: {
            content: 'q 20 0 0 20 10 10 cm /I Do Q',
            resources: pdf => `/XObject<</I ${addJpeg(pdf, jpegWith(secret, place))} 0 R>>`,
          },
        }),
        secret => ({
          ...BY_AREA,
          parts: {
            content: 'q 300 0 0 300 0 0 cm /I Do Q',
            resources: pdf => `/XObject<</I ${addJpeg(pdf, jpegWith(secret, place))} 0 R>>`,
          },
        }),
      ]),
    ),
    fromDrafts('image: file names for OPI', [
      searched(
        secret =>
          `/OPI<</1.3<</Type/OPI/Version 1.3/F(${secret}.tif)/Size[2 2]/CropRect[0 0 2 2]/Position[0 0 0 1 1 1 1 ` +
          '0]>>>>',
      ),
      searched(
        secret => `/OPI<</2.0<</Type/OPI/Version 2.0/F(${secret}.tif)/MainImage(${secret})/Tags[1(${secret})]>>>>`,
      ),
    ]),
    fromDrafts('image: /Name, /ID and measures', [
      searched(secret => `/Name/${secret}`),
      searched(secret => `/ID(${secret})`),
      searched(
        secret =>
          `/Measure<</Type/Measure/Subtype/RL/R(${secret})/X[]>>/PtData<</Type/PtData/Subtype/Cloud/Names[/${secret}]/XPTS[]>>`,
      ),
    ]),
    fromDrafts('image: private data and metadata', [
      searched((secret, pdf) => `/PieceInfo<</App<</LastModified(D:2026)/Private ${pdf.addStream('', secret)} 0 R>>>>`),
      searched(
        (secret, pdf) =>
          '/Metadata ' +
          `${pdf.addStream('/Type/Metadata/Subtype/XML', `<x>${secret.slice(0, 5)}<!-- -->${secret.slice(5)}</x>`)} ` +
          '0 R',
      ),
      searched((secret, pdf) => `/AF[${pdf.add(`<</Type/Filespec/F${wide(`${secret}.txt`)}/Desc(${secret})>>`)} 0 R]`),
    ]),
    fromDrafts('image: a thumbnail of the page', [
      secret => ({
        ...BY_AREA,
        parts: {
          content: 'BT /F 15 Tf 60 145 Td (shown) Tj ET',
          page: pdf =>
            '/Thumb ' +
            `${pdf.addStream(`/Width ${SIDE}/Height ${SIDE}/ColorSpace/DeviceGray/BitsPerComponent 8`, makePixels(secret))} ` +
            '0 R',
        },
      }),
    ]),
    fromDrafts('image: an image mask', [
      secret => ({
        ...BY_AREA,
        parts: {
          content: 'q 300 0 0 300 0 0 cm /I Do Q',
          resources: pdf =>
            '/XObject<</I ' +
            `${pdf.addStream(`/Type/XObject/Subtype/Image/Width ${SIDE * 8}/Height ${SIDE}/ImageMask true/BitsPerComponent 1`, makePixels(secret))} ` +
            '0 R>>',
        },
        seenBy: ['bytes', 'pixels'],
        pixels: UNDER,
      }),
      secret => ({
        ...BY_AREA,
        parts: {
          content: 'q 300 0 0 300 0 0 cm /I Do Q',
          resources: pdf =>
            '/XObject<</I ' +
            `${pdf.addStream(`${GRAY}/Mask ${pdf.addStream(`/Type/XObject/Subtype/Image/Width ${SIDE * 8}/Height ${SIDE}/ImageMask true/BitsPerComponent 1`, makePixels(secret))} 0 R`, Buffer.alloc(SIDE * SIDE))} ` +
            '0 R>>',
        },
        seenBy: ['bytes', 'pixels'],
        pixels: UNDER,
      }),
    ]),
  ],
}
